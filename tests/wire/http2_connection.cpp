#include "http2_connection.h"

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace tally::test {

namespace {

constexpr std::size_t prefaceSize = 24;
constexpr std::size_t frameHeadSize = 9;

std::string bigEndian(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = size; i-- > 0;)
    bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return bytes;
}

std::uint32_t number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes)
    value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

/// An integer of HPACK with a prefix of 7 bits.
std::string lengthOf(std::size_t size) {
  constexpr std::size_t most = 127;
  if (size < most) return std::string(1, static_cast<char>(size));
  std::string bytes(1, static_cast<char>(most));
  for (size -= most; size >= 128; size /= 128)
    bytes += static_cast<char>(size % 128 + 128);
  return bytes += static_cast<char>(size);
}

bool has(const Http2Frame& frame, Http2Frame::Flag flag) {
  return (frame.flags & flag) != 0;
}

/// Status 200 and the size of the body.
Http2Frame headOf(std::uint32_t stream, std::size_t size) {
  // HPACK: `:status 200` is entry 8 of the static table, `content-length` is entry 28.
  const std::string length = std::to_string(size);
  return {.type = Http2Frame::headers,
          .flags = Http2Frame::endHeaders,
          .stream = stream,
          .payload = "\x88\x0F\x0D" + bigEndian(length.size(), 1) + length};
}

}  // namespace

std::string Http2Frame::bytes() const {
  return bigEndian(payload.size(), 3) + static_cast<char>(type) + static_cast<char>(flags) +
         bigEndian(stream, 4) + payload;
}

Http2Connection::Http2Connection(int connection, const Identity& identity)
    : tls_(connection, identity, "h2") {
  (void)take(prefaceSize);
  send({.type = Http2Frame::settings});
}

std::string Http2Connection::take(std::size_t size) {
  while (received_.size() < size) {
    const std::string more = tls_.receive();
    if (more.empty()) return std::exchange(received_, {});
    received_ += more;
  }
  std::string bytes = received_.substr(0, size);
  received_.erase(0, size);
  return bytes;
}

std::optional<Http2Frame> Http2Connection::receive() {
  while (true) {
    const std::string head = take(frameHeadSize);
    if (head.size() < frameHeadSize) return std::nullopt;
    const std::string_view parts{head};
    Http2Frame frame{.type = static_cast<Http2Frame::Type>(head[3]),
                     .flags = static_cast<unsigned char>(head[4]),
                     .stream = number(parts.substr(5)),
                     .payload = take(number(parts.substr(0, 3)))};
    if (frame.type == Http2Frame::data || frame.type == Http2Frame::headers) return frame;
    if (frame.type == Http2Frame::settings && !has(frame, Http2Frame::acknowledged))
      send({.type = Http2Frame::settings, .flags = Http2Frame::acknowledged});
  }
}

std::uint32_t Http2Connection::receiveHead() {
  while (const auto frame = receive())
    if (frame->type == Http2Frame::headers) {
      wholeRequest_ = has(*frame, Http2Frame::endStream);
      return frame->stream;
    }
  return 0;
}

bool Http2Connection::receiveRest() {
  while (!wholeRequest_) {
    const auto frame = receive();
    if (!frame) return false;
    wholeRequest_ = has(*frame, Http2Frame::endStream);
  }
  return true;
}

std::uint32_t Http2Connection::receiveRequest() {
  const std::uint32_t stream = receiveHead();
  return stream != 0 && receiveRest() ? stream : 0;
}

bool Http2Connection::send(const Http2Frame& frame) {
  return tls_.send(frame.bytes());
}

void Http2Connection::sendHead(std::uint32_t stream, std::size_t size) {
  send(headOf(stream, size));
}

void Http2Connection::sendLongHead(std::uint32_t stream, const std::string& status, int lines,
                                   std::size_t size) {
  constexpr std::size_t largestFrame = 16'384;
  // HPACK: literals without indexing, with the name of entry 8, `:status`, or a new name.
  std::string block = '\x08' + lengthOf(status.size()) + status;
  for (int i = 0; i < lines; ++i)
    block += '\0' + lengthOf(6) + "x-more" + lengthOf(size) + std::string(size, 'x');
  auto type = Http2Frame::headers;
  for (std::size_t at = 0; at < block.size(); at += largestFrame) {
    const bool isLast = block.size() - at <= largestFrame;
    send({.type = std::exchange(type, Http2Frame::continuation),
          .flags = isLast ? Http2Frame::endHeaders : Http2Frame::none,
          .stream = stream,
          .payload = block.substr(at, largestFrame)});
  }
}

void Http2Connection::sendResponse(std::uint32_t stream, const std::string& body) {
  sendBytes(responseBytes(stream, body));
}

std::string Http2Connection::responseBytes(std::uint32_t stream, const std::string& body) {
  return headOf(stream, body.size()).bytes() +
         Http2Frame{
             .type = Http2Frame::data, .flags = Http2Frame::endStream, .stream = stream, .payload = body}
             .bytes();
}

void Http2Connection::sendReset(std::uint32_t stream, Http2Frame::Code code) {
  send({.type = Http2Frame::rstStream, .stream = stream, .payload = bigEndian(code, 4)});
}

void Http2Connection::sendGoAway(std::uint32_t last, Http2Frame::Code code) {
  sendBytes(goAwayBytes(last, code));
}

std::string Http2Connection::goAwayBytes(std::uint32_t last, Http2Frame::Code code) {
  return Http2Frame{.type = Http2Frame::goAway, .payload = bigEndian(last, 4) + bigEndian(code, 4)}.bytes();
}

}  // namespace tally::test
