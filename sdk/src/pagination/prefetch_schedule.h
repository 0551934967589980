#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tally/attempt.h>
#include <tally/error.h>
#include <tally/last_response.h>

namespace tally::detail {

/// The outcome of a request for a page: its undecoded body, or the error of the call.
struct RawPage {
  std::optional<Error> error{};
  std::string body{};
  LastResponse response{};
  /// The cursor of the next page; null if there is none, or it can't be determined.
  std::optional<std::string> next{};
  std::vector<Attempt> attempts{};

  void take(HttpResponse& received) {
    body = std::move(received.body);
    response = {received.status, std::move(received.headers)};
  }
};

/// Decides which page is fetched when: the one that the consumer waits for, and then one more, which is kept
/// until it is asked for. Told what happens; fetches nothing and does not wait.
class PrefetchSchedule {
 public:
  PrefetchSchedule() { pages_.reserve(most); }

  /// The consumer waits for the page of that cursor. False: another page is in flight or held.
  [[nodiscard]] bool ask(const std::string& cursor);

  /// Whether a page should be fetched now.
  [[nodiscard]] bool hasNext() const noexcept;

  /// Starts the next fetch: returns its cursor, which stays valid until fetched(), or null if nothing is to
  /// be fetched.
  [[nodiscard]] const std::string* begin() noexcept;

  /// The page of begin() has arrived. Allocates nothing.
  void fetched(RawPage page);

  /// Whether the page that was asked for has arrived.
  [[nodiscard]] bool here() const noexcept { return asked_ && !pages_.empty(); }

  /// Hands out the page that was asked for.
  [[nodiscard]] RawPage take();

 private:
  static constexpr std::size_t most = 2;  // the one waited for, and one prefetched

  struct Kept {
    std::string cursor{};
    RawPage page{};
  };

  [[nodiscard]] const std::string& first() const { return pages_.empty() ? *next_ : pages_.front().cursor; }

  std::vector<Kept> pages_{};          // fetched and not taken, in order
  std::optional<std::string> next_{};  // the cursor of the page after them
  bool begun_ = false;                 // whether that page is being fetched
  bool asked_ = false;                 // the consumer waits for the first of these
};

}  // namespace tally::detail
