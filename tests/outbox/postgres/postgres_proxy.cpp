#include "outbox/postgres/postgres_proxy.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tally::test {

namespace {

namespace fs = std::filesystem;

int required(int result, const char* what) {
  if (result == -1) throw std::system_error{errno, std::generic_category(), what};
  return result;
}

sockaddr_un socketIn(const fs::path& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder / ".s.PGSQL.5432";
  path.copy(std::data(address.sun_path), sizeof(address.sun_path) - 1);
  return address;
}

int newSocket() {
  return required(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
}

/// -1 if there is no server.
int connectTo(const fs::path& server) {
  const sockaddr_un address = socketIn(server);
  const int made = newSocket();
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  ::close(made);
  return -1;
}

/// What fails is seen when the connection is read next.
void sendAll(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Empty once the other side has closed.
std::string received(int from) {
  std::array<char, 65'536> buffer{};
  const ssize_t count = ::recv(from, buffer.data(), buffer.size(), 0);
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

// Types of messages.
constexpr char terminate = 'X';
constexpr char sync = 'S';
constexpr char query = 'Q';
constexpr char readyForQuery = 'Z';

}  // namespace

PostgresProxy::PostgresProxy(fs::path server) : listener_(newSocket()), server_(std::move(server)) {
  required(::pipe2(wake_.data(), O_CLOEXEC | O_NONBLOCK), "pipe2");
  const sockaddr_un address = socketIn(folder());
  required(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
  required(::listen(listener_, 16), "listen");
  thread_ = std::thread{[this] { run(); }};
}

PostgresProxy::~PostgresProxy() {
  {
    const std::lock_guard lock{mutex_};
    isOver_ = true;
  }
  wake();
  thread_.join();
  closeAll();
  for (const int descriptor : {listener_, wake_[0], wake_[1]})
    ::close(descriptor);
}

void PostgresProxy::wake() const {
  (void)!::write(wake_[1], "", 1);
}

// ---- What tests ask for

void PostgresProxy::cutAt(PostgresCut cut, bool freezes) {
  const std::lock_guard lock{mutex_};
  cut_ = cut;
  freezes_ = freezes;
}

bool PostgresProxy::hasCut() const {
  const std::lock_guard lock{mutex_};
  return hasCut_;
}

bool PostgresProxy::awaitFrozenClient() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return isClientWaiting_ || haveClientsEnded_; });
  return isClientWaiting_;
}

void PostgresProxy::clientsEnd() {
  const std::lock_guard lock{mutex_};
  haveClientsEnded_ = true;
  changed_.notify_all();
}

void PostgresProxy::thaw() {
  {
    const std::lock_guard lock{mutex_};
    isFrozen_ = false;
    freezes_ = false;
    isClientWaiting_ = false;
  }
  wake();
}

void PostgresProxy::redirect(fs::path server) {
  {
    const std::lock_guard lock{mutex_};
    closeAll();
    server_ = std::move(server);
  }
  wake();
}

// ---- The thread

void PostgresProxy::run() {
  while (true) {
    std::vector<pollfd> ends{{.fd = wake_[0], .events = POLLIN, .revents = 0}};
    std::vector<std::pair<Connection*, From>> whose;
    {
      const std::lock_guard lock{mutex_};
      if (isOver_) return;
      if (!isClientWaiting_) {
        ends.push_back({.fd = listener_, .events = POLLIN, .revents = 0});
        for (Connection& one : connections_)
          for (const From from : {From::client, From::server}) {
            ends.push_back(
                {.fd = from == From::client ? one.client : one.server, .events = POLLIN, .revents = 0});
            whose.emplace_back(&one, from);
          }
      }
    }
    required(::poll(ends.data(), ends.size(), -1), "poll");
    for (std::array<char, 16> ignored{}; ::read(wake_[0], ignored.data(), ignored.size()) > 0;) {
    }
    const std::lock_guard lock{mutex_};
    for (std::size_t at = 0; at < whose.size(); ++at)
      if (ends[at + 2].revents != 0) relay(*whose[at].first, whose[at].second);
    std::erase_if(connections_, [](const Connection& one) { return one.server == -1; });
    if (ends.size() > 1 && ends[1].revents != 0) accept();
  }
}

/// While frozen, what a client begins waits for thaw(). What it ends, it ends.
bool PostgresProxy::holdsBack(int client) {
  if (!isFrozen_) return false;
  char type = terminate;
  if (client != -1 && (::recv(client, &type, 1, MSG_PEEK) <= 0 || type == terminate)) return false;
  isClientWaiting_ = true;
  changed_.notify_all();
  return true;
}

void PostgresProxy::accept() {
  if (holdsBack(-1)) return;
  Connection made{.number = ++accepted_,
                  .client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC),
                  .server = connectTo(server_)};
  if (made.client != -1 && made.server != -1) {
    connections_.push_back(std::move(made));
  } else {
    close(made);
  }
}

void PostgresProxy::relay(Connection& connection, From from) {
  const bool isClient = from == From::client;
  const int in = isClient ? connection.client : connection.server;
  if (in == -1 || (isClient && !connection.isLate && holdsBack(in))) return;
  const std::string bytes = received(in);
  if (bytes.empty()) return close(connection);
  MessageSplitter& splitter = isClient ? connection.fromClient : connection.fromServer;
  splitter.append(bytes);
  std::string passed;
  while (const auto message = splitter.next()) {
    if (connection.isLate) {
      hold(connection, *message);
    } else if (isCutHere(from, message->type)) {
      return cut(connection, from, std::move(passed), *message);
    } else {
      passed += message->bytes;
      if (!isClient && message->type == readyForQuery && ++connection.statementsEnded == 2)
        deliverLate(connection);
    }
  }
  sendAll(isClient ? connection.server : connection.client, passed);
}

bool PostgresProxy::isCutHere(From from, char type) {
  if (!cut_ || hasCut_ || from != cut_->from) return false;
  if (!cut_->types.empty() && cut_->types.find(type) == std::string_view::npos) return false;
  return ++count_ == cut_->message;
}

void PostgresProxy::cut(Connection& connection, From from, std::string passed,
                        const PostgresMessage& message) {
  hasCut_ = true;
  isFrozen_ = freezes_;
  if (cut_->how == How::after) passed += message.bytes;
  sendAll(from == From::client ? connection.server : connection.client, passed);
  if (cut_->how != How::late) return close(connection);
  connection.isLate = true;
  hold(connection, message);
  while (const auto next = connection.fromClient.next())
    hold(connection, *next);
}

/// The client is cut off once the whole statement is here.
void PostgresProxy::hold(Connection& connection, const PostgresMessage& message) {
  connection.held += message.bytes;
  if (message.type == sync || message.type == query) ::close(std::exchange(connection.client, -1));
}

/// The next statement of another connection has ended.
void PostgresProxy::deliverLate(const Connection& next) {
  for (Connection& late : connections_) {
    if (!late.isLate || late.client != -1 || late.number >= next.number || late.server == -1) continue;
    sendAll(late.server, late.held);
    for (bool hasEnded = false; !hasEnded;) {
      const std::string reply = received(late.server);
      late.fromServer.append(reply);
      hasEnded = reply.empty();
      while (const auto message = late.fromServer.next())
        hasEnded = hasEnded || message->type == readyForQuery;
    }
    close(late);
  }
}

void PostgresProxy::close(Connection& connection) {
  for (int* const end : {&connection.client, &connection.server})
    if (const int open = std::exchange(*end, -1); open != -1) ::close(open);
}

void PostgresProxy::closeAll() {
  for (Connection& one : connections_)
    close(one);
}

}  // namespace tally::test
