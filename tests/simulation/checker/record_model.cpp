#include "simulation/checker/record_model.h"

#include <utility>

namespace tally::simulation {

namespace {

constexpr std::string_view metadataName = "metadata";

/// `canceled` of `payment_records.report_canceled`.
std::string outcomeOf(std::string_view operation) {
  return std::string{operation.substr(operation.rfind('_') + 1)};
}

/// An empty value unsets a key, and an empty value for `metadata` all of them.
void apply(const fake::SentParam& param, Metadata& metadata) {
  if (param.name == metadataName && param.value.empty()) return metadata.clear();
  if (!param.name.starts_with("metadata[")) return;
  const std::string key =
      param.name.substr(metadataName.size() + 1, param.name.size() - metadataName.size() - 2);
  if (param.value.empty()) {
    metadata.erase(key);
  } else {
    metadata[key] = param.value;
  }
}

}  // namespace

RecordModel::RecordModel(const PaymentRecord& record, std::string state, std::size_t position)
    : position_(position),
      initial_(state),
      requested_(record.amountRequested),
      canceled_(record.amountCanceled),
      failed_(record.amountFailed),
      guaranteed_(record.amountGuaranteed),
      versions_{{std::move(state), record.metadata}} {}

std::string RecordModel::apply(std::string_view operation, const std::vector<fake::SentParam>& params) {
  Version next = versions_.back();
  const bool wasGuaranteed = next.state == "guaranteed";
  next.state = outcomeOf(operation);
  for (const fake::SentParam& param : params)
    simulation::apply(param, next.metadata);
  versions_.push_back(std::move(next));
  return wasGuaranteed ? "is changed after it was guaranteed" : "";
}

bool RecordModel::isVersion(const PaymentRecord& record, const Version& version) const {
  if (record.amountRequested != requested_ || record.metadata != version.metadata) return false;
  if (version.state == initial_ && &version == &versions_.front())
    return record.amountCanceled == canceled_ && record.amountFailed == failed_ &&
           record.amountGuaranteed == guaranteed_;
  const Amount none{requested_.currency, 0};
  const auto is = [&](const Amount& amount, std::string_view state) {
    return amount == (version.state == state ? requested_ : none);
  };
  return is(record.amountCanceled, "canceled") && is(record.amountFailed, "failed") &&
         is(record.amountGuaranteed, "guaranteed");
}

bool RecordModel::shows(const PaymentRecord& record, std::size_t since, std::size_t until) const {
  for (std::size_t at = since; at <= until && at < versions_.size(); ++at)
    if (isVersion(record, versions_[at])) return true;
  return false;
}

}  // namespace tally::simulation
