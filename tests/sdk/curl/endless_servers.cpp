// Servers that never end a response: as fast as the client reads, slowly, or compressed.

#include <utility>

#include "sdk/support/hostile_server.h"

namespace tally::test {

namespace {

using Behaviour = std::function<void(int, Turns&)>;

/// Sends `begin`, and then `more` without end.
Behaviour endless(std::string begin, const std::string& more) {
  std::string many = more;
  while (many.size() < 8'192)
    many += more;
  return inTurns([begin = std::move(begin), more = std::move(many)](int connection, Turns& turns) {
    take(connection, turns);
    if (sendAll(connection, begin)) sendEndlessly(connection, more);
    close(connection);
  });
}

/// The same, byte by byte.
Behaviour slow(std::string begin, std::string more) {
  return inTurns([begin = std::move(begin), more = std::move(more)](int connection, Turns& turns) {
    take(connection, turns);
    bool goesOn = trickle(connection, begin);
    while (goesOn)
      goesOn = trickle(connection, more);
    close(connection);
  });
}

HostileServer tooLarge(std::string name, std::string begin, const std::string& more, std::string says) {
  return {.name = std::move(name),
          .behave = endless(std::move(begin), more),
          .kind = ErrorKind::responseTooLarge,
          .says = std::move(says)};
}

HostileServer late(std::string name, Behaviour behave) {
  return {.name = std::move(name),
          .behave = std::move(behave),
          .kind = ErrorKind::timeout,
          .says = "the request was in flight"};
}

HostileServer makeBomb(std::string encoding, const std::string& begin, const std::string& more) {
  HostileServer server =
      tooLarge(encoding, "HTTP/1.1 200 OK\r\nContent-Encoding: " + encoding + "\r\n\r\n" + begin, more,
               "the response exceeds 1048576 bytes");
  for (char& c : server.name)
    if (c == '-' || c == ',') c = '_';
  std::erase(server.name, ' ');
  server.name += "_bomb";
  return server;
}

const std::string success = "HTTP/1.1 200 OK\r\n";
const std::string chunkedSuccess = success + "Transfer-Encoding: chunked\r\n\r\n";
const std::string manySpaces(16'384, ' ');
const std::string bodyTooLarge = "the response exceeds 1048576 bytes";
const std::string headTooLarge = "the head of the response exceeds";

/// A literal NUL in a block with the fixed code of deflate, and then copies of 258 bytes at distance 1: 13
/// bits each, so that eight of them are 13 bytes. They begin at the 12th bit.
std::string deflated(int copies) {
  std::string bits = "01000110000";  // in the order of the stream: not the last block, fixed code, literal
  for (int i = 0; i < copies; ++i)
    bits += "1100010100000";
  std::string bytes;
  for (std::size_t at = 0; at + 8 <= bits.size(); at += 8) {
    unsigned byte = 0;
    for (std::size_t i = 0; i < 8; ++i)
      byte |= (bits[at + i] == '1' ? 1U : 0U) << i;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

/// 26 bytes are 16 copies, so what follows the first bytes repeats.
const std::string deflateBegin = deflated(1'600).substr(0, 26);
const std::string deflateMore = deflated(1'600).substr(26, 2'574);

std::string bytesOf(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values)
    bytes += static_cast<char>(value);
  return bytes;
}

const std::string gzipHead = bytesOf({0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3});
const std::string zlibHead = bytesOf({0x78, 0x9C});
/// A frame without a size, with a window of 128 KiB.
const std::string zstdHead = bytesOf({0x28, 0xB5, 0x2F, 0xFD, 0, 0x38});
/// 131,072 times the same byte.
const std::string zstdBlock = bytesOf({2, 0, 0x10, 0});
/// 16 MiB of NUL bytes.
const std::string brotli =
    bytesOf({0xCF, 0xFF, 0xFF, 0x7F, 0xF8, 0x27, 0, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x7F});
/// A stored block of deflate without contents: whatever their number, they expand to nothing.
const std::string emptyBlock = bytesOf({0, 0, 0, 0xFF, 0xFF});

}  // namespace

std::vector<HostileServer> endlessServers() {
  return {
      tooLarge("endless_body", success + "\r\n", manySpaces, bodyTooLarge),
      tooLarge("body_of_2_to_63", success + "Content-Length: 9223372036854775807\r\n\r\n", manySpaces,
               bodyTooLarge),
      tooLarge("body_beyond_2_to_64", success + "Content-Length: 99999999999999999999\r\n\r\n", manySpaces,
               bodyTooLarge),
      tooLarge("endless_chunks", chunkedSuccess, "400\r\n" + std::string(1'024, ' ') + "\r\n", bodyTooLarge),
      tooLarge("chunks_of_one_byte", chunkedSuccess, "1\r\n \r\n", bodyTooLarge),
      tooLarge("chunk_of_2_to_63", chunkedSuccess + "7fffffffffffffff\r\n", manySpaces, bodyTooLarge),
      tooLarge("endless_trailers", chunkedSuccess + "0\r\n", "X-More: of the same\r\n", headTooLarge),
      tooLarge("endless_short_headers", success, "A:\r\n", headTooLarge),
      tooLarge("endless_folded_header", success + "A: b\r\n", " c\r\n", headTooLarge),
      tooLarge("endless_line", success + "A: ", manySpaces, "a line in the head of the response exceeds"),
      tooLarge("endless_trailer", chunkedSuccess + "0\r\nA: ", manySpaces, "a line in the head"),
      tooLarge("endless_continues", "", "HTTP/1.1 100 Continue\r\n\r\n", headTooLarge),
      // Nothing of these reaches the callbacks of libcurl, so only the time limit ends them.
      late("endless_chunk_extension", endless(chunkedSuccess + "1;", manySpaces)),
      late("endless_empty_compressed_blocks",
           endless(success + "Content-Encoding: gzip\r\n\r\n" + gzipHead, emptyBlock)),
  };
}

std::vector<HostileServer> slowServers() {
  return {
      late("slow_status_line", slow("HTTP/1.1 200 ", "OK")),
      late("slow_headers", slow(success, "A: b\r\n")),
      late("slow_continues", slow("", "HTTP/1.1 100 Continue\r\n\r\n")),
      late("slow_body", slow(success + "Content-Length: 1000000\r\n\r\n", " ")),
      late("slow_body_without_length", slow(success + "\r\n", " ")),
      late("slow_chunks", slow(chunkedSuccess, "1\r\n \r\n")),
      late("slow_trailers", slow(chunkedSuccess + "0\r\n", "A: b\r\n")),
      late("slow_compressed_body", slow(success + "Content-Encoding: gzip\r\n\r\n" + gzipHead, emptyBlock)),
  };
}

std::vector<HostileServer> compressionBombs() {
  return {
      makeBomb("gzip", gzipHead + deflateBegin, deflateMore),
      makeBomb("deflate", zlibHead + deflateBegin, deflateMore),
      makeBomb("zstd", zstdHead, zstdBlock),
      makeBomb("br", brotli, manySpaces),
      {.name = "more_encodings_than_libcurl_stacks",
       .behave = endless(success + "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\n\r\n",
                         manySpaces),
       .kind = ErrorKind::malformedResponse,
       .says = "Content or Transfer-Encoding"},
      {.name = "unknown_encoding",
       .behave = endless(success + "Content-Encoding: rot13\r\n\r\n", manySpaces),
       .kind = ErrorKind::malformedResponse,
       .says = "Content or Transfer-Encoding"},
  };
}

}  // namespace tally::test
