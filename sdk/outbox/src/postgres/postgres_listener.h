#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "postgres/postgres_session.h"

namespace tally::detail {

/// Listens on the channel `tally`, in a thread of its own. Connects again after a pause if the connection is
/// lost: workers poll as well, so nothing depends on it.
class PostgresListener {
 public:
  PostgresListener(std::string url, std::function<void(std::string_view domain)> wake);
  PostgresListener(const PostgresListener&) = delete;
  PostgresListener& operator=(const PostgresListener&) = delete;
  ~PostgresListener();

 private:
  void run();
  void listen();
  [[nodiscard]] bool awaitInput(int socket, int milliseconds) const;

  std::function<void(std::string_view domain)> wake_;
  PostgresSession database_;
  std::array<int, 2> stop_{-1, -1};  // a pipe, whose second end is closed to stop
  std::thread thread_{};
};

}  // namespace tally::detail
