#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "har/exchange.h"
#include "har/exchange_redactor.h"

namespace tally::detail {

/// In which order recorded requests may be sent again.
enum class ReplayOrder : std::uint8_t {
  any,     // equal requests get their responses in the recorded order, then the last one again
  strict,  // each request must be the next recorded one
};

/// Why a request has no recorded response.
struct NotRecorded {
  std::string message{};
};

/// The requests of a recording, and where in the file their exchanges are. Thread-safe.
class RecordingIndex {
 public:
  /// Reads the whole file once, and then keeps it open. Throws std::runtime_error, with its name, the problem
  /// and the place, if it is not HAR.
  RecordingIndex(std::string file, ReplayOrder order);

  /// The exchange that was recorded for an equal request: by method, path, query, connected account and body.
  /// Secrets don't count, as they are not recorded. Throws std::runtime_error if the file has changed.
  [[nodiscard]] std::variant<Exchange, NotRecorded> next(const Exchange& request);

  [[nodiscard]] std::size_t count() const noexcept { return places_.size(); }
  /// Whether the recording ends too early.
  [[nodiscard]] bool cutOff() const noexcept { return cutOff_; }

 private:
  struct Place {
    std::uint64_t at = 0;
    std::size_t size = 0;
  };
  /// Equal requests.
  struct Series {
    std::vector<std::size_t> numbers{};  // of their exchanges
    std::size_t next = 0;
  };

  void read();
  [[nodiscard]] std::string keyOf(const Exchange& exchange);
  [[nodiscard]] std::variant<std::size_t, NotRecorded> find(const std::string& key);
  [[nodiscard]] std::variant<std::size_t, NotRecorded> nextInOrder(const std::string& key);
  [[nodiscard]] std::string closestTo(std::string_view head) const;
  [[nodiscard]] Exchange load(std::size_t number);

  const std::string name_;
  const ReplayOrder order_;
  std::mutex mutex_{};
  std::ifstream file_;
  bool cutOff_ = false;
  std::optional<ExchangeRedactor> redactor_{};
  std::vector<Place> places_{};
  std::map<std::string, Series, std::less<>> series_{};
  std::vector<std::string_view> keys_{};  // of the exchanges, in order
  std::size_t done_ = 0;                  // in strict order
};

}  // namespace tally::detail
