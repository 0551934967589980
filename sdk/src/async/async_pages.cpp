#include "async/async_pages.h"

#include <algorithm>
#include <iterator>
#include <new>
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
      : Composite(pages->engine()), pages_(std::move(pages)) {}

  void fail(const Error& error) override { endWith(error); }
  void complete() override {}

 private:
  void begin() override {
    const PageSource& source = pages_->walk().source();
    startPart(pages_->nextRequest(source.options().attempts == nullptr ? nullptr : &attempts_),
              [this, &source](TransportResult& result, Instant now) -> std::optional<Error> {
                if (auto error = errorIn(result, source.operation(), now)) return error;
                page_.take(std::get<HttpResponse>(result));
                return std::nullopt;
              });
  }
  void partEnded(const std::optional<Error>& error) override { endWith(error); }
  void canceled() override {}

  void endWith(const std::optional<Error>& error) {
    page_.error = error;
    page_.attempts = std::move(attempts_);
    pages_->prefetched(std::move(page_));
    end(nullptr);
  }

  std::shared_ptr<AsyncPages> pages_;
  RawPage page_{};
  std::vector<Attempt> attempts_{};
};

AsyncPages::AsyncPages(std::shared_ptr<AsyncEngine> engine, const AnyOperation& operation,
                       ConstObjectRef params, const RequestOptions& options)
    : engine_(std::move(engine)),
      walk_(engine_->sharedCore(), operation, params, options),
      passOn_(options.stop, [this] { stop_.request_stop(); }) {}

AsyncRequest AsyncPages::nextRequest(std::vector<Attempt>* attempts) const {
  const PageSource& source = walk_.source();
  AsyncRequest request{.operation = source.operation(),
                       .request = source.requestAt(walk_.cursor()),
                       .paced = source.paced(),
                       .options = source.options()};
  request.options.stop = stop_.get_token();
  request.options.attempts = attempts;
  return request;
}

void AsyncPages::acquire() {
  if (busy_.exchange(true)) throw std::logic_error{"a call of this AsyncPager is in progress"};
}

void AsyncPages::prefetch() {
  if (!prefetches_ || walk_.ended() || stop_.stop_requested()) return;
  Prefetch* prefetch = nullptr;  // owns itself
  try {
    prefetch = new Prefetch{shared_from_this()};
  } catch (const std::bad_alloc&) {  // then the page is requested once it is needed
    return;
  }
  prefetching_ = true;
  prefetch->startAsPart();
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
  if (const auto& fault = walk().fault()) return fail(*fault);
  type_ = &type;
  page_ = page;
  if (!pages_->isPrefetching()) return request();
  return isCanceled() ? canceled() : waited();
}

/// A prefetched page that is not valid is requested once more, by code that can report the problem.
void PageFetch::waited() {
  auto ahead = pages_->takePrefetched(*this);
  if (!ahead) return;
  if (attempts_ != nullptr) std::ranges::move(ahead->attempts, std::back_inserter(*attempts_));
  if (ahead->error) return fail(*ahead->error);
  if (walk().accept(*ahead, *type_, page_)) return arrived();
  request();
}

void PageFetch::request() {
  startPart(pages_->nextRequest(attempts_),
            [this](TransportResult& result, Instant now) { return walk().read(result, now, *type_, page_); });
}

void PageFetch::partEnded(const std::optional<Error>& error) {
  if (error) return fail(*error);
  arrived();
}

void PageFetch::arrived() {
  walk().moveOn();
  pages_->prefetch();
  fetched();
}

/// Only while it waits for a prefetched page. If that is canceled too, it ends with the error of the stop.
void PageFetch::canceled() {
  if (pages_->stopToken().stop_requested() || engine().cancelsAll()) return waited();
  fail(cancellation());
}

Error PageFetch::cancellation() {
  return Error{{.kind = ErrorKind::canceled, .message = "the caller requested a stop"}};
}

void PageFetch::fail(const Error& error) {
  pages_->stopWaiting();
  setError(error);
  end(&error);
}

}  // namespace tally::detail
