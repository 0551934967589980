#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tally/attempt.h>
#include <tally/error.h>

namespace tally::detail {

/// What came of asking for a page: its body, undecoded, or the error of the call.
struct RawPage {
  std::optional<Error> error{};
  std::string body{};
  /// The cursor of the page behind it, as far as it can be told; null: there is none, or no telling.
  std::optional<std::string> next{};
  std::vector<Attempt> trail{};
};

/// Decides which page of a walk is fetched when: the one that the walker waits for, and then one more, which
/// stays until it is asked for. Told what happens; fetches nothing and waits for nobody.
class PagesAhead {
 public:
  PagesAhead() { pages_.reserve(most); }

  /// The walker waits for the page of that cursor. False: what is on its way is another one.
  [[nodiscard]] bool ask(const std::string& cursor);

  /// Whether a page is to be fetched now.
  [[nodiscard]] bool hasNext() const noexcept;

  /// Begins with it: its cursor, which stays where it is until the page is fetched(); null if there is none.
  [[nodiscard]] const std::string* begin() noexcept;

  /// The page that was begun has come. Takes no memory.
  void fetched(RawPage page);

  /// Whether the page that was asked for is there.
  [[nodiscard]] bool here() const noexcept { return asked_ && !pages_.empty(); }

  /// That page, which is the walker's from now on.
  [[nodiscard]] RawPage take();

 private:
  static constexpr std::size_t most = 2;  // the one that is waited for, and one more

  struct Kept {
    std::string cursor{};
    RawPage page{};
  };

  [[nodiscard]] const std::string& first() const { return pages_.empty() ? *next_ : pages_.front().cursor; }

  std::vector<Kept> pages_{};          // fetched and not taken, in the order of the walk
  std::optional<std::string> next_{};  // the cursor of the page behind them
  bool begun_ = false;                 // and whether it is being fetched
  bool asked_ = false;                 // somebody waits for the first of all these
};

}  // namespace tally::detail
