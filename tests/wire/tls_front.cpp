#include "tls_front.h"

#include <string_view>

namespace tally::test {

namespace {

// The first part of a path is a server's port. `$rest` is the remainder as sent, because nginx does not
// decode, normalize or re-encode variables.
constexpr std::string_view configuration = R"(
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
)";

std::string configured(const TlsFrontOptions& options) {
  return replaced(std::string{configuration}, "@GZIP@", options.compressed ? "on" : "off");
}

/// Adds the certificate that nginx presents, and returns the folder.
TemporaryFolder& withIdentity(TemporaryFolder& folder, const Authority& authority) {
  const Identity own = authority.issue();
  folder.write("server.pem", own.certificate);
  folder.write("server.key", own.key);
  return folder;
}

}  // namespace

TlsFront::TlsFront(const TlsFrontOptions& options)
    : nginx_(withIdentity(folder_, authority_), configured(options)) {}

std::string TlsFront::url(std::uint16_t serverPort) const {
  return "https://localhost:" + std::to_string(nginx_.port()) + '/' + std::to_string(serverPort);
}

}  // namespace tally::test
