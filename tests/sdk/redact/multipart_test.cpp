#include "redact/multipart.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "har/exchange_redactor.h"

namespace tally::detail {

namespace {

constexpr const char* formData = "multipart/form-data; charset=utf-8; Boundary=\"x1\"";

std::string part(const std::string& head, const std::string& contents) {
  return "--x1\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + contents + "\r\n";
}

std::string changed(const std::string& body, std::string_view mediaType = formData) {
  return withParts(mediaType, body,
                   [](std::string_view name, std::string_view contents) {
                     return "<" + std::string{name} + "=" + std::string{contents} + ">";
                   })
      .value_or("malformed");
}

TEST(MultipartBody, IsSplitIntoNamedParts) {
  EXPECT_EQ(changed(part("name=\"a\"", "1") + part("NAME=b; filename=\"c\"", "2\r\n3") + "--x1--\r\n"),
            part("name=\"a\"", "<a=1>") + part("NAME=b; filename=\"c\"", "<b=2\r\n3>") + "--x1<=--\r\n>");
  EXPECT_EQ(changed(part("filename=\"name=z\"", "") + "--x1--"),
            part("filename=\"name=z\"", "<=>") + "--x1<=-->");
}

TEST(MultipartBody, IsSplitByNameDespiteMisleadingParameters) {
  EXPECT_EQ(changed(part(R"(filename="a; name=b"; name="cvc")", "1") + "--x1--"),
            part(R"(filename="a; name=b"; name="cvc")", "<cvc=1>") + "--x1<=-->");
  EXPECT_EQ(changed(part(R"(filename="a\"; name=b"; name = "cvc")", "1") + "--x1--"),
            part(R"(filename="a\"; name=b"; name = "cvc")", "<cvc=1>") + "--x1<=-->");
}

TEST(MultipartBody, IsMalformedIfTheHeadersOfAPartDoNotEnd) {
  EXPECT_EQ(
      changed("--x1\r\nContent-Disposition: form-data; name=cvc\r\n123\r\n" + part("name=b", "2") + "--x1--"),
      "malformed");
}

TEST(MultipartBody, IsMalformedWithoutItsDelimiters) {
  for (const std::string body :
       {"", "--x1", "--x1\r\n", "--x2--", "--x1\r\nA: b\r\n\r\nc", "--x1\r\nA: b\r\n--x1--", "a--x1--"})
    EXPECT_EQ(changed(body), "malformed") << body;
  EXPECT_EQ(changed("--x1--", "multipart/form-data"), "malformed");
  EXPECT_EQ(changed("--x1--", "multipart/form-data; boundary="), "malformed");
  EXPECT_EQ(changed("--x1--", "multipart/form-data; xboundary=x1"), "malformed");
}

Exchange upload(const std::string& body) {
  return {.method = "POST",
          .url = "/v1/files",
          .requestHeaders = {{"Content-Type", formData}},
          .requestBody = body};
}

TEST(ExchangeRedactor, RedactsThePartsOfMultipartBodiesByName) {
  ExchangeRedactor redactor{{"nickname"}};
  const std::string clean = part("name=\"purpose\"", "dispute") + "--x1--\r\n";
  EXPECT_EQ(redactor.redacted(upload(clean)).requestBody, clean);
  EXPECT_EQ(redactor
                .redacted(upload(part("name=\"card[cvc]\"", "123") + part("name=\"nickname\"", "Joe") +
                                 part("name=\"note\"", "card 4242424242424242") +
                                 part("name=\"data\"", R"({"iban":"DE1"})") + "--x1--"))
                .requestBody,
            part("name=\"card[cvc]\"", "[redacted]") + part("name=\"nickname\"", "[redacted]") +
                part("name=\"note\"", "card [redacted]") + part("name=\"data\"", R"({"iban":"[redacted]"})") +
                "--x1--");
  EXPECT_EQ(redactor.redacted(upload("--x2--")).requestBody, "[6 bytes, malformed multipart]");
}

TEST(ExchangeRedactor, RedactsSecretsInTheNamesOfUploadedFiles) {
  const std::string body = part("name=file; filename=\"4242424242424242 sk_live_a1.csv\"", "1") + "--x1--";
  EXPECT_EQ(ExchangeRedactor{}.redacted(upload(body)).requestBody,
            part("name=file; filename=\"[redacted] sk_live_recorded1.csv\"", "1") + "--x1--");
}

}  // namespace

}  // namespace tally::detail
