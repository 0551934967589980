#include <map>
#include <string>

#include <tally/error.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

/// Whether a call that ended in an error may succeed later or never.
std::string outlookOf(const Error::Details& details) {
  const Error error{details};
  EXPECT_FALSE(error.isRetryable() && error.isPermanent()) << error;
  return error.isRetryable() ? "later" : error.isPermanent() ? "never" : "neither";
}

TEST(LaterOrNever, IsDecidedForEveryKind) {
  const std::map<ErrorKind, std::string> outlooks{
      {ErrorKind::invalidParameter, "never"},
      {ErrorKind::canceled, "neither"},
      {ErrorKind::deadlineExceeded, "later"},
      {ErrorKind::queueFull, "later"},
      {ErrorKind::connection, "later"},
      {ErrorKind::timeout, "later"},
      {ErrorKind::malformedResponse, "later"},
      {ErrorKind::responseTooLarge, "never"},
      {ErrorKind::pagination, "later"},
      {ErrorKind::invalidRequest, "never"},
      {ErrorKind::authentication, "never"},
      {ErrorKind::permission, "never"},
      {ErrorKind::notFound, "never"},
      {ErrorKind::rateLimited, "later"},
      {ErrorKind::lockTimeout, "later"},
      {ErrorKind::tooManyRequests, "later"},
      {ErrorKind::server, "later"},
      {ErrorKind::exception, "neither"},
  };
  EXPECT_EQ(outlooks.size(), static_cast<std::size_t>(ErrorKind::exception) + 1);
  for (const auto& [kind, outlook] : outlooks) {
    EXPECT_EQ(outlookOf({.kind = kind}), outlook) << kind;
    EXPECT_EQ(outlookOf({.kind = kind, .effect = Effect::unknown}), "neither") << kind;
  }
}

TEST(LaterOrNever, AnUntrustedCertificateStaysUntrusted) {
  EXPECT_EQ(outlookOf({.kind = ErrorKind::connection, .failure = TransportFailure::Kind::tls}), "never");
  EXPECT_EQ(outlookOf({.kind = ErrorKind::connection, .failure = TransportFailure::Kind::couldNotResolve}),
            "later");
}

TEST(LaterOrNever, AnIntermediaryThatStopsWaitingRefusesNothing) {
  for (const int status : {460, 499})
    EXPECT_EQ(outlookOf({.kind = ErrorKind::invalidRequest, .status = status}), "later") << status;
  for (const int status : {400, 402, 405, 409, 422})
    EXPECT_EQ(outlookOf({.kind = ErrorKind::invalidRequest, .status = status}), "never") << status;
}

}  // namespace
}  // namespace tally
