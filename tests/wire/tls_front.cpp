#include "tls_front.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
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

// All paths are in the folder that nginx is started in. A server's port is the
// first part of a path; `$rest` is what follows as it was sent, for nothing that stands in variables is
// decoded, cleaned or encoded anew.
constexpr std::string_view configuration = R"(
daemon off;
@USER@
pid nginx.pid;
error_log error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;
  map $request_uri $port { "~^/(?<number>[0-9]+)/" $number; }
  map $request_uri $rest { "~^/[0-9]+(?<target>/.*)$" $target; }
  server {
    listen 127.0.0.1:@PORT@ ssl http2;
    ssl_certificate server.pem;
    ssl_certificate_key server.key;
    gzip @GZIP@;
    gzip_types application/json;
    gzip_min_length 1;
    add_header Front-Protocol $server_protocol always;
    add_header Front-Connection $connection always;
    merge_slashes off;
    ignore_invalid_headers off;
    underscores_in_headers on;
    client_header_buffer_size 64k;
    large_client_header_buffers 8 128k;
    client_max_body_size 0;
    client_body_buffer_size 1m;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    location / {
      proxy_pass http://127.0.0.1:$port$rest;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_next_upstream off;
      proxy_buffering off;
      proxy_buffer_size 128k;
      proxy_buffers 8 128k;
      proxy_read_timeout 1h;
      proxy_send_timeout 1h;
      proxy_pass_header Date;
      proxy_pass_header Server;
    }
  }
}
)";

std::string replaced(std::string text, std::string_view name, std::string_view value) {
  return text.replace(text.find(name), name.size(), value);
}

std::string configured(const TlsFrontOptions& options, std::uint16_t port) {
  std::string text = replaced(std::string{configuration}, "@PORT@", std::to_string(port));
  // Its worker would be somebody who may not read the folder.
  text = replaced(std::move(text), "@USER@", geteuid() == 0 ? "user root;" : "");
  return replaced(std::move(text), "@GZIP@", options.compressed ? "on" : "off");
}

/// A socket that listens on a port of its own. nginx is given it as if by an nginx that it takes over from,
/// so that no other process can have taken the port meanwhile, and nobody has to wait until nginx listens.
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

/// Only what may be done between fork and exec in a program with threads.
[[noreturn]] void becomeNginx(const char* folder, char* inherited, int socket) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // which it passes on to its worker
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

TlsFront::TlsFront(const TlsFrontOptions& options) {
  const Identity own = authority_.issue();
  const ListeningSocket socket;
  port_ = socket.port();
  folder_.write("server.pem", own.certificate);
  folder_.write("server.key", own.key);
  folder_.write("nginx.conf", configured(options, port_));
  process_ = startNginx(folder_.path(), socket.get());
}

TlsFront::~TlsFront() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

std::string TlsFront::url(std::uint16_t serverPort) const {
  return "https://localhost:" + std::to_string(port_) + '/' + std::to_string(serverPort);
}

}  // namespace tally::test
