#include "async/async_pages.h"

#include <stdexcept>
#include <utility>
#include <variant>

#include "async/async_engine.h"
#include "http/response_reader.h"

namespace tally::detail {

/// Requests a page that nobody has asked for yet, and keeps its body undecoded.
class AsyncPages::Prefetch final : public Composite {
 public:
  explicit Prefetch(std::shared_ptr<AsyncPages> pages)
      : Composite(pages->engine()), pages_(std::move(pages)) {
    setPart();
  }

  void failed(const Error& error) override { over(error); }
  void complete() override {}

 private:
  void begin() override {
    startPart(pages_->nextRequest(), [this](TransportResult& result, Instant now) -> std::optional<Error> {
      if (auto error = errorIn(result, pages_->walk().source().operation(), now)) return error;
      body_ = std::move(std::get<HttpResponse>(result).body);
      return std::nullopt;
    });
  }
  void partEnded(const std::optional<Error>& error) override { over(error); }
  void canceled() override {}

  void over(const std::optional<Error>& error) {
    pages_->prefetched({.error = error, .body = std::move(body_)});
    finish(nullptr);
  }

  std::shared_ptr<AsyncPages> pages_;
  std::string body_{};
};

AsyncPages::AsyncPages(std::shared_ptr<AsyncEngine> engine, const AnyOperation& operation,
                       ConstObjectRef params, const RequestOptions& options)
    : engine_(std::move(engine)),
      walk_(engine_->sharedCore(), operation, params, options),
      passOn_(options.stop, [this] { stop_.request_stop(); }) {}

AsyncRequest AsyncPages::nextRequest() const {
  const PageSource& source = walk_.source();
  AsyncRequest request{.operation = source.operation(),
                       .request = source.requestAt(walk_.cursor()),
                       .paced = source.paced(),
                       .options = source.options()};
  request.options.stop = stop_.get_token();
  return request;
}

void AsyncPages::enter() {
  if (busy_.exchange(true)) throw std::logic_error{"a call of this AsyncPager is in progress"};
}

void AsyncPages::prefetch() {
  if (!prefetches_ || walk_.ended() || stop_.stop_requested()) return;
  prefetching_ = true;
  auto* const prefetch = new Prefetch{shared_from_this()};  // owns itself
  prefetch->signal(Activity::starting);
}

void AsyncPages::prefetched(RawPage page) {
  ahead_ = std::move(page);
  if (Activity* const waiting = std::exchange(waiting_, nullptr)) waiting->signal(Activity::waking);
}

std::optional<RawPage> AsyncPages::takePrefetched(Activity& waiting) {
  if (!ahead_) {
    waiting_ = &waiting;
    return std::nullopt;
  }
  prefetching_ = false;
  return std::exchange(ahead_, std::nullopt);
}

void PageFetch::fetch(const PageType& type, ObjectRef page) {
  if (const auto& fault = walk().fault()) return failed(*fault);
  type_ = &type;
  page_ = page;
  if (pages_->isPrefetching()) return waited();
  request();
}

/// A prefetched page that is not valid is requested once more, by code that can report the problem.
void PageFetch::waited() {
  const auto ahead = pages_->takePrefetched(*this);
  if (!ahead) return;
  if (ahead->error) return failed(*ahead->error);
  if (walk().accept(ahead->body, *type_, page_)) return arrived();
  request();
}

void PageFetch::request() {
  startPart(pages_->nextRequest(),
            [this](TransportResult& result, Instant now) { return walk().read(result, now, *type_, page_); });
}

void PageFetch::partEnded(const std::optional<Error>& error) {
  if (error) return failed(*error);
  arrived();
}

void PageFetch::arrived() {
  walk().moveOn();
  pages_->prefetch();
  fetched();
}

/// Only while it waits for a prefetched page, which then ends with the error of the stop.
void PageFetch::canceled() {}

void PageFetch::failed(const Error& error) {
  pages_->stopWaiting();
  setError(error);
  finish(&error);
}

}  // namespace tally::detail
