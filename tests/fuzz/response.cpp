// Whatever a response has, the client reads an object or an error: an object only from a success, and one
// that was asked for; an error without an effect only if the service refused. The details of an error are
// those that Boost.JSON finds in its body.
#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

#include <tally/error.h>
#include <tally/payment_records.h>

#include "fuzz.h"
#include "http/response_reader.h"
#include "operations.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

// Defined in generated code.
template <>
const Struct Schema<PaymentRecord>::value;

}  // namespace tally::detail

namespace tally::fuzz {

namespace {

constexpr Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
constexpr std::string_view id = "pr_1";

/// The first line is the status, the others up to an empty one are headers.
HttpResponse responseIn(std::string_view input) {
  Choices choices{input};
  HttpResponse response{.status = static_cast<int>(choices.number(2) % 1'000)};
  for (std::string_view line = choices.until('\n'); !line.empty(); line = choices.until('\n')) {
    const std::size_t colon = std::min(line.find(':'), line.size());
    response.headers.push_back(
        {std::string{line.substr(0, colon)}, std::string{line.substr(std::min(colon + 1, line.size()))}});
  }
  response.body = choices.rest();
  return response;
}

/// A text in the object `error`; nothing if it is missing or empty.
std::optional<std::string> detailIn(std::string_view body, const char* name) {
  const auto json = parsedJson(body);
  if (!json || !json->is_object()) return std::nullopt;
  const auto* const error = json->as_object().if_contains("error");
  if (error == nullptr || !error->is_object()) return std::nullopt;
  const auto* const text = error->as_object().if_contains(name);
  if (text == nullptr || !text->is_string() || text->as_string().empty()) return std::nullopt;
  return std::string{text->as_string()};
}

/// Whether an object has a name twice: which one counts may differ.
bool mayRepeat(std::string_view body, const std::string& name) {
  const std::string quoted = '"' + name + '"';
  const std::size_t first = body.find(quoted);
  return body.find('\\') != std::string_view::npos ||
         body.find(quoted, std::min(first, body.size() - 1) + 1) != std::string_view::npos;
}

void checkDetails(const Error& error, std::string_view body) {
  const std::pair<const char*, std::string> told[] = {
      {"type", error.type()}, {"code", error.code()}, {"param", error.param()}};
  for (const auto& [name, value] : told) {
    const auto found = detailIn(body, name);
    if (found && !mayRepeat(body, name) && !mayRepeat(body, "error"))
      require(value == *found, "a detail is the one that Boost.JSON finds");
  }
}

void checkRefusal(const Error& error, const HttpResponse& response) {
  require(error.status() == response.status, "an error has the status");
  const bool mayRefuse = response.status >= 400 && response.status < 500;
  if (error.effect() == Effect::none) require(mayRefuse, "only a refusal has no effect");
  if (response.status < 200 || response.status >= 300) checkDetails(error, response.body);
  if (const auto wait = error.retryAfter())
    require(*wait >= std::chrono::seconds{0} && *wait <= std::chrono::hours{24 * 365 * 100},
            "a wait is bounded");
}

}  // namespace

void test(std::string_view input) {
  const HttpResponse response = responseIn(input);
  PaymentRecord record;
  const detail::ResponseReader reader{detail::paymentRecordsReportFailed, id, detail::refTo(record)};
  TransportResult result = response;
  const auto error = reader.read(result, now);
  const bool isSuccess = response.status >= 200 && response.status < 300;
  if (!error) {
    require(isSuccess, "an object is read only from a success");
    return require(record.id.str() == id, "an object is the one that was asked for");
  }
  checkRefusal(*error, response);
  if (isSuccess)
    require(error->kind() == ErrorKind::malformedResponse, "a success that can't be read is malformed");
  std::ostringstream line;
  line << *error;
  require(line.str().find('\n') == std::string::npos, "an error prints as one line");
  require(detail::isUtf8(line.str()), "an error prints as UTF-8");
}

}  // namespace tally::fuzz
