#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace tally::test {

/// A transport on which a report can be late: its sender waits for an answer in vain, and it reaches the
/// service when a test says so.
class LateTransport final : public Transport {
 public:
  explicit LateTransport(fake::Service& service) : service_(service), inner_(service.transport()) {}

  std::variant<HttpResponse, TransportFailure> send(const HttpRequest& request,
                                                    const SendLimits& limits) override {
    if (beforeSend) beforeSend();
    if (holdBack == 0 || request.method != Method::post) return inner_->send(request, limits);
    --holdBack;
    late.push_back(request);
    return TransportFailure{TransportFailure::Kind::timeout, true, "no answer came in time"};
  }

  /// The first of the late reports reaches the service.
  void arrive() {
    (void)service_.handle(late.front());
    late.pop_front();
  }

  int holdBack = 0;  // how many reports, from now on
  std::deque<HttpRequest> late{};
  std::function<void()> beforeSend{};

 private:
  fake::Service& service_;
  std::shared_ptr<Transport> inner_;
};

/// The payment records of a client whose reports can be late.
inline PaymentRecords recordsOver(const std::shared_ptr<LateTransport>& transport, fake::Service& service,
                                  const std::string& key) {
  ClientOptions options = service.clientOptions(key);
  options.transport = transport;
  return Client{options}.paymentRecords();
}

enum class Outcome : std::uint8_t { unreported, canceled, failed, guaranteed };

inline std::string nameOf(Outcome outcome) {
  constexpr const char* names[] = {"unreported", "canceled", "failed", "guaranteed"};
  return names[static_cast<std::size_t>(outcome)];
}

/// A report of any of the three outcomes, and what can be done with it.
struct AnyReport {
  Outcome outcome = Outcome::failed;
  MetadataEdit metadata{};
  std::chrono::sys_seconds at{};  // tells it from others in the log

  /// Calls `use` with the parameters of the report.
  template <class Use>
  auto with(const Use& use) const {
    if (outcome == Outcome::canceled)
      return use(PaymentRecordReportCanceledParams{.canceledAt = at, .metadata = metadata});
    if (outcome == Outcome::failed)
      return use(PaymentRecordReportFailedParams{.failedAt = at, .metadata = metadata});
    return use(PaymentRecordReportGuaranteedParams{.guaranteedAt = at, .metadata = metadata});
  }

  [[nodiscard]] Result<PaymentRecord> send(const PaymentRecords& records, const Id<PaymentRecord>& id) const {
    if (outcome == Outcome::canceled)
      return records.reportCanceled(id, {.canceledAt = at, .metadata = metadata});
    if (outcome == Outcome::failed) return records.reportFailed(id, {.failedAt = at, .metadata = metadata});
    return records.reportGuaranteed(id, {.guaranteedAt = at, .metadata = metadata});
  }

  /// `record` is an identifier, or the record as it was before.
  template <class Record>
  [[nodiscard]] Result<ReportFate<PaymentRecord>> fateOf(const PaymentRecords& records,
                                                         const Record& record) const {
    return with([&](const auto& params) { return records.fateOf(record, params); });
  }

  template <class Record>
  [[nodiscard]] Result<ReportFate<PaymentRecord>> settle(const PaymentRecords& records, const Record& record,
                                                         const RequestOptions& options = {}) const {
    return with([&](const auto& params) { return records.settle(record, params, options); });
  }

  /// Whether `now` holds the metadata that this leaves behind, by what the service does to the map.
  [[nodiscard]] bool isVisibleIn(const Metadata& now) const {
    Metadata after = metadata.unsetsAll() ? Metadata{} : now;
    for (const auto& change : metadata.changes()) {
      if (change.unset) {
        after.erase(change.key);
      } else {
        after[change.key] = change.value;
      }
    }
    return after == now;
  }
};

}  // namespace tally::test
