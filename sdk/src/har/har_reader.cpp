#include "har/har_reader.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "json/json_cursor.h"
#include "text/ascii.h"
#include "text/base64.h"
#include "text/decimal.h"
#include "text/url.h"
#include "time/rfc3339.h"

namespace tally::detail {

namespace {

using std::chrono::nanoseconds;

/// Text that may be in base64.
struct EncodedText {
  std::string text{};
  std::string encoding{};
};

/// Reads one entry, member by member, in any order.
class EntryReader {
 public:
  /// Strings are unescaped in `buffer`, which must outlive this and keeps its memory for the next entry.
  EntryReader(std::string_view text, std::string& buffer)
      : cursor_(text, std::move(buffer)), buffer_(buffer) {}
  ~EntryReader() { buffer_ = cursor_.releaseBuffer(); }

  EntryReader(const EntryReader&) = delete;
  EntryReader& operator=(const EntryReader&) = delete;

  [[nodiscard]] Exchange read() {
    object([this](std::string_view name) { entryMember(name); });
    if (exchange_.method.empty()) throw HarError{"no request.method"};
    if (exchange_.url.empty()) throw HarError{"no request.url"};
    return std::move(exchange_);
  }

  /// How much of the text has been read.
  [[nodiscard]] std::size_t size() const noexcept { return cursor_.position(); }

 private:
  void entryMember(std::string_view name) {
    if (name == "startedDateTime") {
      exchange_.startedAt = time();
    } else if (name == "time") {
      exchange_.duration = duration();
    } else if (name == "request") {
      object([this](std::string_view member) { requestMember(member); });
    } else if (name == "response") {
      HttpResponse response = readResponse();
      exchange_.status = response.status;
      exchange_.responseHeaders = std::move(response.headers);
      exchange_.responseBody = std::move(response.body);
    } else if (name == "_fault") {
      object([this](std::string_view member) { faultMember(member); });
    } else {
      skip();
    }
  }

  void requestMember(std::string_view name) {
    if (name == "method") {
      exchange_.method = text();
    } else if (name == "url") {
      exchange_.url = text();
    } else if (name == "headers") {
      exchange_.requestHeaders = headers();
    } else if (name == "postData") {
      exchange_.requestBody = postData();
    } else {
      skip();
    }
  }

  void faultMember(std::string_view name) {
    if (name == "name") {
      exchange_.fault = text();
    } else if (name == "response") {
      exchange_.upstream = readResponse();
    } else {
      skip();
    }
  }

  HttpResponse readResponse() {
    HttpResponse response;
    object([&](std::string_view name) {
      if (name == "status") {
        response.status = status();
      } else if (name == "headers") {
        response.headers = headers();
      } else if (name == "content") {
        response.body = content();
      } else if (name == "_error") {
        exchange_.failure = text();
      } else {
        skip();
      }
    });
    return response;
  }

  /// The pseudo-headers of HTTP/2, which browsers record, are no headers.
  std::vector<Header> headers() {
    constexpr std::size_t usual = 8;
    std::vector<Header> read;
    read.reserve(usual);
    array([&] {
      Header header;
      EncodedText value;
      object([&](std::string_view name) {
        if (name == "name") {
          header.name = text();
        } else if (!encodedMember(name, "value", value)) {
          skip();
        }
      });
      header.value = decoded(std::move(value));
      if (!header.name.starts_with(':')) read.push_back(std::move(header));
    });
    return read;
  }

  std::string content() {
    EncodedText body;
    object([&](std::string_view name) {
      if (!encodedMember(name, "text", body)) skip();
    });
    return decoded(std::move(body));
  }

  /// A form may be given by its parameters only.
  std::string postData() {
    EncodedText body;
    std::string form;
    object([&](std::string_view name) {
      if (name == "params") {
        array([&] { appendParam(form); });
      } else if (!encodedMember(name, "text", body)) {
        skip();
      }
    });
    return body.text.empty() ? form : decoded(std::move(body));
  }

  void appendParam(std::string& form) {
    std::string name;
    std::string value;
    object([&](std::string_view member) {
      if (member == "name") {
        name = text();
      } else if (member == "value") {
        value = text();
      } else {
        skip();
      }
    });
    if (!form.empty()) form += '&';
    percentEncode(form, name);
    percentEncode(form += '=', value);
  }

  bool encodedMember(std::string_view name, std::string_view member, EncodedText& into) {
    if (name == member) {
      into.text = text();
    } else if (name == "encoding" || name == "_encoding") {
      into.encoding = text();
    } else {
      return false;
    }
    return true;
  }

  [[nodiscard]] std::string decoded(EncodedText&& given) const {
    if (given.encoding != "base64") return std::move(given.text);
    auto bytes = decodeBase64(given.text);
    if (!bytes) fail("text that is not base64");
    return *std::move(bytes);
  }

  Instant time() {
    const auto given = cursor_.string();
    if (!given) fail();
    const auto read = instantOf(*given);
    if (!read) fail("'" + std::string{*given} + "' is not a time");
    return *read;
  }

  /// In milliseconds. Unknown times are negative.
  nanoseconds duration() {
    constexpr double nanos = 1'000'000;
    constexpr double longest = 9.0e18;
    const double read = std::round(number() * nanos);
    return nanoseconds{read > 0 && read < longest ? static_cast<std::int64_t>(read) : 0};
  }

  /// Without a response, it is 0 or negative.
  int status() {
    constexpr double most = 999;
    const double read = number();
    if (read > most) fail("expected a status");
    return read > 0 ? static_cast<int>(read) : 0;
  }

  double number() {
    if (cursor_.take("null")) return 0;
    if (const auto whole = cursor_.integer()) return static_cast<double>(*whole);
    skip();
    if (!skipped_.starts_with('-') && !isDigit(skipped_.front())) fail("expected a number");
    return realNumberIn(skipped_).value_or(0);
  }

  std::string text() {
    if (cursor_.take("null")) return {};
    const auto read = cursor_.string();
    if (!read) fail();
    return std::string{*read};
  }

  /// Keeps the value until the next one is skipped, unless it is an integer.
  void skip() {
    skipped_.clear();
    if (cursor_.integer()) return;
    if (!cursor_.value(skipped_)) fail();
  }

  /// `member` reads the value of the member with that name.
  template <class Member>
  void object(const Member& member) {
    if (cursor_.take("null")) return;
    if (!cursor_.take('{')) fail("expected an object");
    if (cursor_.take('}')) return;
    do {
      const auto name = cursor_.string();  // valid until the value is read
      if (!name) fail();
      if (!cursor_.take(':')) fail("expected ':'");
      member(*name);
    } while (cursor_.take(','));
    if (!cursor_.take('}')) fail("expected ',' or '}'");
  }

  template <class Element>
  void array(const Element& element) {
    if (cursor_.take("null")) return;
    if (!cursor_.take('[')) fail("expected a list");
    if (cursor_.take(']')) return;
    do {
      element();
    } while (cursor_.take(','));
    if (!cursor_.take(']')) fail("expected ',' or ']'");
  }

  [[noreturn]] void fail() const { throw HarError{cursor_.fault()}; }
  [[noreturn]] void fail(const std::string& reason) const { throw HarError{cursor_.fault(reason)}; }

  JsonCursor cursor_;
  std::string& buffer_;
  Exchange exchange_{};
  std::string skipped_{};
};

}  // namespace

Exchange readHarEntry(std::string_view text) {
  std::string buffer;
  return EntryReader{text, buffer}.read();
}

std::optional<Exchange> HarReader::next() {
  if (auto read = readBuffered()) return read;
  const auto text = splitter_.next();
  if (!text) return std::nullopt;
  try {
    std::optional<Exchange> read{EntryReader{*text, buffer_}.read()};
    size_ = text->size();
    ++count_;
    return read;
  } catch (const HarError& problem) {
    throw HarError{"entry " + std::to_string(count_ + 1) + ", from byte " + std::to_string(position()) +
                   ": " + problem.what()};
  }
}

/// Nearly all entries are in memory as a whole. The others, and those that are wrong, are left to next().
std::optional<Exchange> HarReader::readBuffered() {
  const std::string_view text = splitter_.buffered();
  if (text.empty()) return std::nullopt;
  try {
    EntryReader entry{text, buffer_};
    std::optional<Exchange> read{entry.read()};
    size_ = entry.size();
    ++count_;
    splitter_.drop(size_);
    return read;
  } catch (const HarError&) {
    return std::nullopt;
  }
}

}  // namespace tally::detail
