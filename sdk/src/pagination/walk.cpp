#include "pagination/walk.h"

#include <iterator>
#include <ranges>
#include <utility>
#include <variant>
#include <vector>

#include "call/request_builder.h"
#include "codec/form_writer.h"
#include "codec/json_reader.h"
#include "pagination/read_ahead.h"
#include "text/fingerprint.h"

namespace tally::detail {

namespace {

/// A fingerprint of what a position depends on: all parameters except `expand` and, for a list, which can
/// continue after any object, `limit`.
std::uint32_t selectionOf(const Operation& operation, ConstObjectRef params, std::string_view account) {
  std::string text{account};
  text += '\n';
  if (!params) return fingerprint(text);
  const bool isList = operation.kind == OperationKind::list;
  writeForm(text, params, {"expand", isList ? "limit" : ""});
  return fingerprint(text);
}

}  // namespace

/// Reads a page, and determines the next one.
class Walk::PageReader final : public Reader {
 public:
  PageReader(Walk& walk, const PageType& type, ObjectRef page)
      : walk_(walk), type_(type), page_(page), reader_(walk.source_.operation(), page) {}

  [[nodiscard]] std::optional<Error> read(Answer& answer, Instant now) const override {
    if (auto error = reader_.read(answer, now)) return error;
    return walk_.arrived(type_, page_);
  }

 private:
  Walk& walk_;
  const PageType& type_;
  ObjectRef page_;
  AnswerReader reader_;
};

Walk::Walk(std::shared_ptr<const Core> core, const Operation& operation, ConstObjectRef params,
           const RequestOptions& options)
    : source_(std::move(core), operation, params, options),
      fault_(source_.fault()),
      selection_(selectionOf(operation, params, accountOf(source_.core().options(), options))) {
  moveTo(source_.start());
  if (!source_.searches()) progress_.startBehind(source_.start());
}

Walk::~Walk() = default;

void Walk::moveTo(std::string cursor) {
  cursor_ = std::move(cursor);
  if (!cursor_.empty()) see(cursor_);
}

void Walk::resumeAt(std::string_view checkpoint) {
  auto read = readCheckpoint(name(), checkpoint);
  if (auto* problem = std::get_if<std::string>(&read)) {
    unreadable_ = checkpoint;
    if (!fault_) fault_ = invalidParameter(source_.operation(), {"checkpoint", std::move(*problem)});
    return;
  }
  auto& standing = std::get<Standing>(read);
  std::string behind = source_.searches() ? std::move(standing.behind) : standing.cursor;
  moveTo(std::move(standing.cursor));
  ended_ = standing.ended;
  progress_.startBehind(std::move(behind));
}

std::string Walk::checkpoint() const {
  return unreadable_.empty() ? writeCheckpoint(name(), standing()) : unreadable_;
}

/// A list can continue after any object, a search only at a page's cursor. Iteration towards the newest never
/// ends: more objects may be created.
Standing Walk::standing() const {
  if (ended_ && !progress_.pending() && !backwards()) return {.ended = true};
  if (!source_.searches()) return {.cursor = progress_.behind()};
  return {.cursor = progress_.pending() ? progress_.pageCursor() : cursor_,
          .behind = progress_.behindInPage()};
}

std::optional<Error> Walk::fetch(const PageType& type, ObjectRef page) {
  if (fault_) return fault_;
  if (auto ahead = takeAhead(type)) {
    if (ahead->error) return ahead->error;
    if (accept(*ahead, type, page)) return std::nullopt;
  }
  return source_.fetch(cursor_, source_.options(), PageReader{*this, type, page});
}

/// The prefetched page, after waiting for it; null: request it without prefetching. Prefetching stops for
/// good if another page was prefetched than the one needed.
std::optional<RawPage> Walk::takeAhead(const PageType& type) {
  if (!readsAhead_ || source_.options().stop.stop_requested()) return std::nullopt;
  if (!ahead_) ahead_ = std::make_unique<ReadAhead>(source_, type);
  readsAhead_ = ahead_->ask(cursor_);
  if (!readsAhead_) {
    ahead_.reset();
    return std::nullopt;
  }
  RawPage page = ahead_->take();
  if (auto* trail = source_.options().trail) std::ranges::move(page.trail, std::back_inserter(*trail));
  return page;
}

/// Whether the prefetched text is a valid page. If not, the page is requested once more, by code that can
/// report the problem.
bool Walk::accept(const RawPage& raw, const PageType& type, ObjectRef page) {
  return !readJson(raw.body, page) && !arrived(type, page);
}

/// If the object to continue after is no longer in its page, the whole page is returned: better twice than
/// never.
std::optional<Error> Walk::arrived(const PageType& type, ObjectRef page) {
  const PageFacts facts = type.facts(page);
  Arrival arrival{
      .page = {.cursor = cursor_, .lastId = std::string{backwards() ? facts.firstId : facts.lastId}}};
  if (auto error = findNext(facts, arrival)) return error;
  const std::string behind = source_.searches() ? progress_.behindInPage() : std::string{};
  arrival.page.isWhole = behind.empty() || progress_.pending() || !type.dropThrough(page, behind);
  arrival.page.left = type.facts(page).count;
  progress_.expectPage();
  seen_.reserve(seen_.size() + 1);
  arrival_ = std::move(arrival);
  return std::nullopt;
}

std::optional<Error> Walk::findNext(const PageFacts& facts, Arrival& arrival) const {
  if (!facts.hasMore) return std::nullopt;
  if (facts.count == 0) return endless("an empty page says that more follow");
  arrival.next = source_.cursorBehind(facts);
  if (!arrival.next) return endless("a page says that more follow, but not where");
  if (hasSeen(*arrival.next)) return endless("a page leads back to the cursor '" + *arrival.next + "'");
  return std::nullopt;
}

/// Allocates nothing: arrived() has reserved the memory.
void Walk::moveOn() noexcept {
  progress_.fetched(std::move(arrival_.page));
  ended_ = !arrival_.next;
  if (ended_) return;
  cursor_ = *std::move(arrival_.next);
  see(cursor_);
}

bool Walk::hasSeen(const std::string& cursor) const {
  return seen_.contains(std::hash<std::string>{}(cursor));
}

Error Walk::endless(const std::string& message) const {
  return Error{{.kind = ErrorKind::pagination,
                .message = message,
                .operation = std::string{source_.operation().name}}};
}

}  // namespace tally::detail
