#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/logged_request.h>
#include <tally/fake/script.h>
#include <tally/fake/transport.h>
#include <tally/fake/virtual_clock.h>
#include <tally/options.h>

namespace tally::fake {

struct ServiceOptions {
  /// All identifiers, keys and request ids follow from it: the same seed and the same calls give the same
  /// bytes.
  std::uint64_t seed = 1;
  /// Where the service's clock begins.
  Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  /// How long after it was stored a new object is found by searches. Lists have it at once.
  std::chrono::seconds searchLag{0};
  /// How many requests the log keeps; the oldest make room. 0 keeps none.
  std::size_t requestLog = 10'000;
};

/// An account of the service, and its keys.
struct Account {
  std::string id{};
  std::string liveKey{};
  std::string sandboxKey{};
};

/// The payments service, in this process: accounts, objects, reports, lists, searches and error answers, as
/// the API description has them. It reads no wall clock and shares nothing with another Service.
///
/// Thread-safe. What is done to it while requests are under way happens between two of them.
class Service {
 public:
  explicit Service(ServiceOptions options = {});
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  Account addAccount();

  /// From now on `platform` may act for `connected`, in both modes, by `Service-Account`. Throws
  /// std::invalid_argument for accounts of another service.
  void connect(const Account& platform, const Account& connected);

  /// An OAuth access token with which requests act as `account`. Throws std::invalid_argument for an account
  /// of another service.
  std::string addAccessToken(const Account& account, bool livemode);

  /// Puts an object straight into the store of the account and mode of `key`, and returns it. It begins as
  /// the example in the API description, with identifiers of its own, created now; `edit` may change
  /// anything about it but its mode.
  ///
  /// Throws std::invalid_argument for an unknown key, and for an edit that leaves an identifier without its
  /// prefix, one that is taken, or something that is not JSON or not UTF-8.
  template <class T>
  T seed(std::string_view key, const std::function<void(T&)>& edit = {}) {
    T object{};
    seedObject(key, T::object, &object, [&edit](void* made) {
      if (edit) edit(*static_cast<T*>(made));
    });
    return object;
  }

  /// What a Client of this service is made of: the key, the way to reach it, its clock, and a jitter that
  /// follows from the seed and is another for each call.
  [[nodiscard]] ClientOptions clientOptions(std::string_view key);

  [[nodiscard]] std::shared_ptr<Transport> transport() const;
  [[nodiscard]] std::shared_ptr<VirtualClock> clock() const;

  /// Arranges a fault. Of several that match a request, the one that was added first is used up first.
  /// Throws std::invalid_argument where it names an operation or an error that does not exist.
  void script(Script script);

  /// The scripts that were not used up, with the times that are left; so that a test can see that what it
  /// arranged did happen.
  [[nodiscard]] std::vector<Script> unfiredScripts() const;

  /// What was sent, oldest first.
  [[nodiscard]] std::vector<LoggedRequest> requests() const;

  /// Answers one request. Its URL may be absolute, or begin with the path.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// The state of an object, as `guaranteed`; nothing where `key` sees no such object, or it has no states.
  /// Spec: "States and transitions".
  [[nodiscard]] std::optional<std::string> stateOf(std::string_view key, std::string_view id) const;

 private:
  void seedObject(std::string_view key, std::string_view resource, void* object,
                  const std::function<void(void*)>& edit);

  std::shared_ptr<detail::Server> server_;
};

}  // namespace tally::fake
