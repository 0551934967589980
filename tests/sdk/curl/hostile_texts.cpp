// Servers whose responses are complete, but are meant to confuse their reader.

#include <utility>

#include "sdk/support/harness.h"
#include "sdk/support/hostile_server.h"
#include "sdk/support/libcurl_version.h"

namespace tally::test {

namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

/// Keeps the connection open after the response.
auto keeping(std::string bytes) {
  return [bytes = std::move(bytes)](int connection, Turns& turns) {
    char byte = 0;
    while (recv(connection, &byte, 1, MSG_PEEK) > 0) {
      take(connection, turns);
      sendAll(connection, turns.respondsToNext() ? goodResponse(turns.response) : bytes);
    }
    close(connection);
  };
}

HostileServer sends(std::string name, std::string response, std::optional<ErrorKind> kind,
                    std::string says = {}) {
  return {
      .name = std::move(name), .behave = keeping(std::move(response)), .kind = kind, .says = std::move(says)};
}

/// Closes the connection after the response.
HostileServer closes(std::string name, std::string response, std::optional<ErrorKind> kind) {
  return {.name = std::move(name), .behave = inTurns(responding(std::move(response))), .kind = kind};
}

HostileServer sendsJson(std::string name, const std::string& json, std::optional<ErrorKind> kind,
                        std::string says = {}) {
  return sends(std::move(name), goodResponse(json), kind, std::move(says));
}

std::string errorResponse(const std::string& json, const std::string& headers = {}) {
  return "HTTP/1.1 400 Bad Request\r\n" + headers + "Content-Length: " + std::to_string(json.size()) +
         "\r\n\r\n" + json;
}

constexpr auto unusableJson = ErrorKind::malformedResponse;
constexpr auto brokenConnection = ErrorKind::connection;
constexpr std::size_t deepLevels = 100'000;
constexpr std::size_t longTextSize = 900'000;

}  // namespace

std::string recordWith(const std::string& member) {
  std::string json = recordJson("pr_1");
  json.insert(json.size() - 1, "," + member);
  return json;
}

std::string recordDescribed(const std::string& description) {
  std::string json = recordJson("pr_1");
  const std::string usual = R"("Tea")";
  return json.replace(json.find(usual), usual.size(), description);
}

std::vector<HostileServer> hostileTexts() {
  const std::string digits(longTextSize, '9');
  return {
      sendsJson("deep_arrays", repeated("[", longTextSize), unusableJson),
      sendsJson("deep_member", recordWith(R"("x":)" + repeated("[", deepLevels) + repeated("]", deepLevels)),
                unusableJson),
      sendsJson("deep_objects",
                recordWith(R"("x":)" + repeated(R"({"a":)", deepLevels) + "1" + repeated("}", deepLevels)),
                unusableJson),
      sendsJson("unclosed_objects", repeated(R"({"a":)", deepLevels), unusableJson),
      sends("deep_error",
            errorResponse(R"({"error":)" + repeated("[", deepLevels) + repeated("]", deepLevels) + "}"),
            unusableJson),
      sendsJson("long_number", recordWith(R"("created":)" + digits), unusableJson, "created"),
      sendsJson("long_unknown_number", recordWith(R"("x":)" + digits), std::nullopt),
      sendsJson("long_exponent", recordWith(R"("created":1e)" + digits), unusableJson, "created"),
      sendsJson("long_text", recordDescribed('"' + digits + '"'), std::nullopt),
      sendsJson("endless_text", recordDescribed('"' + digits), unusableJson),
      sendsJson("long_key", recordWith('"' + digits + R"(":1)"), std::nullopt),
      sendsJson("many_keys", recordWith(repeated(R"("x":1,)", deepLevels) + R"("x":1)"), std::nullopt),
      sendsJson("a_member_twice", recordWith(R"("metadata":{})"), unusableJson, "metadata: duplicate field"),
      sendsJson("another_object_by_a_second_id", recordWith(R"("id":"pr_2")"), unusableJson,
                "id: duplicate field"),
      sendsJson("two_values", recordJson("pr_1") + recordJson("pr_1"), unusableJson),
      sends("long_error", errorResponse(R"({"error":{"message":")" + digits + R"("}})"), unusableJson),
      sends("terminal_escapes", errorResponse(R"({"error":{"message":"\u001b[2J"}})"), unusableJson),
      sends("long_limit_reason",
            "HTTP/1.1 429 Too Many Requests\r\nService-Rate-Limited-Reason: " + digits.substr(0, 60'000) +
                "\r\nContent-Length: 0\r\n\r\n",
            ErrorKind::rateLimited),
      sends("huge_retry_after",
            "HTTP/1.1 503 Busy\r\nRetry-After: " + digits.substr(0, 60'000) + "\r\nContent-Length: 0\r\n\r\n",
            ErrorKind::server),
  };
}

std::vector<HostileServer> brokenFraming() {
  const std::string good = recordJson("pr_1");
  const std::string poison = goodResponse(recordJson("pr_poison"));
  const std::string chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto withLength = [&](const std::string& length) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + good;
  };
  return {
      sends("chunk_size_beyond_2_to_64", chunks + "ffffffffffffffffff\r\n" + good, brokenConnection),
      sends("negative_chunk_size", chunks + "-1\r\n" + good, brokenConnection),
      sends("endless_chunk_size", chunks + std::string(1'000'000, '0'), brokenConnection),
      closes("negative_length", withLength("-5"), unusableJson),
      closes("length_that_is_not_a_number", withLength("many"), unusableJson),
      sends("length_too_short", withLength("100"), unusableJson, "JSON"),
      closes("length_too_long", withLength("100000"), brokenConnection),
      // Version 8 of libcurl ignores the fourth digit, as browsers do.
      closes("status_of_four_digits", "HTTP/1.1 2000 OK\r\n\r\n" + good,
             isLibcurl8() ? std::nullopt : std::optional{unusableJson}),
      closes("status_0", "HTTP/1.1 000 OK\r\n\r\n" + good, unusableJson),
      closes("status_of_letters", "HTTP/1.1 2OO OK\r\n\r\n" + good, unusableJson),
      closes("unknown_version", "HTTP/9.9 200 OK\r\n\r\n" + good, unusableJson),
      closes("no_head", good, unusableJson),
      sends("nul_in_a_header", "HTTP/1.1 200 OK\r\nA: " + std::string(1, '\0') + "\r\n\r\n" + good,
            unusableJson),
      closes("switching_protocols", "HTTP/1.1 101 Switching Protocols\r\n\r\n" + good, unusableJson),
      sends("body_after_204", "HTTP/1.1 204 No Content\r\n\r\n" + poison, unusableJson),
      sends("body_after_304", "HTTP/1.1 304 Not Modified\r\n\r\n" + poison, unusableJson),
      sends("redirect_to_itself",
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: "
            "/v1/payment_records/pr_1/report_payment_attempt_failed\r\nContent-Length: 0\r\n\r\n",
            unusableJson),
      sends("redirect_to_a_file",
            "HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", unusableJson),
  };
}

}  // namespace tally::test
