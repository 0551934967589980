#include "walk.h"

#include <functional>
#include <utility>
#include <variant>

#include "form_writer.h"
#include "request_builder.h"
#include "text_param.h"

namespace tally::detail {

/// Reads a page, and moves the walk on if the page says where to.
class Walk::PageReader final : public Reader {
 public:
  PageReader(Walk& walk, const Struct& type, void* page, PageFacts (*facts)(const void* page))
      : walk_(walk), page_(page), facts_(facts), reader_(walk.operation_, type, page) {}

  [[nodiscard]] std::optional<Error> read(const Answer& answer, Instant now) const override {
    if (auto error = reader_.read(answer, now)) return error;
    return walk_.moveOn(facts_(page_));
  }

 private:
  Walk& walk_;
  void* page_;
  PageFacts (*facts_)(const void* page);
  AnswerReader reader_;
};

Walk::Walk(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
           const RequestOptions& options)
    : core_(std::move(core)), operation_(operation), options_(options) {
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
  const bool searches = operation_.kind == OperationKind::search;
  cursorName_ = searches ? cursor::page : cursor::startingAfter;
  const std::string* given = textParam(operation_, params, cursorName_);
  if (!searches && given == nullptr) {
    given = textParam(operation_, params, cursor::endingBefore);
    if (given != nullptr) cursorName_ = cursor::endingBefore;
  }
  if (given == nullptr || given->empty()) return;
  cursor_ = *given;
  (void)firstSeen(cursor_);
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

std::optional<Error> Walk::fetch(const Struct& type, void* page, PageFacts (*facts)(const void* page)) {
  if (fault_) return fault_;
  return core_->send(operation_, {}, nextRequest(), paced_, options_, PageReader{*this, type, page, facts});
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
  if (operation_.kind != OperationKind::search)
    return std::string{backwards() ? facts.firstId : facts.lastId};
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
