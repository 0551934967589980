#pragma once

#include <cstddef>
#include <string_view>

#include <boost/beast/http/basic_parser.hpp>

#include "net/handler.h"

namespace tally::fake::detail {

/// Whether `bytes`, the next ones, may be a part of the last chunk. Beast asserts that it is not given one
/// twice, so they have to wait for more.
template <bool isRequest>
[[nodiscard]] bool mayBePartOfLastChunk(const boost::beast::http::basic_parser<isRequest>& parser,
                                        std::string_view bytes) {
  constexpr std::string_view lastChunk = "0\r\n\r\n";
  return parser.is_header_done() && !parser.is_done() && parser.chunked() && bytes.starts_with('0') &&
         bytes.size() < lastChunk.size();
}

/// Parses the bytes of one request directly into an Incoming. Stricter than Beast: prevents request
/// smuggling, and bounds the head and the data between chunks.
class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  /// `headerLimit` applies to the request line and the headers together. Each header counts 32 bytes more.
  RequestParser(std::size_t headerLimit, std::size_t bodyLimit);

  /// Continues parsing, until is_done(). Returns the number of bytes consumed; pass the others again,
  /// followed by more. Ignores one empty line before the request, as HTTP recommends.
  [[nodiscard]] std::size_t read(std::string_view bytes, boost::beast::error_code& error);

  [[nodiscard]] Incoming take() noexcept { return std::move(incoming_); }

  [[nodiscard]] bool isHttp10() const noexcept { return version_ == 10; }
  [[nodiscard]] bool isHead() const noexcept { return incoming_.otherMethod == "HEAD"; }

  /// Whether the sender waits for `100 Continue` before it sends the body.
  [[nodiscard]] bool expectsContinue() const noexcept { return expectsContinue_ && !isHttp10(); }

 private:
  using Error = boost::beast::error_code;
  using Text = boost::beast::string_view;

  void on_request_impl(boost::beast::http::verb method, Text name, Text target, int version,
                       Error& error) override;
  void on_response_impl(int, Text, int, Error&) override {}
  void on_field_impl(boost::beast::http::field field, Text name, Text value, Error& error) override;
  void on_header_impl(Error& error) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(Text bytes, Error& error) override;
  void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t left, Text bytes, Error& error) override;
  void on_finish_impl(Error&) override {}

  [[nodiscard]] bool mayOverlook(std::string_view bytes) const;
  [[nodiscard]] bool isFolded(Text name, Text value) const;
  void checkFraming(boost::beast::http::field field, Text value, Error& error);
  void count(std::size_t bytes, Error& error);

  Incoming incoming_{};
  std::string_view bytes_{};  // the input of the current call
  std::size_t headerLimit_;
  std::size_t headSize_ = 0;
  int version_ = 0;
  std::size_t hosts_ = 0;
  std::size_t lengths_ = 0;
  bool overlooked_ = false;  // has ignored an empty line
  bool expectsContinue_ = false;
};

}  // namespace tally::fake::detail
