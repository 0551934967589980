#include "bench/support/wrk.h"

#include <regex>
#include <stdexcept>
#include <string_view>

#include "bench/support/measure.h"
#include "fake/server/support/peer.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr std::string_view pipelining = R"(
init = function()
  local requests = {}
  for i = 1, 16 do requests[i] = wrk.format() end
  pipeline = table.concat(requests)
end
request = function() return pipeline end
)";

double measured(const std::string& options, const std::string& url, const std::string& key) {
  const std::string output =
      run("wrk -t1 -d1s " + options + " -H 'Authorization: Bearer " + key + "' " + url).output;
  std::smatch found;
  const bool measured = std::regex_search(output, found, std::regex{"Requests/sec: +([0-9.]+)"});
  if (!measured || output.find("Non-2xx") != std::string::npos) throw std::runtime_error{output};
  return std::stod(found[1]);
}

}  // namespace

double requestsPerSecond(const std::string& url, const std::string& key, int connections) {
  return measured("-c" + std::to_string(connections), url, key);
}

double pipelinedRequestsPerSecond(const std::string& url, const std::string& key) {
  test::TemporaryFolder folder;
  folder.write("pipelining.lua", pipelining);
  return measured("-c1 -s " + (folder.path() / "pipelining.lua").string(), url, key);
}

std::string recordPath(const test::Greeting& greeting) {
  const std::string records = "/v1/payment_records";
  test::Peer peer{greeting.port};
  peer.send(test::getBytes(records + "?limit=1", greeting.sandboxKey));
  const std::string response = peer.response();
  std::smatch found;
  if (!std::regex_search(response, found, std::regex{"\"(pr_[A-Za-z0-9]+)\""}))
    throw std::runtime_error{"no record in " + response};
  return records + '/' + found[1].str();
}

}  // namespace tally::bench
