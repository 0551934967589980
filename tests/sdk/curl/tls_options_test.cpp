// Certificates, keys and versions of TLS, against servers that demand them.

#include <atomic>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/curl_transport.h>
#include <tally/log_observer.h>
#include <tally/recording.h>
#include <tally/tally.h>
#include <tally/wire_log.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "certificates.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sdk/support/wire_fault.h"
#include "temporary_folder.h"
#include "tls_connection.h"

namespace tally::tlsOptionsTest {
namespace {

using namespace std::chrono_literals;
using test::authority;
using test::Authority;
using test::Identity;
using test::TlsDemands;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Responds to each request with a payment record, if the client meets its demands.
class DemandingServer {
 public:
  explicit DemandingServer(TlsDemands demands = {}) : demands_(std::move(demands)) {}

  [[nodiscard]] std::string url() const { return server_.url("https"); }
  [[nodiscard]] int requests() const { return requests_; }

  [[nodiscard]] TransportResult send(const CurlTransportOptions& options) const {
    const auto transport = test::wireTransport(systemClock(), options);
    return transport->send({.url = url() + '/'}, {.deadline = systemClock()->now() + 30s});
  }

 private:
  void respond(int connection) {
    test::TlsConnection tls{connection, identity_, "http/1.1", demands_};
    if (!tls.secure() || test::wholeRequest([&] { return tls.receive(); }).empty()) return;
    ++requests_;
    tls.send(test::goodResponse(test::recordJson("pr_1"), "Connection: close\r\n"));
  }

  TlsDemands demands_;
  Identity identity_ = authority().issue();
  std::atomic<int> requests_ = 0;
  test::MisbehavingServer server_{[this](int connection) { respond(connection); }};
};

void expectResponse(const TransportResult& result) {
  const auto* failure = std::get_if<TransportFailure>(&result);
  ASSERT_EQ(failure, nullptr) << failure->message;
  EXPECT_EQ(std::get<HttpResponse>(result).status, 200);
}

void expectRefused(const TransportResult& result, const std::string& says) {
  ASSERT_TRUE(std::holds_alternative<TransportFailure>(result));
  const auto& failure = std::get<TransportFailure>(result);
  EXPECT_EQ(failure.kind, TransportFailure::Kind::tls) << failure.message;
  EXPECT_FALSE(failure.mayHaveBeenSent) << failure.message;
  EXPECT_THAT(failure.message, HasSubstr(says));
}

/// A client certificate of the trusted authority, as files.
struct ClientFiles {
  Identity identity = authority().issue();
  test::TemporaryFolder folder{};
  std::string certificate = folder.write("client.pem", identity.certificate);
  std::string key = folder.write("client.key", identity.key);
  std::string both = folder.write("both.pem", identity.certificate + identity.key);
  std::string locked = folder.write("locked.key", test::encryptedKey(identity, "open"));

  /// Every way to state it.
  [[nodiscard]] std::vector<CurlTransportOptions> ways() const {
    return {
        {.clientCertificateFile = certificate, .clientKeyFile = key},
        {.clientCertificateFile = both},
        {.clientCertificateFile = certificate, .clientKeyFile = locked, .clientKeyPassword = "open"},
        {.clientCertificatePem = identity.certificate, .clientKeyPem = identity.key},
        {.clientCertificatePem = identity.certificate + identity.key},
        {.clientCertificatePem = identity.certificate,
         .clientKeyPem = test::encryptedKey(identity, "open"),
         .clientKeyPassword = "open"},
    };
  }
};

/// With TLS 1.2, the handshake fails; with 1.3, it has ended for the client before the server refuses.
class ClientCertificate : public testing::TestWithParam<int> {
 protected:
  DemandingServer server{{.clientAuthority = authority().caFile(), .maxVersion = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Tls, ClientCertificate, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& info) { return info.param == TLS1_2_VERSION ? "v12" : "v13"; });

TEST_P(ClientCertificate, IsSentFromAFileOrAString) {
  const ClientFiles files;
  for (CurlTransportOptions options : files.ways()) {
    options.caPem = authority().caPem();
    expectResponse(server.send(options));
  }
  EXPECT_EQ(server.requests(), 6);
}

TEST_P(ClientCertificate, IsMentionedInTheFailureWhenMissing) {
  expectRefused(server.send({.caFile = authority().caFile()}), "client certificate");
  EXPECT_EQ(server.requests(), 0);
}

TEST_P(ClientCertificate, IsRefusedIfItsAuthorityIsUnknown) {
  const Identity identity = Authority{}.issue();
  expectRefused(server.send({.caFile = authority().caFile(),
                             .clientCertificatePem = identity.certificate,
                             .clientKeyPem = identity.key}),
                "client certificate");
  EXPECT_EQ(server.requests(), 0);
}

TEST_P(ClientCertificate, LeavesTheReportUnsentAndUnretriedWhenMissing) {
  const auto transport = test::wireTransport(systemClock(), {.caFile = authority().caFile()});
  const Client client{
      {.apiKey = "sk_test_1", .baseUrl = server.url(), .maxNetworkRetries = 3, .transport = transport}};
  const auto report = client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().effect(), Effect::none) << report.error();
  EXPECT_EQ(report.error().attemptCount(), 1);
  EXPECT_EQ(server.requests(), 0);
}

TEST(TlsOptions, TrustTheAuthorityInTheGivenPem) {
  const DemandingServer server;
  expectResponse(server.send({.caPem = authority().caPem()}));
  expectResponse(server.send({.caPem = Authority{}.caPem() + authority().caPem()}));
}

TEST(TlsOptions, TrustNoAuthorityOutsideTheGivenPem) {
  const DemandingServer server;
  expectRefused(server.send({.caPem = Authority{}.caPem()}), "local issuer certificate");
  expectRefused(server.send({}), "local issuer certificate");
  EXPECT_EQ(server.requests(), 0);
}

TEST(TlsOptions, RefuseAVersionOfTlsBelowTheConfiguredMinimum) {
  const DemandingServer server{{.maxVersion = TLS1_2_VERSION}};
  expectResponse(server.send({.caFile = authority().caFile()}));
  expectRefused(server.send({.caFile = authority().caFile(), .minTlsVersion = TlsVersion::tls13}),
                "minTlsVersion");
  EXPECT_EQ(server.requests(), 1);
  const DemandingServer current;
  expectResponse(current.send({.caFile = authority().caFile(), .minTlsVersion = TlsVersion::tls13}));
}

std::string refusalOf(const CurlTransportOptions& options) {
  try {
    (void)curlTransport(systemClock(), options);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(TlsOptions, AreNamedInTheErrorWhenUnusable) {
  const Identity identity = authority().issue();
  const std::string& certificate = identity.certificate;
  const std::string& key = identity.key;
  const auto names = [](const std::string& option) {
    return HasSubstr("CurlTransportOptions::" + option + ' ');
  };
  EXPECT_THAT(refusalOf({.caPem = "ca.pem"}), names("caPem"));
  EXPECT_THAT(refusalOf({.caPem = key}), names("caPem"));
  EXPECT_THAT(refusalOf({.caPem = certificate.substr(0, certificate.size() / 2)}), names("caPem"));
  EXPECT_THAT(refusalOf({.caFile = "ca.pem", .caPem = certificate}), names("caPem"));
  EXPECT_THAT(refusalOf({.clientCertificatePem = key}), names("clientCertificatePem"));
  EXPECT_THAT(refusalOf({.clientCertificatePem = certificate}), names("clientCertificatePem"));
  EXPECT_THAT(refusalOf({.clientCertificatePem = certificate, .clientKeyPem = certificate}),
              names("clientKeyPem"));
  EXPECT_THAT(refusalOf({.clientKeyPem = key}), names("clientKeyPem"));
  EXPECT_THAT(refusalOf({.clientKeyFile = "a.key"}), names("clientKeyFile"));
  EXPECT_THAT(refusalOf({.clientCertificateFile = "a\n"}), names("clientCertificateFile"));
  EXPECT_THAT(refusalOf({.clientCertificateFile = "a.pem", .clientCertificatePem = certificate + key}),
              names("clientCertificatePem"));
}

TEST(TlsOptions, AreNamedInTheErrorWhenTheyMakeAConnectionFail) {
  const DemandingServer server;
  const ClientFiles files;
  const std::string garbage = "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n";
  const auto named = [](const std::string& options) { return "CurlTransportOptions::" + options + ": "; };
  const std::string ofFiles = named("clientCertificateFile or clientKeyFile");
  const std::string ofTexts = named("clientCertificatePem or clientKeyPem");
  const std::string ca = authority().caFile();
  expectRefused(server.send({.caPem = garbage}), named("caPem"));
  expectRefused(server.send({.caFile = files.key}), named("caFile"));
  expectRefused(server.send({.caFile = ca, .clientCertificateFile = "/nowhere/client.pem"}), ofFiles);
  expectRefused(server.send({.caFile = ca, .clientCertificateFile = files.certificate}), ofFiles);
  const std::string& certificate = files.identity.certificate;
  expectRefused(
      server.send({.caFile = ca, .clientCertificatePem = garbage, .clientKeyPem = files.identity.key}),
      ofTexts);
  const std::string otherKey = authority().issue().key;
  expectRefused(server.send({.caFile = ca, .clientCertificatePem = certificate, .clientKeyPem = otherKey}),
                ofTexts);
  EXPECT_EQ(server.requests(), 0);
}

TEST(TlsOptions, NeverPromptForAPasswordOrPrintIt) {
  const DemandingServer server;
  const ClientFiles files;
  for (const std::string& password : {std::string{}, std::string{"Sesame"}}) {
    const auto result = server.send({.caFile = authority().caFile(),
                                     .clientCertificateFile = files.certificate,
                                     .clientKeyFile = files.locked,
                                     .clientKeyPassword = password});
    expectRefused(result, "clientKeyFile");
    EXPECT_THAT(std::get<TransportFailure>(result).message, Not(HasSubstr("Sesame")));
  }
}

/// All that a blocking and an asynchronous client show about a report: options, errors, logs, and a
/// recording.
std::string shownBy(const std::string& url, const CurlTransportOptions& options) {
  const test::TemporaryFolder folder;
  const std::string recording = (folder.path() / "run.har").string();
  std::ostringstream out;
  try {
    ClientOptions client{.apiKey = "sk_test_1", .baseUrl = url, .maxNetworkRetries = 0, .http = options};
    out << client;
    client.http = {};
    client.transport = recordingTransport(wireLog(curlTransport(systemClock(), options), out), recording);
    client.observer = logObserver(out, {.select = [](const Event&) { return true; }, .messages = true});
    const auto show = [&](const Result<PaymentRecord>& result) {
      if (result.has_error()) out << result.error() << result.error().message();
    };
    show(Client{client}.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}}));
    const AsyncClient async{client};
    show(
        async.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}}).future().get());
  } catch (const std::exception& refusal) {
    out << refusal.what();
  }
  out << std::ifstream{recording}.rdbuf();
  return out.str();
}

TEST(SecretsOfConnections, AreShownNowhere) {
  const DemandingServer server{{.clientAuthority = authority().caFile()}};
  const ClientFiles files;
  const std::string locked = test::encryptedKey(files.identity, "Sesame");
  const std::string& certificate = files.identity.certificate;
  const std::string proxy = "http://user:Tell0Nobody@127.0.0.1:1";
  std::vector<CurlTransportOptions> cases = files.ways();
  const std::size_t works = cases.size();
  cases.insert(cases.end(),
               {{.clientCertificateFile = files.certificate,
                 .clientKeyFile = files.locked,
                 .clientKeyPassword = "Sesame"},
                {.clientCertificatePem = certificate, .clientKeyPem = locked, .clientKeyPassword = "Sesame!"},
                {.clientCertificatePem = certificate, .clientKeyPem = authority().issue().key},
                {.clientCertificatePem = files.identity.key},
                {.clientCertificatePem = certificate, .clientKeyPem = files.identity.key.substr(0, 200)},
                {.clientCertificateFile = files.key, .clientKeyFile = files.key},
                {.clientCertificateFile = files.certificate + "\n" + files.identity.key},
                {.clientKeyPassword = "Sesame\n"},
                {.proxy = proxy},
                {.proxy = proxy.substr(7)},
                {.proxy = "socks5h" + proxy.substr(4)},
                {.proxy = "https" + proxy.substr(4)},
                {.proxy = proxy + "\n"},
                {.proxy = "http://user:Tell0Nobody@" + std::string(64, 'a') + ".invalid"},
                {.proxy = "http://user:Tell0Nobody/?#@127.0.0.1:1"},
                {.proxy = "http://user:/?#Tell0Nobody@127.0.0.1:1"},
                {.proxy = "http://Tell0Nobody@:1"},
                {.proxy = "carrier-pigeon" + proxy.substr(4)},
                {.proxy = proxy, .noProxy = "127.0.0.1"}});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].caFile = authority().caFile();
    const bool isProxied = cases[i].proxy && cases[i].noProxy.empty();
    const std::string shown = shownBy(isProxied ? "https://service.test" : server.url(), cases[i]);
    EXPECT_THAT(shown, HasSubstr(i < works ? "200" : "")) << i;
    EXPECT_GT(shown.size(), 100U) << i;
    for (const std::string& secret : {std::string{"Sesame"}, std::string{"Tell0Nobody"},
                                      files.identity.key.substr(60, 40), locked.substr(60, 40)})
      EXPECT_THAT(shown, Not(HasSubstr(secret))) << i;
  }
}

ClientOptions demandedOf(const DemandingServer& server) {
  const Identity identity = authority().issue();
  return {.apiKey = "sk_test_1",
          .baseUrl = server.url(),
          .http = {.caPem = authority().caPem(),
                   .clientCertificatePem = identity.certificate,
                   .clientKeyPem = identity.key,
                   .minTlsVersion = TlsVersion::tls13}};
}

TEST(HttpSettings, ApplyToBothClientAndAsyncClient) {
  const DemandingServer server{{.clientAuthority = authority().caFile()}};
  const Client client{demandedOf(server)};
  const auto record = client.paymentRecords().retrieve("pr_1");
  EXPECT_TRUE(record) << record.error();
  AsyncClient async{demandedOf(server)};
  auto started = async.paymentRecords().retrieve("pr_1").future();
  const auto again = started.get();
  EXPECT_TRUE(again) << again.error();
  EXPECT_EQ(server.requests(), 2);
}

template <class SomeClient>
std::string objectionOf(const ClientOptions& options) {
  try {
    const SomeClient client{options};
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(HttpSettings, CannotBeCombinedWithATransport) {
  ClientOptions options{.apiKey = "sk_test_1",
                        .baseUrl = "https://service.test",
                        .http = {.caFile = "ca.pem"},
                        .transport = std::make_shared<test::CannedTransport>()};
  EXPECT_THAT(objectionOf<Client>(options), AllOf(HasSubstr("http"), HasSubstr("transport")));
  EXPECT_EQ(objectionOf<AsyncClient>(options), objectionOf<Client>(options));
  options.http = {};
  EXPECT_EQ(objectionOf<Client>(options), "");
}

TEST(HttpSettings, AreCheckedByTheConstructor) {
  EXPECT_THAT(objectionOf<Client>({.apiKey = "sk_test_1", .http = {.caPem = "none"}}),
              HasSubstr("CurlTransportOptions::caPem"));
}

}  // namespace
}  // namespace tally::tlsOptionsTest
