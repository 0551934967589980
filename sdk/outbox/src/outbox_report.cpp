#include <array>
#include <ostream>

#include <tally/outbox_report.h>

namespace [[gnu::visibility("default")]] tally {

namespace {

/// The names of priorities, which are those of the schema too.
constexpr std::array<std::string_view, 2> priorities{"normal", "low"};

}  // namespace

std::ostream& operator<<(std::ostream& out, const OutboxError& error) {
  return out << error.what();
}

std::string_view toString(ReportPriority priority) noexcept {
  return priorities.at(static_cast<std::size_t>(priority));
}

std::ostream& operator<<(std::ostream& out, ReportPriority priority) {
  return out << toString(priority);
}

std::ostream& operator<<(std::ostream& out, const OutboxReport& value) {
  return out << value.report << ", key: " << value.key << ", connected account: " << value.connectedAccount;
}

std::ostream& operator<<(std::ostream& out, const EnqueueOptions& value) {
  out << "priority: " << value.priority;
  if (value.notBefore) out << ", not before: " << *value.notBefore;
  return out;
}

}  // namespace tally
