#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "platform/socket_wait.h"
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

  std::function<void(std::string_view domain)> wake_;
  PostgresSession database_;
  StoppableWait wait_{};
  std::thread thread_{};
};

}  // namespace tally::detail
