#include "observed/list_order.h"

#include <algorithm>
#include <iterator>

namespace tally::fake::detail {

void ListOrder::learn(const std::vector<std::string>& ids, const PageEnds& ends) {
  ++pages_;
  const Place* previous = nullptr;
  for (const std::string& id : ids) {
    const Place& place = placeOf(id);
    if (previous != nullptr) join(*previous, place);
    previous = &place;
  }
  if (previous == nullptr) return;
  if (ends.newest) placeOf(ids.front()).run->newest = pages_;
  if (ends.oldest) previous->run->oldest = pages_;
}

/// The newest objects last, so that they stay the newest.
void ListOrder::learn(const ListOrder& other) {
  std::list<const Run*> runs = other.newestFirst();
  runs.reverse();
  for (const Run* run : runs)
    learn({run->ids.begin(), run->ids.end()}, {.newest = run->newest != 0, .oldest = run->oldest != 0});
}

/// An object that no page has shown begins a run of its own.
ListOrder::Place& ListOrder::placeOf(const std::string& id) {
  const auto [found, isNew] = places_.try_emplace(id);
  if (isNew) {
    const auto run = runs_.insert(runs_.end(), Run{.ids = {id}});
    found->second = {.run = run, .id = run->ids.begin()};
  }
  return found->second;
}

/// Joins the runs of two objects of which `next` follows `one`: what precedes or follows one of the two also
/// precedes or follows the other. Moves the shorter run.
void ListOrder::join(Place one, Place next) {
  if (one.run == next.run) return;
  std::list<std::string>& before = one.run->ids;
  std::list<std::string>& after = next.run->ids;
  const bool keepsFirst = before.size() >= after.size();
  const Runs::iterator kept = keepsFirst ? one.run : next.run;
  const Runs::iterator moved = keepsFirst ? next.run : one.run;
  for (const std::string& id : moved->ids)
    places_.find(id)->second.run = kept;
  if (keepsFirst) {
    before.splice(one.id, after, after.begin(), next.id);
    before.splice(std::next(one.id), after, next.id);
    before.splice(before.end(), after);
  } else {
    after.splice(after.begin(), before, before.begin(), one.id);
    after.splice(next.id, before, one.id);
    after.splice(std::next(next.id), before);
  }
  kept->newest = std::max(kept->newest, moved->newest);
  kept->oldest = std::max(kept->oldest, moved->oldest);
  runs_.erase(moved);
}

/// Whatever began the list later is newer. Runs of which nothing is known are between the two ends. If one
/// run has both, it is the whole list at some time, so that what it lacks is newer.
std::list<const ListOrder::Run*> ListOrder::newestFirst() const {
  std::list<const Run*> runs;
  for (const Run& run : runs_)
    runs.push_back(&run);
  runs.sort([](const Run* one, const Run* other) {  // keeps the order of equal ones
    return one->newest != other->newest ? one->newest > other->newest : one->oldest < other->oldest;
  });
  const auto whole =
      std::ranges::find_if(runs, [](const Run* run) { return run->newest != 0 && run->oldest != 0; });
  if (whole == runs.end()) return runs;
  for (auto run = std::next(whole); run != runs.end();) {
    const auto next = std::next(run);
    if ((*run)->newest == 0 && (*run)->oldest == 0) runs.splice(whole, runs, run);
    run = next;
  }
  return runs;
}

}  // namespace tally::fake::detail
