#pragma once

#include <cstddef>

#include <boost/beast/http/basic_parser.hpp>

#include "site.h"

namespace tally::fake::detail {

/// Reads the bytes of one request straight into what a Site is given.
class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  RequestParser(std::size_t headerLimit, std::size_t bodyLimit);

  [[nodiscard]] const Incoming& incoming() const noexcept { return incoming_; }
  [[nodiscard]] Incoming take() noexcept { return std::move(incoming_); }

  [[nodiscard]] bool isHttp10() const noexcept { return version_ == 10; }
  [[nodiscard]] bool isHead() const noexcept { return incoming_.otherMethod == "HEAD"; }

  /// Whether the sender waits for our consent before it sends the body.
  [[nodiscard]] bool expectsContinue() const noexcept { return expectsContinue_; }

 private:
  using Error = boost::beast::error_code;
  using Text = boost::beast::string_view;

  void on_request_impl(boost::beast::http::verb method, Text name, Text target, int version,
                       Error& error) override;
  void on_response_impl(int code, Text reason, int version, Error& error) override;
  void on_field_impl(boost::beast::http::field field, Text name, Text value, Error& error) override;
  void on_header_impl(Error& error) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Error& error) override;
  std::size_t on_body_impl(Text bytes, Error& error) override;
  void on_chunk_header_impl(std::uint64_t size, Text extensions, Error& error) override;
  std::size_t on_chunk_body_impl(std::uint64_t left, Text bytes, Error& error) override;
  void on_finish_impl(Error& error) override;

  Incoming incoming_{};
  int version_ = 0;
  std::size_t hosts_ = 0;
  bool expectsContinue_ = false;
};

}  // namespace tally::fake::detail
