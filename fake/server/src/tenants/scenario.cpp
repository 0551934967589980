#include "tenants/scenario.h"

#include "format/control_json.h"
#include "format/json_input.h"

namespace tally::fake::detail {

namespace {

/// Adds the contents of one account.
void fillAccount(Service& service, const Account& account, JsonInput& input, const Stopped& stopped) {
  const auto keyFor = [&](JsonInput& part) {
    return part.boolean("livemode").value_or(false) ? account.liveKey : account.sandboxKey;
  };
  for (JsonInput& part : input.objects("records"))
    at(part, [&] {
      const std::string key = keyFor(part);
      const Insertion insertion = readInsertion(part);
      part.finish();
      (void)insert(service, key, insertion, stopped);
    });
  for (JsonInput& part : input.objects("transactions"))
    at(part, [&] {
      const std::string key = keyFor(part);
      const std::int64_t count = part.integer("count", 1).value_or(1);
      part.finish();
      service.transactions().record(key, count);
    });
}

/// Adds an account that the account of the tenant may act for.
void addConnected(Host& host, const std::shared_ptr<Tenant>& tenant, JsonInput& input,
                  const Stopped& stopped) {
  Service& service = tenant->service;
  const Account added = host.addBeside(tenant, readSome<AccountOptions>(input));
  service.connections().connect(tenant->account, added);
  fillAccount(service, added, input, stopped);
  for (JsonInput& part : input.objects("limits"))
    at(part, [&] { service.limits().set(added, readMembers<LimitOverride>(part)); });
  input.finish();
}

void fill(Host& host, const std::shared_ptr<Tenant>& tenant, JsonInput& input, const Stopped& stopped) {
  Service& service = tenant->service;
  fillAccount(service, tenant->account, input, stopped);
  for (JsonInput& part : input.objects("connected_accounts"))
    addConnected(host, tenant, part, stopped);
  for (JsonInput& part : input.objects("limits"))
    at(part, [&] { service.limits().set(readMembers<LimitOverride>(part)); });
  for (JsonInput& part : input.objects("durations"))
    at(part, [&] {
      const DurationSetting setting = readMembers<DurationSetting>(part);
      service.durations().set(setting.operation, setting.duration);
    });
  for (JsonInput& part : input.objects("faults"))
    at(part, [&] { service.faults().inject(readMembers<FaultRule>(part)); });
  input.finish();
  tenant->begin();
}

/// Counts the records of an account and of its connected accounts. Called before any is created, as creating
/// a million takes a while.
void count(JsonInput& account, std::int64_t& records) {
  for (JsonInput& part : account.objects("records")) {
    records += readCount(part);
    if (records > mostRecords)
      part.fail("count", "expected at most " + std::to_string(mostRecords) + " records in total");
  }
  for (JsonInput& connected : account.objects("connected_accounts"))
    count(connected, records);
}

}  // namespace

void load(std::string_view scenario, Host& host, const Stopped& stopped) {
  const JsonDocument parsed = parseInput(scenario);
  JsonInput root{parsed};
  std::vector<JsonInput> accounts = root.objects("accounts");
  root.finish();
  if (accounts.empty()) root.fail("accounts", "expected at least one");
  std::int64_t records = 0;
  for (JsonInput& account : accounts)
    count(account, records);
  for (JsonInput& account : accounts)
    fill(host, host.add(readTenantOptions(account)), account, stopped);
}

}  // namespace tally::fake::detail
