#include "request_parser.h"

#include <string>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

namespace tally::fake::detail {

namespace http = boost::beast::http;

RequestParser::RequestParser(std::size_t headerLimit, std::size_t bodyLimit) {
  header_limit(static_cast<std::uint32_t>(headerLimit));
  body_limit(bodyLimit);
  eager(true);
}

void RequestParser::on_request_impl(http::verb method, Text name, Text target, int version, Error&) {
  version_ = version;
  if (method == http::verb::post) incoming_.request.method = Method::post;
  if (method != http::verb::post && method != http::verb::get) incoming_.otherMethod = std::string{name};
  incoming_.request.url = std::string{target};
}

void RequestParser::on_response_impl(int, Text, int, Error&) {}

void RequestParser::on_field_impl(http::field field, Text name, Text value, Error&) {
  if (field == http::field::host) ++hosts_;
  if (field == http::field::expect) expectsContinue_ = boost::beast::iequals(value, "100-continue");
  incoming_.request.headers.push_back({std::string{name}, std::string{value}});
}

/// HTTP/1.1 wants a host, and only one, so that it is never in doubt for whom a request was meant.
void RequestParser::on_header_impl(Error& error) {
  if (hosts_ > 1 || (hosts_ == 0 && version_ == 11)) error = http::error::bad_field;
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) {}

std::size_t RequestParser::on_body_impl(Text bytes, Error&) {
  incoming_.request.body.append(bytes.data(), bytes.size());
  return bytes.size();
}

void RequestParser::on_chunk_header_impl(std::uint64_t, Text, Error&) {}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, Text bytes, Error& error) {
  return on_body_impl(bytes, error);
}

void RequestParser::on_finish_impl(Error&) {}

}  // namespace tally::fake::detail
