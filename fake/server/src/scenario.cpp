#include "scenario.h"

#include <stdexcept>

#include "control_forms.h"
#include "json_input.h"

namespace tally::fake::detail {

namespace {

/// What the service says is wrong happened at that place.
template <class Action>
void at(const JsonInput& input, const Action& action) {
  try {
    action();
  } catch (const BadInput&) {
    throw;
  } catch (const std::invalid_argument& problem) {
    input.fail(problem.what());
  }
}

void setDuration(Service& service, JsonInput& input) {
  const std::string operation = input.required(input.text("operation"), "operation");
  const auto duration = input.milliseconds("milliseconds");
  if (!duration) input.fail("milliseconds", "is required");
  input.finish();
  service.setDuration(operation, *duration);
}

void fill(Tenant& tenant, JsonInput& input) {
  const auto keyFor = [&](JsonInput& part) {
    return part.boolean("livemode").value_or(false) ? tenant.account.liveKey : tenant.account.sandboxKey;
  };
  for (JsonInput& part : input.objects("records"))
    at(part, [&] {
      const std::string key = keyFor(part);
      const Seeding seeding = readSeeding(part);
      part.finish();
      (void)seed(tenant.service, key, seeding);
    });
  for (JsonInput& part : input.objects("transactions"))
    at(part, [&] {
      const std::string key = keyFor(part);
      const std::int64_t count = part.integer("count").value_or(1);
      part.finish();
      tenant.service.recordTransactions(key, count);
    });
  for (JsonInput& part : input.objects("limits"))
    at(part, [&] { tenant.service.setLimit(readLimit(part)); });
  for (JsonInput& part : input.objects("durations"))
    at(part, [&] { setDuration(tenant.service, part); });
  for (JsonInput& part : input.objects("faults"))
    at(part, [&] { tenant.service.script(readScript(part)); });
  input.finish();
  tenant.begin();
}

}  // namespace

void load(std::string_view scenario, Host& host) {
  const boost::json::value parsed = parseInput(scenario);
  JsonInput root{parsed};
  std::vector<JsonInput> accounts = root.objects("accounts");
  root.finish();
  if (accounts.empty()) root.fail("accounts", "expected at least one");
  for (JsonInput& account : accounts)
    fill(host.add(readAccountOptions(account)), account);
}

}  // namespace tally::fake::detail
