#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "sqlite/sqlite_tables.h"

namespace tally::detail {

/// SqliteTables: the place of a parked head.
inline constexpr std::uint64_t parkedPlace = 3;

/// A time as the tables have it.
[[nodiscard]] inline std::uint64_t nanosecondsOf(Instant time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.time_since_epoch().count(), 0));
}

/// A report, for decisions.
struct SqliteTables::Row {
  std::uint64_t id = 0;
  std::string domain{};
  std::string object{};
  bool waits = false;  // for a time or a person
  bool isParked = false;
  bool isHead = false;
  std::string outcome{};
  std::uint64_t retriedBy = 0;
  bool mayHaveBeenSent = false;
};

/// A kept statement in use. Reset at the end, so that it keeps no snapshot.
class SqliteTables::Use {
 public:
  explicit Use(SqliteStatement& statement) : statement_(statement) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { statement_.reset(); }

  /// Binds texts, which must live as long, and numbers.
  template <class... Values>
  Use& with(const Values&... values) {
    int at = 0;
    (statement_.bind(++at, values), ...);
    return *this;
  }

  [[nodiscard]] bool step() { return statement_.step(); }
  void run() { statement_.run(); }
  [[nodiscard]] bool isNull(int column) const { return statement_.isNull(column); }
  [[nodiscard]] std::string text(int column) const { return statement_.text(column); }
  [[nodiscard]] std::uint64_t positive(int column) const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(statement_.number(column), 0));
  }

 private:
  SqliteStatement& statement_;
};

}  // namespace tally::detail
