#include "net/request_parser.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

#include "text/ascii.h"

namespace tally::fake::detail {

namespace http = boost::beast::http;

namespace {

constexpr std::string_view emptyLine = "\r\n";
// About the memory of a header without its texts; as much as HTTP/2 counts.
constexpr std::size_t overhead = 32;

}  // namespace

RequestParser::RequestParser(std::size_t headerLimit, std::size_t bodyLimit) : headerLimit_(headerLimit) {
  constexpr std::size_t greatest = std::numeric_limits<std::uint32_t>::max();
  header_limit(static_cast<std::uint32_t>(std::min(headerLimit, greatest)));
  body_limit(bodyLimit);
  eager(true);
}

/// Whether `bytes` begins with an empty line or part of one.
bool RequestParser::mayOverlook(std::string_view bytes) const {
  return !overlooked_ && !got_some() && !bytes.empty() && emptyLine.starts_with(bytes.substr(0, 2));
}

std::size_t RequestParser::read(std::string_view bytes, Error& error) {
  if (mayOverlook(bytes)) {
    if (bytes.size() < emptyLine.size()) return 0;
    overlooked_ = true;
    return emptyLine.size() + read(bytes.substr(emptyLine.size()), error);
  }
  if (bytes.empty() || mayBePartOfLastChunk(*this, bytes)) return 0;
  bytes_ = bytes;
  const std::size_t taken = put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (error != http::error::need_more) return taken;
  error = {};
  // Unparsed bytes belong to the head or to data between chunks. Neither may grow without limit.
  if (bytes.size() - taken > headerLimit_) error = http::error::header_limit;
  return taken;
}

/// The limit of Beast applies only to the bytes of one call.
void RequestParser::count(std::size_t bytes, Error& error) {
  headSize_ += bytes;
  if (headSize_ > headerLimit_) error = http::error::header_limit;
}

void RequestParser::on_request_impl(http::verb method, Text name, Text target, int version, Error& error) {
  version_ = version;
  if (method == http::verb::post) incoming_.request.method = Method::post;
  if (method != http::verb::post && method != http::verb::get) incoming_.otherMethod = std::string{name};
  incoming_.request.url = std::string{target};
  count(name.size() + target.size(), error);
}

void RequestParser::on_field_impl(http::field field, Text name, Text value, Error& error) {
  if (is_header_done()) return;  // trailers, which are ignored
  checkFraming(field, value, error);
  if (isFolded(name, value)) error = http::error::bad_value;
  if (!error) count(name.size() + value.size() + overhead, error);
  if (error) return;
  if (field == http::field::host) ++hosts_;
  if (field == http::field::expect) expectsContinue_ = boost::beast::iequals(value, "100-continue");
  incoming_.request.headers.push_back({std::string{name}, std::string{value}});
}

/// Whether a value spans several lines. Beast then skips the line break, or joins the lines in another
/// buffer.
bool RequestParser::isFolded(Text name, Text value) const {
  const char* const begin = name.data() + name.size();
  const char* const end = bytes_.data() + bytes_.size();
  if (std::less<>{}(value.data(), begin) || std::less<>{}(end, value.data())) return true;
  return std::find(begin, value.data(), '\n') != value.data();
}

/// Prevents request smuggling: proxies must agree on the end of a request. Allows one numeric length, or only
/// `chunked`.
void RequestParser::checkFraming(http::field field, Text value, Error& error) {
  if (field == http::field::content_length &&
      (++lengths_ > 1 || !std::ranges::all_of(value, tally::detail::isDigit)))
    error = http::error::bad_content_length;
  if (field == http::field::transfer_encoding && (isHttp10() || !boost::beast::iequals(value, "chunked")))
    error = http::error::bad_transfer_encoding;
}

/// HTTP/1.1 requires exactly one Host header, so that the recipient is never ambiguous.
void RequestParser::on_header_impl(Error& error) {
  if (hosts_ > 1 || (hosts_ == 0 && version_ == 11)) error = http::error::bad_field;
}

std::size_t RequestParser::on_body_impl(Text bytes, Error&) {
  incoming_.request.body.append(bytes.data(), bytes.size());
  return bytes.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, Text bytes, Error& error) {
  return on_body_impl(bytes, error);
}

}  // namespace tally::fake::detail
