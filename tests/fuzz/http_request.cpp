// The server reads the same requests however their bytes arrive, obeys its limits, and reads a request that
// it has accepted, written in the plainest way, as the same request.
#include <algorithm>
#include <string>
#include <vector>

#include "fake/server/support/request_reading.h"
#include "fuzz.h"

namespace tally::fuzz {

namespace {

using fake::detail::Incoming;

constexpr std::size_t headerLimit = 512;
constexpr std::size_t overhead = 32;  // what each header counts more
constexpr std::size_t bodyLimit = 256;

using Reading = test::RequestReading;

template <class Size>
Reading read(std::string_view bytes, const Size& nextSize) {
  Reading reading = test::readInPieces(bytes, {.header = headerLimit, .body = bodyLimit}, nextSize);
  require(reading.mostWaiting <= headerLimit + 4, "what waits for more is bounded");
  return reading;
}

bool same(const Incoming& a, const Incoming& b) {
  return a.otherMethod == b.otherMethod && a.request.method == b.request.method &&
         a.request.url == b.request.url && a.request.headers == b.request.headers &&
         a.request.body == b.request.body;
}

bool isFraming(const Header& header) {
  const std::string* const found = HttpResponse{.headers = {header}}.header("Content-Length");
  return found != nullptr || HttpResponse{.headers = {header}}.header("Transfer-Encoding") != nullptr;
}

std::string plain(const Incoming& incoming) {
  std::string text{methodOf(incoming)};
  text += ' ' + incoming.request.url + " HTTP/1.1\r\n";
  for (const Header& header : incoming.request.headers)
    if (!isFraming(header)) text += header.name + ": " + header.value + "\r\n";
  return text + "Content-Length: " + std::to_string(incoming.request.body.size()) + "\r\n\r\n" +
         incoming.request.body;
}

void checkOne(const Incoming& incoming) {
  const HttpRequest& request = incoming.request;
  std::size_t size = request.url.size();
  for (const Header& header : request.headers) {
    require(!header.name.empty(), "a header has a name");
    require((header.name + header.value).find_first_of("\r\n") == std::string::npos, "a header is one line");
    size += header.name.size() + header.value.size() + overhead;
  }
  require(size <= headerLimit, "the head obeys its limit");
  require(request.body.size() <= bodyLimit, "the body obeys its limit");
  require(request.url.find_first_of(" \r\n") == std::string::npos, "the target is one word");
  const bool hasHost = std::ranges::any_of(request.headers, [](const Header& header) {
    return HttpResponse{.headers = {header}}.header("Host") != nullptr;
  });
  if (!hasHost || size + overhead + 40 > headerLimit) return;  // of HTTP/1.0, or no room for another length
  Incoming other = incoming;
  std::erase_if(other.request.headers, isFraming);
  const std::string text = plain(incoming);
  Reading again = read(text, [&] { return text.size(); });
  require(!again.refused && again.requests.size() == 1, "a request in its plainest form is one request");
  std::erase_if(again.requests.front().request.headers, isFraming);
  require(same(again.requests.front(), other), "a request in its plainest form is the same");
}

}  // namespace

/// The first byte is a seed for how the others arrive. That affects only when a bad request is refused:
/// Beast may first wait for more.
void test(std::string_view input) {
  Choices choices{input};
  unsigned seed = choices.byte();
  const std::string_view bytes = choices.rest();
  const Reading whole = read(bytes, [&] { return bytes.size(); });
  const Reading pieces =
      read(bytes, [&] { return 1 + (seed = seed * 1'103'515'245U + 12'345U) / 65'536U % 7U; });
  const Reading single = read(bytes, [] { return std::size_t{1}; });
  for (const Reading& other : {pieces, single})
    require(std::ranges::equal(whole.requests, other.requests, same),
            "it does not matter how the bytes arrive");
  for (const Incoming& incoming : whole.requests)
    checkOne(incoming);
}

}  // namespace tally::fuzz
