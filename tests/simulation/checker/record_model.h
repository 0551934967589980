#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/metadata.h>
#include <tally/payment_records.h>

namespace tally::simulation {

/// The metadata key of the number of a change.
inline constexpr std::string_view numberKey = "n";

/// What the specification says of a payment record that is reported on, without any code of the client or of
/// the fake. Spec: "States and transitions", "Metadata rule".
class RecordModel {
 public:
  RecordModel(const PaymentRecord& record, std::string state, std::size_t position);

  /// Its position in the order of creation.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// How often it has been changed.
  [[nodiscard]] std::size_t version() const { return versions_.size() - 1; }
  [[nodiscard]] const std::string& state() const { return versions_.back().state; }

  /// A report has been applied. Empty if that is allowed; else what is wrong.
  [[nodiscard]] std::string apply(std::string_view operation, const std::vector<fake::SentParam>& params);

  /// Whether `record` is as it was in one of these versions.
  [[nodiscard]] bool shows(const PaymentRecord& record, std::size_t since, std::size_t until) const;
  [[nodiscard]] bool showsNow(const PaymentRecord& record) const {
    return shows(record, version(), version());
  }

 private:
  struct Version {
    std::string state{};
    Metadata metadata{};
  };

  [[nodiscard]] bool isVersion(const PaymentRecord& record, const Version& version) const;

  std::size_t position_;
  std::string initial_;
  Amount requested_;
  Amount canceled_;  // in the initial state
  Amount failed_;
  Amount guaranteed_;
  std::vector<Version> versions_{};
};

}  // namespace tally::simulation
