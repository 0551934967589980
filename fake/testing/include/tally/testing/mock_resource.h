#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/error.h>
#include <tally/fake/decoded_request.h>
#include <tally/json.h>
#include <tally/pager.h>
#include <tally/testing/mock_transport.h>
#include <tally/transport.h>

#include <gmock/gmock.h>

namespace tally::testing {

namespace detail {

using fake::detail::DecodedRequest;

/// The result of a method without an action.
inline Error noAction() {
  return Error{{.kind = ErrorKind::connection,
                .message = "no action is set up for the call",
                .failure = TransportFailure::Kind::couldNotConnect}};
}

template <class T>
TransportResult encode(const DecodedRequest& /*request*/, const T& object) {
  return fake::detail::encodeObject(toJson(object));
}

template <class T>
TransportResult encode(const DecodedRequest& request, const Page<T>& page) {
  fake::detail::EncodedPage encoded{
      .hasMore = page.hasMore, .url = page.url, .nextPage = page.nextPage, .totalCount = page.totalCount};
  for (const T& object : page.data)
    encoded.data.push_back(toJson(object));
  return fake::detail::encodePage(request, encoded);
}

template <class Argument>
const Argument& argument(const DecodedRequest& request) {
  if constexpr (std::is_same_v<Argument, std::string>) {
    return request.id;
  } else {
    return *static_cast<const Argument*>(request.params.get());
  }
}

/// Calls a mocked method with the arguments of a request, and encodes the result.
template <class Mock, class T, class... Arguments>
TransportResult respond(Mock& mock, Result<T> (Mock::*method)(const Arguments&...),
                        const DecodedRequest& request) {
  using Default = ::testing::DefaultValue<Result<T>>;
  if (!Default::IsSet()) Default::SetFactory([] { return Result<T>{noAction()}; });
  const Result<T> result = (mock.*method)(argument<Arguments>(request)...);
  if (result.has_error()) return fake::detail::encodeError(result.assume_error());
  return encode(request, result.assume_value());
}

template <class>
struct ClassOf;
template <class Mock, class Method>
struct ClassOf<Method Mock::*> {
  using Type = Mock;
};

/// An operation and the mocked method that carries it out.
struct MockedOperation {
  std::string_view name{};
  TransportResult (*respond)(Transport& mock, const DecodedRequest& request) = nullptr;
};

template <auto method>
TransportResult respondWith(Transport& mock, const DecodedRequest& request) {
  return respond(static_cast<typename ClassOf<decltype(method)>::Type&>(mock), method, request);
}

}  // namespace detail

/// The base class of service mocks such as MockPaymentRecords in <tally/testing/mock_payment_records.h>. It
/// is a transport that decodes each request, calls the mocked method of the service, and encodes what it
/// returns. The code under test uses an ordinary Client.
///
/// The methods have the same names as those of the service, but take no `RequestOptions`. Identifiers are
/// strings, so that literals match. A list or a search returns one Page for each request. An Error with a
/// status, such as one from fake::serviceError(), becomes a response of the service. An Error of
/// ErrorKind::connection or ErrorKind::timeout becomes a failure of the transport; if its effect is
/// `unknown`, the request may have been sent.
///
/// ```
/// const auto payments = std::make_shared<MockPaymentRecords>();
/// EXPECT_CALL(*payments, reportFailed("pr_1", _)).WillOnce(Return(record));
/// const Client client{clientOptions(payments)};
/// ```
class MockResource : public Transport {
 public:
  /// Forwards requests for other resources to `inner`, such as the mock of another service. Without `inner`,
  /// these requests fail without being sent.
  explicit MockResource(std::shared_ptr<Transport> inner = nullptr) : inner_(std::move(inner)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    const auto decoded = fake::detail::decodeRequest(request);
    for (const detail::MockedOperation& operation : operations())
      if (operation.name == decoded.operation) return respond(operation, decoded);
    return inner_ ? inner_->send(request, limits) : detail::unexpected(request);
  }

  [[nodiscard]] bool inProcess() const noexcept override { return !inner_ || inner_->inProcess(); }

 private:
  [[nodiscard]] virtual std::span<const detail::MockedOperation> operations() const = 0;

  TransportResult respond(const detail::MockedOperation& operation, const detail::DecodedRequest& request) {
    if (request.problem.empty()) return operation.respond(*this, request);
    ADD_FAILURE() << "the mock can't read the parameters of " << request.operation << ": " << request.problem;
    return fake::detail::encodeError(detail::noAction());
  }

  std::shared_ptr<Transport> inner_;
};

}  // namespace tally::testing
