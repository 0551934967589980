#include <algorithm>

#include <tally/memory_share.h>

namespace [[gnu::visibility("default")]] tally {

std::string MemoryShare::newProcess() {
  const std::lock_guard guard{mutex_};
  return std::to_string(++made_);
}

void MemoryShare::remove(const std::string& process) {
  processes_.erase(process);
  for (auto& [limit, pool] : pools_)
    if (const auto part = pool.parts.extract(process)) pool.freed += part.mapped().units;
}

void MemoryShare::claim(const std::string& process, const ShareClaim& claim) {
  Pool& pool = pools_[claim.limit];
  SharePart& part = pool.parts[process];
  part = {.limit = claim.limit, .process = process, .want = claim.want, .units = part.units};
  if (claim.units < part.units) {
    pool.freed += part.units - claim.units;
    part.units = claim.units;
    return;
  }
  const std::int64_t least = claim.units > 0 && part.units == 0 ? 1 : 0;
  const std::int64_t left = claim.total + claim.freedBefore - pool.taken;
  const std::int64_t more = std::min(claim.units - part.units, std::max(left, least));
  pool.taken += more;
  part.units += more;
}

ShareReply MemoryShare::exchange(const ShareRequest& request) {
  const std::lock_guard guard{mutex_};
  const std::string& self = request.self.process;
  const auto known = processes_.find(self);
  if (known == processes_.end() || known->second.beat < request.self.beat) {
    for (const ShareProcess& gone : request.vanished)
      if (const auto found = processes_.find(gone.process);
          found != processes_.end() && found->second.beat == gone.beat)
        remove(gone.process);
    processes_[self] = request.self;
    for (const ShareClaim& made : request.claims)
      claim(self, made);
    const auto holds = [&](const auto& pool) {
      const auto part = pool.second.parts.find(self);
      return part != pool.second.parts.end() && part->second.units > 0;
    };
    if (request.leaving && std::ranges::none_of(pools_, holds)) remove(self);
  }
  ShareReply reply;
  for (const auto& [name, process] : processes_)
    reply.processes.push_back(process);
  for (auto& [limit, pool] : pools_) {
    std::erase_if(pool.parts,
                  [](const auto& part) { return part.second.units == 0 && part.second.want == 0; });
    for (const auto& [process, part] : pool.parts)
      reply.parts.push_back(part);
  }
  for (const ShareClaim& made : request.claims)
    if (const auto pool = pools_.find(made.limit); pool != pools_.end())
      reply.pools.push_back({.limit = made.limit, .freed = pool->second.freed});
  return reply;
}

}  // namespace tally
