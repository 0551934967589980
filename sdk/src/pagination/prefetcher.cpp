#include "pagination/prefetcher.h"

#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "http/response_reader.h"
#include "json/json_reader.h"
#include "pagination/last_object.h"
#include "schema/any_object.h"

namespace tally::detail {

namespace {

/// Keeps a successful response undecoded; turns any other outcome into an error.
class RawPageReader final : public Reader {
 public:
  RawPageReader(const AnyOperation& operation, RawPage& page) : operation_(operation), page_(page) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) const override {
    if (auto error = errorIn(result, operation_, now)) return error;
    page_.take(std::get<HttpResponse>(result));
    return std::nullopt;
  }

 private:
  const AnyOperation& operation_;
  RawPage& page_;
};

/// The cursor of the next page, from the end of this one. Null if that can't be read.
std::optional<std::string> forecast(const PageSource& source, const PageType& type, std::string_view body) {
  AnyObject page{type.fields};
  if (mergeJson(withLastObjectOnly(body), page.ref())) return std::nullopt;
  const PageFacts facts = type.facts(page.ref());
  if (!facts.hasMore || facts.count == 0) return std::nullopt;
  return source.cursorBehind(facts);
}

}  // namespace

Prefetcher::Prefetcher(const PageSource& source, const PageType& type)
    : source_(source),
      type_(type),
      usesThread_(!source.core().options().transport->inProcess()),
      passOn_(source.options().stop, [this] { stop_.request_stop(); }),
      options_(source.options()) {
  options_.stop = stop_.get_token();
  if (options_.attempts != nullptr) options_.attempts = &attempts_;
}

Prefetcher::~Prefetcher() {
  {
    const std::lock_guard lock{mutex_};
    over_ = true;
  }
  stop_.request_stop();
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Prefetcher::ask(const std::string& cursor) {
  std::unique_lock lock{mutex_};
  const bool coming = pages_.ask(cursor);
  lock.unlock();
  changed_.notify_all();
  return coming;
}

RawPage Prefetcher::take() {
  return thread_.joinable() ? takeFromThread() : takeHere();
}

/// The first page is always fetched in this thread: if it is the only one, no other thread is needed.
RawPage Prefetcher::takeHere() {
  while (!pages_.here() || (!usesThread_ && pages_.hasNext()))
    pages_.fetched(fetch(*pages_.begin()));
  RawPage page = pages_.take();
  if (usesThread_ && pages_.hasNext()) startThread();
  return page;
}

void Prefetcher::startThread() {
  try {
    process_ = processId();
    thread_ = std::thread{[this] { run(); }};
  } catch (const std::system_error&) {
    usesThread_ = false;
  }
}

RawPage Prefetcher::takeFromThread() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return pages_.here(); });
  return pages_.take();
}

void Prefetcher::run() {
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait(lock, [this] { return over_ || pages_.hasNext(); });
    if (over_) return;
    const std::string& cursor = *pages_.begin();
    lock.unlock();
    RawPage page = fetch(cursor);
    lock.lock();
    pages_.fetched(std::move(page));
    lock.unlock();
    changed_.notify_all();
    lock.lock();
  }
}

/// An exception leaves no page: the consumer then requests it without prefetching, and meets the exception
/// itself.
RawPage Prefetcher::fetch(const std::string& cursor) noexcept {
  RawPage page;
  try {
    page.error = source_.fetch(cursor, options_, RawPageReader{source_.operation(), page});
    page.attempts.swap(attempts_);
    if (!page.error) page.next = forecast(source_, type_, page.body);
  } catch (...) {
    page.body.clear();
  }
  return page;
}

}  // namespace tally::detail
