#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/body_stream.h"
#include "tenants/host.h"

namespace tally::fake::detail {

/// The events of one service as server-sent events: each logged request, unless only changes are wanted, and
/// which parts of the service may have changed. Ends once the key is unknown.
class EventStream final : public BodyStream {
 public:
  /// Parts are sent at most this often, and if there is nothing to send, a comment keeps the connection open.
  static constexpr std::chrono::milliseconds changeInterval{100};
  static constexpr std::chrono::seconds keepAlive{15};

  enum class Tells : std::uint8_t { requestsAndChanges, changes };

  /// Starts after the request with number `after`. `host` must outlive this.
  EventStream(const Host& host, std::string key, Owner owner, std::uint64_t after,
              Tells tells = Tells::requestsAndChanges);

  void onMore(std::function<void()> wake) override;
  [[nodiscard]] std::optional<std::string> take(Time now) override;
  [[nodiscard]] Time nextTake() const override;

 private:
  struct Parts {
    bool log = false;
    bool objects = false;  // and accounts
    bool faults = false;
    bool others = false;  // whatever requests do not change
  };

  void noteChanges();
  void takeRequests(std::string& out);
  void note(const LoggedRequest& request);
  void takeChanges(std::string& out, Time now);

  const Host& host_;
  const std::string key_;
  const Owner owner_;
  const Service& service_;
  const Tells tells_;
  std::uint64_t after_;
  std::uint64_t changes_;  // the changes that are told or noted
  std::uint64_t last_;     // the last request at that time
  std::size_t size_ = 0;   // of the log at that time
  Parts parts_{};          // to be told
  bool begun_ = false;
  Time toldAt_ = Time::min();  // the parts
  Time sentAt_{};
  std::shared_ptr<const void> listening_{};
};

}  // namespace tally::fake::detail
