#include "pagination/page_source.h"

#include <utility>
#include <variant>

#include "call/request_builder.h"
#include "form/form_writer.h"
#include "schema/cursor.h"
#include "schema/text_param.h"

namespace tally::detail {

namespace {

std::optional<std::string> unlessEmpty(std::string_view cursor) {
  return cursor.empty() ? std::nullopt : std::optional{std::string{cursor}};
}

}  // namespace

PageSource::PageSource(std::shared_ptr<const ClientCore> core, const AnyOperation& operation,
                       ConstObjectRef params, const RequestOptions& options)
    : core_(std::move(core)), operation_(operation), options_(core_->fromNowOn(options)) {
  auto request = buildRequest(core_->defaults(), operation, {}, params, options);
  if (auto* error = std::get_if<Error>(&request)) {
    fault_ = std::move(*error);
  } else {
    request_ = std::get<KeyedRequest>(std::move(request));
    paced_ = core_->pacedRequest(operation_, {}, params);
  }
  chooseCursor(params);
}

void PageSource::chooseCursor(ConstObjectRef params) {
  cursorName_ = searches() ? cursor::page : cursor::startingAfter;
  const std::string* given = textParam(params, cursorName_);
  if (!searches() && given == nullptr) {
    given = textParam(params, cursor::endingBefore);
    if (given != nullptr) cursorName_ = cursor::endingBefore;
  }
  if (given != nullptr) start_ = *given;
}

std::optional<Error> PageSource::fetch(const std::string& cursor, const RequestOptions& call,
                                       const Reader& reader) const {
  return core_->send(operation_, {}, requestAt(cursor), paced_, call, reader);
}

KeyedRequest PageSource::requestAt(const std::string& cursor) const {
  KeyedRequest request = request_;
  if (cursor.empty()) return request;
  std::string pair;
  writeFormPair(pair, cursorName_, cursor);
  request.url += (request.url.find('?') == std::string::npos ? '?' : '&') + pair;
  return request;
}

std::optional<std::string> PageSource::cursorBehind(const PageFacts& facts) const {
  if (!searches()) return unlessEmpty(backwards() ? facts.firstId : facts.lastId);
  return facts.nextPage == nullptr ? std::nullopt : unlessEmpty(*facts.nextPage);
}

bool PageSource::backwards() const noexcept {
  return cursorName_ == cursor::endingBefore;
}

}  // namespace tally::detail
