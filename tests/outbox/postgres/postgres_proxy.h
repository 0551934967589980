#pragma once

#include <array>
#include <condition_variable>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include "outbox/postgres/message_splitter.h"
#include "wire/temporary_folder.h"

namespace tally::test {

/// Where a connection is cut: at a message of one side, counted over all connections from 1.
struct PostgresCut {
  enum class From { client, server };
  enum class How {
    before,  // the message is not delivered
    after,   // the message is delivered
    late,  // of a client: it and the rest of its statement are delivered after the next statement of a later
           // connection has ended, before the client of that one knows
  };

  From from = From::client;
  How how = How::before;
  std::string_view types{};  // of the messages that are counted; empty: all
  int message = 0;

  friend std::ostream& operator<<(std::ostream& out, const PostgresCut& cut) {
    constexpr std::array hows{"before", "after", "late, at"};
    return out << hows.at(static_cast<std::size_t>(cut.how)) << " message " << cut.types << cut.message
               << (cut.from == From::client ? " of the client" : " of the server");
  }
};

/// Stands between clients and a server on local sockets, in a thread of its own. Cuts one connection.
/// Thread-safe.
class PostgresProxy {
 public:
  /// `server`: the folder of its socket.
  explicit PostgresProxy(std::filesystem::path server);
  PostgresProxy(const PostgresProxy&) = delete;
  PostgresProxy& operator=(const PostgresProxy&) = delete;
  ~PostgresProxy();

  /// The folder of the socket for clients: `host` in a connection string.
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }

  /// Before the first connection. `freezes`: after the cut, nothing of any client is delivered until thaw().
  void cutAt(PostgresCut cut, bool freezes = false);
  [[nodiscard]] bool hasCut() const;

  /// Blocks until a client waits for thaw(). False if clientsEnd() is called instead.
  [[nodiscard]] bool awaitFrozenClient();
  /// No client will do anything more.
  void clientsEnd();
  void thaw();

  /// Cuts all connections, and uses another server from now on.
  void redirect(std::filesystem::path server);

 private:
  using From = PostgresCut::From;
  using How = PostgresCut::How;

  struct Connection {
    int number = 0;
    int client = -1;
    int server = -1;
    MessageSplitter fromClient{true};
    MessageSplitter fromServer{false};
    std::string held{};  // of a statement that is late
    bool isLate = false;
    int statementsEnded = 0;  // and one more, since the server says so at the start too
  };

  void run();
  void accept();
  void relay(Connection& connection, From from);
  [[nodiscard]] bool isCutHere(From from, char type);
  void cut(Connection& connection, From from, std::string passed, const PostgresMessage& message);
  void hold(Connection& connection, const PostgresMessage& message);
  void deliverLate(const Connection& next);
  [[nodiscard]] bool holdsBack(int client);
  void closeAll();
  void close(Connection& connection);
  void wake() const;

  TemporaryFolder folder_{};
  int listener_ = -1;
  std::array<int, 2> wake_{-1, -1};

  mutable std::mutex mutex_;
  std::condition_variable changed_{};
  std::filesystem::path server_;
  std::list<Connection> connections_{};
  int accepted_ = 0;
  int count_ = 0;  // of the messages that count
  std::optional<PostgresCut> cut_{};
  bool freezes_ = false;
  bool hasCut_ = false;
  bool isFrozen_ = false;
  bool isClientWaiting_ = false;
  bool haveClientsEnded_ = false;
  bool isOver_ = false;

  std::thread thread_{};
};

}  // namespace tally::test
