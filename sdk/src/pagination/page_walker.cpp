#include "pagination/page_walker.h"

#include <cstddef>
#include <iterator>
#include <ranges>
#include <utility>
#include <variant>
#include <vector>

#include "call/request_builder.h"
#include "form/form_writer.h"
#include "json/json_reader.h"
#include "pagination/prefetcher.h"
#include "text/fingerprint.h"

namespace tally::detail {

namespace {

/// In bytes: longer than any URL that servers accept.
constexpr std::size_t longestCursor = std::size_t{64} * 1'024;

/// A fingerprint of what a position depends on: all parameters except `expand` and, for a list, which can
/// continue after any object, `limit`.
std::uint32_t selectionOf(const AnyOperation& operation, ConstObjectRef params, std::string_view account,
                          const std::vector<Param>& extraParams) {
  std::string text{account};
  text += '\n';
  const bool isList = operation.kind == OperationKind::list;
  if (params) writeForm(text, params, {"expand", isList ? "limit" : ""});
  for (const Param& param : extraParams)
    writeFormPair(text, param.name, param.value);
  return fingerprint(text);
}

}  // namespace

/// Reads a page, and determines the next one.
class PageWalker::PageReader final : public Reader {
 public:
  PageReader(PageWalker& walk, const PageType& type, ObjectRef page)
      : walk_(walk), type_(type), page_(page), reader_(walk.source_.operation(), {}, page) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) const override {
    if (auto error = reader_.read(result, now)) return error;
    const auto error = walk_.arrived(type_, page_);
    return error ? std::optional{withRequestId(*error)} : std::nullopt;
  }

 private:
  [[nodiscard]] Error withRequestId(const Error& error) const {
    Error::Details details = error.details();
    details.requestId = page_.lastResponse()->requestId();
    return Error{std::move(details)};
  }

  PageWalker& walk_;
  const PageType& type_;
  ObjectRef page_;
  ResponseReader reader_;
};

PageWalker::PageWalker(std::shared_ptr<const ClientCore> core, const AnyOperation& operation,
                       ConstObjectRef params, const RequestOptions& options)
    : source_(std::move(core), operation, params, options),
      fault_(source_.fault()),
      selection_(
          selectionOf(operation, params, accountOf(source_.core().options(), options), options.extraParams)) {
  moveTo(source_.start());
  if (!source_.searches()) position_.startBehind(source_.start());
}

PageWalker::~PageWalker() = default;

void PageWalker::PrefetcherDeleter::operator()(Prefetcher* prefetcher) const noexcept {
  if (!prefetcher->isInherited()) delete prefetcher;
}

void PageWalker::moveTo(std::string cursor) {
  cursor_ = std::move(cursor);
  if (!cursor_.empty()) see(cursor_);
}

void PageWalker::resumeAt(std::string_view checkpoint) {
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
  position_.startBehind(std::move(behind));
}

std::string PageWalker::checkpoint() const {
  return unreadable_.empty() ? writeCheckpoint(name(), standing()) : unreadable_;
}

/// A list can continue after any object, a search only at a page's cursor. Iteration towards the newest never
/// ends: more objects may be created.
Standing PageWalker::standing() const {
  if (ended_ && !position_.pending() && !backwards()) return {.ended = true};
  if (!source_.searches()) return {.cursor = position_.behind()};
  return {.cursor = position_.pending() ? position_.pageCursor() : cursor_,
          .behind = position_.behindInPage()};
}

std::optional<Error> PageWalker::fetch(const PageType& type, ObjectRef page) {
  if (fault_) return fault_;
  if (auto ahead = takePrefetched(type)) {
    if (ahead->error) return ahead->error;
    if (accept(*ahead, type, page)) return std::nullopt;
  }
  return source_.fetch(cursor_, source_.options(), PageReader{*this, type, page});
}

std::optional<Error> PageWalker::read(TransportResult& result, Instant now, const PageType& type,
                                      ObjectRef page) {
  return PageReader{*this, type, page}.read(result, now);
}

/// The prefetched page, after waiting for it; null: request it without prefetching. Prefetching stops for
/// good if another page was prefetched than the one needed.
std::optional<RawPage> PageWalker::takePrefetched(const PageType& type) {
  if (!prefetches_ || source_.options().stop.stop_requested()) return std::nullopt;
  if (!prefetcher_) prefetcher_.reset(new Prefetcher{source_, type});
  prefetches_ = !prefetcher_->isInherited() && prefetcher_->ask(cursor_);
  if (!prefetches_) {
    prefetcher_.reset();
    return std::nullopt;
  }
  RawPage page = prefetcher_->take();
  if (auto* attempts = source_.options().attempts)
    std::ranges::move(page.attempts, std::back_inserter(*attempts));
  return page;
}

/// Whether the prefetched text is a valid page. If not, the page is requested once more, by code that can
/// report the problem.
bool PageWalker::accept(RawPage& raw, const PageType& type, ObjectRef page) {
  if (readJson(raw.body, page)) return false;
  *page.lastResponse() = std::move(raw.response);
  return !arrived(type, page);
}

/// If the object to continue after is no longer in its page, the whole page is returned: better twice than
/// never.
std::optional<Error> PageWalker::arrived(const PageType& type, ObjectRef page) {
  const PageFacts facts = type.facts(page);
  Arrival arrival{
      .page = {.cursor = cursor_, .lastId = std::string{backwards() ? facts.firstId : facts.lastId}}};
  if (auto error = findNext(facts, arrival)) return error;
  const std::string behind = source_.searches() ? position_.behindInPage() : std::string{};
  arrival.page.isWhole = behind.empty() || position_.pending() || !type.dropThrough(page, behind);
  arrival.page.left = type.facts(page).count;
  position_.expectPage();
  seen_.reserve(seen_.size() + 1);
  arrival_ = std::move(arrival);
  return std::nullopt;
}

std::optional<Error> PageWalker::findNext(const PageFacts& facts, Arrival& arrival) const {
  if (!facts.hasMore) return std::nullopt;
  if (facts.count == 0) return endless("has_more is true on an empty page");
  arrival.next = source_.cursorBehind(facts);
  if (!arrival.next) return endless("has_more is true, but the page has no cursor");
  if (arrival.next->size() > longestCursor)
    return endless("the cursor is longer than " + std::to_string(longestCursor) + " bytes");
  if (hasSeen(*arrival.next)) return endless("the cursor '" + *arrival.next + "' repeats");
  return std::nullopt;
}

/// Allocates nothing: arrived() has reserved the memory.
void PageWalker::moveOn() noexcept {
  position_.fetched(std::move(arrival_.page));
  ended_ = !arrival_.next;
  if (ended_) return;
  cursor_ = *std::move(arrival_.next);
  see(cursor_);
}

bool PageWalker::hasSeen(const std::string& cursor) const {
  return seen_.contains(longFingerprint(cursor));
}

Error PageWalker::endless(const std::string& message) const {
  return Error{{.kind = ErrorKind::pagination,
                .message = message,
                .operation = std::string{source_.operation().name}}};
}

}  // namespace tally::detail
