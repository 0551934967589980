#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <tally/client.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr const char* variables[] = {"TALLY_API_KEY",
                                     "TALLY_BASE_URL",
                                     "TALLY_CONNECTED_ACCOUNT",
                                     "TALLY_TIMEOUT",
                                     "TALLY_MAX_NETWORK_RETRIES",
                                     "TALLY_CA_FILE"};

/// Starts with none of the variables set, and restores them.
class FromEnvironment : public testing::Test {
 protected:
  FromEnvironment() {
    for (const char* const variable : variables) {
      const char* const value = std::getenv(variable);
      before_.emplace_back(variable, value == nullptr ? std::nullopt : std::optional<std::string>{value});
      unsetenv(variable);
    }
  }
  ~FromEnvironment() override {
    for (const auto& [variable, value] : before_)
      value ? setenv(variable, value->c_str(), 1) : unsetenv(variable);
  }

  static void set(const char* variable, const std::string& value) { setenv(variable, value.c_str(), 1); }
  static void setRequired() {
    set("TALLY_API_KEY", "sk_test_hush42");
    set("TALLY_BASE_URL", "https://api.example.com");
  }

  /// Why the variables are refused; empty if they are not.
  static std::string refusal(ClientOptions given = {}) {
    try {
      (void)ClientOptions::fromEnvironment(std::move(given));
    } catch (const std::invalid_argument& refused) {
      return refused.what();
    }
    return {};
  }

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> before_{};
};

TEST_F(FromEnvironment, ReadsEveryVariable) {
  setRequired();
  set("TALLY_CONNECTED_ACCOUNT", "acct_1");
  set("TALLY_MAX_NETWORK_RETRIES", "3");
  set("TALLY_TIMEOUT", "5");
  set("TALLY_CA_FILE", "/etc/ca.pem");
  const ClientOptions options = ClientOptions::fromEnvironment();
  EXPECT_EQ(options.apiKey.reveal(), "sk_test_hush42");
  EXPECT_EQ(options.baseUrl, "https://api.example.com");
  EXPECT_EQ(options.connectedAccount, "acct_1");
  EXPECT_EQ(options.maxNetworkRetries, 3);
  EXPECT_EQ(options.timeout, 5s);
  EXPECT_EQ(options.http.caFile, "/etc/ca.pem");
}

TEST_F(FromEnvironment, LeavesDefaultsIfOptionalVariablesAreMissing) {
  setRequired();
  for (const char* const variable :
       {"TALLY_CONNECTED_ACCOUNT", "TALLY_MAX_NETWORK_RETRIES", "TALLY_TIMEOUT", "TALLY_CA_FILE"})
    set(variable, "");
  const ClientOptions options = ClientOptions::fromEnvironment();
  EXPECT_EQ(options.connectedAccount, "");
  EXPECT_EQ(options.maxNetworkRetries, 0);
  EXPECT_EQ(options.timeout, 30s);
  EXPECT_EQ(options.http, CurlTransportOptions{});
}

TEST_F(FromEnvironment, ReportsTheNameOfAMissingVariable) {
  EXPECT_EQ(refusal(), "TALLY_API_KEY is not set: set it to a secret API key or an OAuth access token");
  set("TALLY_API_KEY", "sk_test_hush42");
  EXPECT_EQ(refusal(), "TALLY_BASE_URL is not set: set it to the address of the service");
  set("TALLY_BASE_URL", "");
  EXPECT_EQ(refusal(), "TALLY_BASE_URL is not set: set it to the address of the service");
  setRequired();
  set("TALLY_API_KEY", "");
  EXPECT_THAT(refusal(), HasSubstr("TALLY_API_KEY is not set"));
}

TEST_F(FromEnvironment, ReportsTheNameButNotTheValueOfAnInvalidVariable) {
  const struct {
    const char* variable;
    std::string value;
    std::string problem;
  } cases[] = {
      {"TALLY_API_KEY", "sk_live_hush42\r", "contains a line break or a control character"},
      {"TALLY_BASE_URL", "sk_live_hush42", "must begin with https:// or http://"},
      {"TALLY_BASE_URL", "https://hush42 ", "contains a space or a control character"},
      {"TALLY_BASE_URL", "https://a?key=hush42", "contains '?' or '#', so no path can be appended"},
      {"TALLY_CONNECTED_ACCOUNT", "acct_hush42\n", "contains a line break or a control character"},
      {"TALLY_MAX_NETWORK_RETRIES", "hush42", "must be a whole number of at least 0"},
      {"TALLY_MAX_NETWORK_RETRIES", "-1", "must be a whole number of at least 0"},
      {"TALLY_MAX_NETWORK_RETRIES", "99999999999", "must be a whole number of at least 0"},
      {"TALLY_TIMEOUT", "0", "must be a whole number of at least 1"},
      {"TALLY_TIMEOUT", "5s", "must be a whole number of at least 1"},
      {"TALLY_TIMEOUT", "2.5", "must be a whole number of at least 1"},
      {"TALLY_TIMEOUT", "9223372036854775807", "is too long"},
  };
  for (const auto& [variable, value, problem] : cases) {
    setRequired();
    const std::string before = std::getenv(variable) == nullptr ? "" : std::getenv(variable);
    set(variable, value);
    EXPECT_EQ(refusal(), std::string{variable} + " " + problem);
    EXPECT_THAT(refusal(), Not(HasSubstr("hush42")));
    set(variable, before);
  }
}

TEST_F(FromEnvironment, PrefersGivenOptionsToVariables) {
  setRequired();
  set("TALLY_CONNECTED_ACCOUNT", "acct_1");
  set("TALLY_MAX_NETWORK_RETRIES", "many");
  set("TALLY_TIMEOUT", "long");
  set("TALLY_CA_FILE", "/etc/ca.pem");
  const ClientOptions options =
      ClientOptions::fromEnvironment({.apiKey = "sk_test_2",
                                      .baseUrl = "http://localhost",
                                      .connectedAccount = "acct_2",
                                      .maxNetworkRetries = 7,
                                      .timeout = 2s,
                                      .http = {.caPem = "PEM", .connectTimeout = 1s}});
  EXPECT_EQ(options.apiKey.reveal(), "sk_test_2");
  EXPECT_EQ(options.baseUrl, "http://localhost");
  EXPECT_EQ(options.connectedAccount, "acct_2");
  EXPECT_EQ(options.maxNetworkRetries, 7);
  EXPECT_EQ(options.timeout, 2s);
  EXPECT_EQ(options.http, (CurlTransportOptions{.caPem = "PEM", .connectTimeout = 1s}));
}

TEST_F(FromEnvironment, NeitherRequiresNorReadsAKeyIfThereIsAProvider) {
  set("TALLY_BASE_URL", "https://api.example.com");
  const auto provider = [] { return ApiKey{"sk_test_2"}; };
  EXPECT_EQ(refusal({.apiKeyProvider = provider}), "");
  set("TALLY_API_KEY", "sk_test_hush42");
  EXPECT_TRUE(ClientOptions::fromEnvironment({.apiKeyProvider = provider}).apiKey.empty());
}

TEST_F(FromEnvironment, ReturnsOptionsThatAClientAccepts) {
  setRequired();
  set("TALLY_CA_FILE", "/etc/ca.pem");
  const auto transport = std::make_shared<test::CannedTransport>();
  transport->responses.emplace_back(test::ok(test::recordJson("pr_1")));
  const Client client{ClientOptions::fromEnvironment({.transport = transport})};
  EXPECT_TRUE(client.paymentRecords().retrieve("pr_1"));
  EXPECT_EQ(transport->requests.at(0).url, "https://api.example.com/v1/payment_records/pr_1");
}

}  // namespace
}  // namespace tally
