#include "net/tls.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "certificates.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "fake/server/support/served.h"
#include "net/sockets.h"
#include "temporary_folder.h"

namespace tally::test {

namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The files of a certificate that an authority has signed.
struct TlsFiles {
  Authority authority{};
  Identity identity = authority.issue();
  TemporaryFolder folder{};
  std::string certificate = folder.write("cert.pem", identity.certificate);
  std::string key = folder.write("key.pem", identity.key);
};

class TlsServer : public testing::Test {
 protected:
  [[nodiscard]] Client client(const std::string& caFile) const {
    const auto clock = systemClock();
    return Client{{.apiKey = served.one.key,
                   .baseUrl = served.server.url(),
                   .transport = curlTransport(clock, {.caFile = caFile}),
                   .clock = clock}};
  }

  TlsFiles files{};
  Served served{{.requestTimeout = std::chrono::milliseconds{400},
                 .tlsCertificate = files.certificate,
                 .tlsKey = files.key}};
  Peer peer{served.server.port()};
};

TEST_F(TlsServer, ServesEveryPageOfAListToATrustingClient) {
  EXPECT_THAT(served.server.url(), StartsWith("https://127.0.0.1:"));
  for (int i = 0; i < 250; ++i)
    served.one.insert([](PaymentRecord& record) { record.metadata["note"] = std::string(400, 'x'); });
  int listed = 0;
  for (const auto& record : client(files.authority.caFile()).paymentRecords().list({.limit = 100})) {
    ASSERT_TRUE(record) << record.error();
    ++listed;
  }
  EXPECT_EQ(listed, 250);
}

TEST_F(TlsServer, IsNotTrustedWithoutItsCertificateAuthority) {
  const Authority other;
  const auto read = client(other.caFile()).paymentRecords().retrieve("pr_none");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind(), ErrorKind::connection) << read.error();
  EXPECT_EQ(client(files.authority.caFile()).paymentRecords().retrieve("pr_none").error().status(), 404);
}

TEST_F(TlsServer, BreaksTheConnectionWhenAFaultRequiresIt) {
  const std::string id = served.one.insert();
  served.one.service.faults().inject({.fault = fake::Fault::responseLost});
  const auto reported = client(files.authority.caFile())
                            .paymentRecords()
                            .reportFailed(id, {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_FALSE(reported);
  EXPECT_EQ(reported.error().kind(), ErrorKind::connection) << reported.error();
  EXPECT_EQ(served.one.service.objects().stateOf(served.one.key, id), "failed");
}

TEST_F(TlsServer, InformsAPeerWithoutTlsThatTlsIsRequired) {
  ASSERT_TRUE(peer.send(served.listBytes()));
  const std::string response = peer.rest();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(response, HasSubstr("this server speaks TLS; use https://"));
  EXPECT_TRUE(served.one.service.requests().list().empty());
}

TEST_F(TlsServer, DisconnectsPeersThatSendGarbageOrNothing) {
  ASSERT_TRUE(peer.send(std::string(1'000, '\x16')));
  (void)peer.rest();
  const Peer gone{served.server.port()};
  Peer silent{served.server.port()};
  EXPECT_EQ(silent.rest(), "") << "it may take as long as a request";
  EXPECT_EQ(client(files.authority.caFile()).paymentRecords().retrieve("pr_none").error().status(), 404);
}

TEST_F(TlsServer, CanBeStoppedDuringAHandshake) {
  served.server.stop();
  EXPECT_EQ(peer.rest(), "");
}

/// Both ends of a connection, with TLS, in one loop.
struct TlsPair {
  explicit TlsPair(const TlsFiles& files)
      : identity(fake::detail::loadIdentity(files.certificate, files.key)),
        trust(fake::detail::loadTrust(files.authority.caFile())) {
    fake::detail::Acceptor acceptor{loop.get_executor(), {boost::asio::ip::address_v4::loopback(), 0}};
    client.connect(acceptor.local_endpoint());
    acceptor.accept(server);
    for (fake::detail::Socket* socket : {&client, &server})
      socket->non_blocking(true);
    serverTls = identity->on(server);
    clientTls = trust->to(client, "127.0.0.1");
    serverTls->handshake([](const auto&, std::size_t) {});
    clientTls->handshake([](const auto&, std::size_t) {});
    loop.run();
    loop.restart();
  }

  boost::asio::io_context loop{};
  std::unique_ptr<const fake::detail::TlsIdentity> identity;
  std::unique_ptr<const fake::detail::TlsTrust> trust;
  fake::detail::Socket client{loop.get_executor()};
  fake::detail::Socket server{loop.get_executor()};
  std::unique_ptr<fake::detail::Tls> serverTls{};
  std::unique_ptr<fake::detail::Tls> clientTls{};
};

/// The number of a closed socket may belong to a file by then.
TEST(Tls, DoesNotWriteOnceItsSocketIsClosedBetweenTwoEventsOfTheSameMoment) {
  const TlsFiles files;
  TlsPair pair{files};
  const std::string large(std::size_t{16} * 1'024 * 1'024, 'x');
  bool failed = false;
  pair.serverTls->write(boost::asio::buffer(large),
                        [&](const auto& error, std::size_t) { failed = !!error; });
  const std::string file = files.folder.write("other", "");
  const int number = pair.server.native_handle();
  pair.server.async_wait(fake::detail::Socket::wait_error, [&](const auto&) {
    pair.server.close();
    const int other = open(file.c_str(), O_WRONLY);
    if (other != number) dup2(other, number);
  });
  pair.loop.poll();
  pair.client.set_option(boost::asio::socket_base::linger{true, 0});
  pair.client.close();
  pair.loop.run();
  EXPECT_TRUE(failed);
  EXPECT_EQ(std::filesystem::file_size(file), 0U);
  close(number);
}

TEST(TallyFakeTls, ReportsUnusableCertificatesAndKeys) {
  const TlsFiles files;
  const Identity other = files.authority.issue();
  const auto complaint = [](const std::string& certificate, const std::string& key) {
    Program program{{"--port", "0", "--tls-cert", certificate, "--tls-key", key}};
    const std::string text = program.rest();
    EXPECT_EQ(program.status(), 1);
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    return text;
  };
  const std::string otherKey = files.folder.write("other.pem", other.key);
  const std::string garbage = files.folder.write("garbage.pem", "-----BEGIN CERTIFICATE-----\nx\n");
  const std::string encrypted =
      files.folder.write("encrypted.pem",
                         "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                         "MIHeMEkGCSqGSIb3DQEFDTA8MBsGCSqGSIb3DQEFDDAOBAiwPFmQyTpmUAICCAAw\n"
                         "HQYJYIZIAWUDBAECBBCAE7uwmRZn8y0w7B8v1cHNBIGQZ0X2\n"
                         "-----END ENCRYPTED PRIVATE KEY-----\n");
  EXPECT_THAT(complaint(files.certificate, otherKey),
              HasSubstr("can't use " + otherKey + ": it is not the key of the first certificate in " +
                        files.certificate));
  EXPECT_THAT(complaint(files.key, files.key),
              HasSubstr("can't use " + files.key + ": it has no certificate in PEM"));
  EXPECT_THAT(complaint(garbage, files.key),
              HasSubstr("can't use " + garbage + ": it has no certificate in PEM"));
  EXPECT_THAT(complaint(files.certificate, files.certificate), HasSubstr(": it has no private key in PEM"));
  EXPECT_THAT(complaint("/nowhere/at/all", files.key), HasSubstr("can't read /nowhere/at/all: No such file"));
  EXPECT_THAT(complaint(files.certificate, "/"), HasSubstr("can't read /: Is a directory"));
  EXPECT_THAT(complaint(files.certificate, encrypted), HasSubstr(encrypted));
}

TEST(HttpServerTls, RequiresBothACertificateAndAKey) {
  const TlsFiles files;
  OneAccount one;
  EXPECT_THROW((fake::HttpServer{one.service, {.tlsCertificate = files.certificate}}), std::invalid_argument);
  EXPECT_THROW((fake::HttpServer{one.service, {.tlsKey = files.key}}), std::invalid_argument);
  EXPECT_THROW((fake::HttpServer{one.service, {.tlsCertificate = files.key, .tlsKey = files.key}}),
               std::runtime_error);
}

}  // namespace

}  // namespace tally::test
