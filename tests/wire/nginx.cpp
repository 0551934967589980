#include "nginx.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tally::test {

namespace {

// All paths are relative to the folder in which nginx starts.
constexpr std::string_view frame = R"(
daemon off;
@USER@
pid nginx.pid;
error_log error.log;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
@HTTP@
}
)";

std::string framed(std::string_view configuration, std::uint16_t port) {
  // Otherwise, the worker would run as a user without access to the folder.
  std::string text = replaced(std::string{frame}, "@USER@", geteuid() == 0 ? "user root;" : "");
  return replaced(replaced(std::move(text), "@HTTP@", configuration), "@PORT@", std::to_string(port));
}

/// A listening socket on a free port. nginx inherits it as if taking over from another nginx. Therefore no
/// other process can take the port in between, and no test needs to wait until nginx listens.
class ListeningSocket {
 public:
  ListeningSocket() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* named = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_, named, size) != 0 || listen(socket_, SOMAXCONN) != 0 ||
        getsockname(socket_, named, &size) != 0)
      throw std::system_error{errno, std::generic_category(), "listen"};
    port_ = ntohs(address.sin_port);
  }
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;
  ~ListeningSocket() { close(socket_); }

  [[nodiscard]] int get() const noexcept { return socket_; }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
};

/// In a program with threads, only async-signal-safe calls are allowed between fork and exec.
[[noreturn]] void becomeNginx(const char* folder, char* inherited, int socket) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // inherited by its worker
  fcntl(socket, F_SETFD, 0);
  std::array<char*, 2> environment{inherited, nullptr};
  execle(TALLY_NGINX, "nginx", "-p", folder, "-c", "nginx.conf", "-e", "error.log", nullptr,
         environment.data());
  _exit(127);
}

pid_t startNginx(const std::filesystem::path& folder, int socket) {
  std::string inherited = "NGINX=" + std::to_string(socket) + ';';
  const pid_t process = fork();
  if (process == 0) becomeNginx(folder.c_str(), inherited.data(), socket);
  if (process < 0) throw std::system_error{errno, std::generic_category(), "fork"};
  return process;
}

}  // namespace

Nginx::Nginx(const TemporaryFolder& folder, std::string_view configuration) {
  const ListeningSocket socket;
  port_ = socket.port();
  folder.write("nginx.conf", framed(configuration, port_));
  process_ = startNginx(folder.path(), socket.get());
}

Nginx::~Nginx() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

std::string replaced(std::string text, std::string_view name, std::string_view value) {
  return text.replace(text.find(name), name.size(), value);
}

}  // namespace tally::test
