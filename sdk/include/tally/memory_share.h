#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include <tally/pacer_share.h>

namespace [[gnu::visibility("default")]] tally {

/// A PacerShare in memory: for several pacers in one process, and for tests.
class MemoryShare final : public PacerShare {
 public:
  [[nodiscard]] std::string newProcess() override;
  [[nodiscard]] ShareReply exchange(const ShareRequest& request) override;

 private:
  struct Pool {
    std::int64_t taken = 0;
    std::int64_t freed = 0;
    std::map<std::string, SharePart> parts{};  // by process
  };

  void remove(const std::string& process);
  void claim(const std::string& process, const ShareClaim& claim);

  std::mutex mutex_{};
  std::int64_t made_ = 0;
  std::map<std::string, ShareProcess> processes_{};
  std::map<std::string, Pool> pools_{};  // by limit
};

}  // namespace tally
