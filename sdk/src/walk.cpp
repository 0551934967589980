#include "walk.h"

#include <functional>
#include <utility>
#include <variant>

#include "fingerprint.h"
#include "form_writer.h"
#include "request_builder.h"
#include "text_param.h"

namespace tally::detail {

namespace {

/// What the place of a walk depends on: all parameters but those that only say what comes besides, and in a
/// list, which goes on behind any object, how much comes at once.
std::uint32_t selectionOf(const Operation& operation, const void* params, std::string_view account) {
  std::string text{account};
  text += '\n';
  if (params == nullptr || operation.params == nullptr) return fingerprint(text);
  const bool isList = operation.kind == OperationKind::list;
  writeForm(text, *operation.params, params, {"expand", isList ? "limit" : ""});
  return fingerprint(text);
}

}  // namespace

/// Reads a page, and moves the walk on if the page says where to.
class Walk::PageReader final : public Reader {
 public:
  PageReader(Walk& walk, const PageType& type, void* page)
      : walk_(walk), type_(type), page_(page), reader_(walk.operation_, type.fields, page) {}

  [[nodiscard]] std::optional<Error> read(const Answer& answer, Instant now) const override {
    if (auto error = reader_.read(answer, now)) return error;
    return walk_.arrived(type_, page_);
  }

 private:
  Walk& walk_;
  const PageType& type_;
  void* page_;
  AnswerReader reader_;
};

Walk::Walk(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
           const RequestOptions& options)
    : core_(std::move(core)),
      operation_(operation),
      options_(options),
      selection_(selectionOf(operation, params, accountOf(core_->options(), options))) {
  auto request = buildRequest(core_->options(), operation, {}, params, options);
  if (auto* error = std::get_if<Error>(&request)) {
    fault_ = std::move(*error);
  } else {
    request_ = std::get<HttpRequest>(std::move(request));
    paced_ = core_->pacedRequest(operation_, {}, params);
  }
  startAt(params);
}

void Walk::startAt(const void* params) {
  cursorName_ = searches() ? cursor::page : cursor::startingAfter;
  const std::string* given = textParam(operation_, params, cursorName_);
  if (!searches() && given == nullptr) {
    given = textParam(operation_, params, cursor::endingBefore);
    if (given != nullptr) cursorName_ = cursor::endingBefore;
  }
  if (given == nullptr) return;
  moveTo(*given);
  if (!searches()) progress_.startBehind(*given);
}

void Walk::moveTo(std::string cursor) {
  cursor_ = std::move(cursor);
  if (!cursor_.empty()) (void)firstSeen(cursor_);
}

void Walk::resumeAt(std::string_view checkpoint) {
  auto read = readCheckpoint(name(), checkpoint);
  if (auto* problem = std::get_if<std::string>(&read)) {
    unreadable_ = checkpoint;
    if (!fault_) fault_ = invalidParameter(operation_, {"checkpoint", std::move(*problem)});
    return;
  }
  auto& standing = std::get<Standing>(read);
  ended_ = standing.ended;
  progress_.startBehind(searches() ? std::move(standing.behind) : standing.cursor);
  moveTo(std::move(standing.cursor));
}

std::string Walk::checkpoint() const {
  return unreadable_.empty() ? writeCheckpoint(name(), standing()) : unreadable_;
}

/// Lists go on behind any object. Searches have cursors of pages only. Towards the newest there is no end:
/// more may come.
Standing Walk::standing() const {
  if (ended_ && !progress_.pending() && !backwards()) return {.ended = true};
  if (!searches()) return {.cursor = progress_.behind()};
  return {.cursor = progress_.pending() ? progress_.pageCursor() : cursor_,
          .behind = progress_.behindInPage()};
}

bool Walk::backwards() const noexcept {
  return cursorName_ == cursor::endingBefore;
}

HttpRequest Walk::nextRequest() const {
  HttpRequest request = request_;
  if (cursor_.empty()) return request;
  std::string pair;
  writeFormPair(pair, cursorName_, cursor_);
  request.url += (request.url.find('?') == std::string::npos ? '?' : '&') + pair;
  return request;
}

std::optional<Error> Walk::fetch(const PageType& type, void* page) {
  if (fault_) return fault_;
  return core_->send(operation_, {}, nextRequest(), paced_, options_, PageReader{*this, type, page});
}

/// Where the object behind which to go on is no longer in its page, all of the page is shown: better twice
/// than never.
std::optional<Error> Walk::arrived(const PageType& type, void* page) {
  const PageFacts facts = type.facts(page);
  Progress::FetchedPage fetched{.cursor = cursor_,
                                .lastId = std::string{backwards() ? facts.firstId : facts.lastId}};
  if (auto error = moveOn(facts)) return error;
  const std::string behind = searches() ? progress_.behindInPage() : std::string{};
  fetched.isWhole = behind.empty() || progress_.pending() || !type.dropThrough(page, behind);
  fetched.left = type.facts(page).count;
  progress_.fetched(std::move(fetched));
  return std::nullopt;
}

std::optional<Error> Walk::moveOn(const PageFacts& facts) {
  if (!facts.hasMore) {
    ended_ = true;
    return std::nullopt;
  }
  if (facts.count == 0) return endless("an empty page says that more follow");
  auto next = cursorBehind(facts);
  if (!next) return endless("a page says that more follow, but not where");
  if (!firstSeen(*next)) return endless("a page leads back to the cursor '" + *next + "'");
  cursor_ = *std::move(next);
  return std::nullopt;
}

bool Walk::firstSeen(const std::string& cursor) {
  return seen_.insert(std::hash<std::string>{}(cursor)).second;
}

std::optional<std::string> Walk::cursorBehind(const PageFacts& facts) const {
  if (!searches()) return std::string{backwards() ? facts.firstId : facts.lastId};
  if (facts.nextPage == nullptr || facts.nextPage->empty()) return std::nullopt;
  return *facts.nextPage;
}

Error Walk::endless(const std::string& message) const {
  return Error{
      {.kind = ErrorKind::pagination, .message = message, .operation = std::string{operation_.name}}};
}

std::unique_ptr<Walk> walk(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
                           const RequestOptions& options) {
  return std::make_unique<Walk>(std::move(core), operation, params, options);
}

}  // namespace tally::detail
