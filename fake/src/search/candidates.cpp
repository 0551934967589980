#include "search/candidates.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tally::fake::detail {

namespace {

class AllObjects final : public Candidates {
 public:
  AllObjects(const Collection& collection, std::optional<Position> after)
      : next_(after ? collection.newestFirst().behind(*after) : collection.newestFirst().begin()),
        end_(collection.newestFirst().end()) {}

  const Record* next() override { return next_ == end_ ? nullptr : &*next_++; }

 private:
  Collection::Ordered::Iterator next_;
  Collection::Ordered::Iterator end_;
};

/// Objects with a single key. The index has them in list order.
class WithKey final : public Candidates {
 public:
  WithKey(const Collection& collection, const FieldIndex& index, IndexKey key, std::optional<Position> after)
      : collection_(collection), next_(index.find(key, after)), end_(index.end()), key_(key) {}

  const Record* next() override {
    if (next_ == end_ || next_->key != key_) return nullptr;
    const Record& record = collection_.at(next_->position);
    ++next_;
    return &record;
  }

 private:
  const Collection& collection_;
  FieldIndex::Iterator next_;
  FieldIndex::Iterator end_;
  IndexKey key_;
};

/// Objects with a key in a range. A heap sorts only as many as are requested.
class InRange final : public Candidates {
 public:
  InRange(const Collection& collection, const FieldIndex& index, KeyRange keys, std::optional<Position> after)
      : collection_(collection) {
    for (auto it = index.find(keys.first, std::nullopt); it != index.end() && it->key <= keys.last; ++it)
      if (!after || it->position < *after) heap_.push_back(it->position);
    std::ranges::make_heap(heap_);
  }

  const Record* next() override {
    if (heap_.empty()) return nullptr;
    std::ranges::pop_heap(heap_);
    const Position newest = heap_.back();
    heap_.pop_back();
    return &collection_.at(newest);
  }

 private:
  const Collection& collection_;
  std::vector<Position> heap_{};  // the newest first
};

/// The union of several sources, without duplicates.
class OfAny final : public Candidates {
 public:
  explicit OfAny(std::vector<std::unique_ptr<Candidates>> sources) {
    for (auto& source : sources)
      if (const Record* first = source->next()) heads_.push_back({first, std::move(source)});
  }

  const Record* next() override {
    if (heads_.empty()) return nullptr;
    const auto positionOf = [](const Head& head) { return head.record->position(); };
    const Record* newest = std::ranges::max_element(heads_, {}, positionOf)->record;
    for (Head& head : heads_)
      if (head.record == newest) head.record = head.source->next();
    std::erase_if(heads_, [](const Head& head) { return head.record == nullptr; });
    return newest;
  }

 private:
  struct Head {
    const Record* record = nullptr;
    std::unique_ptr<Candidates> source{};
  };

  std::vector<Head> heads_{};
};

/// An index and a range of keys in it.
struct Lookup {
  const FieldIndex* index = nullptr;
  KeyRange keys{};
};

class Planner {
 public:
  Planner(const BoundQuery& query, const Struct& model, Collection& collection, std::optional<Position> after)
      : query_(query), model_(model), collection_(collection), after_(after) {}

  std::unique_ptr<Candidates> plan() {
    // The collection would evict some of these indexes before the search is over.
    if (query_.clauses().size() > SearchIndexes::most) return everything();
    return query_.join() == Join::all ? ofMostSelective() : ofAny();
  }

 private:
  std::unique_ptr<Candidates> everything() { return std::make_unique<AllObjects>(collection_, after_); }

  std::unique_ptr<Candidates> of(const Lookup& lookup) {
    const auto& [index, keys] = lookup;
    if (keys.isOneKey()) return std::make_unique<WithKey>(collection_, *index, keys.first, after_);
    return std::make_unique<InRange>(collection_, *index, keys, after_);
  }

  std::optional<Lookup> lookupOf(const BoundClause& bound) {
    const auto keys = indexKeysOf(bound);
    if (!keys) return std::nullopt;
    return Lookup{&collection_.index(bound.field, model_), *keys};
  }

  std::unique_ptr<Candidates> ofMostSelective() {
    std::vector<Lookup> lookups;
    for (const BoundClause& bound : query_.clauses())
      if (const auto lookup = lookupOf(bound)) narrow(lookups, *lookup);
    if (lookups.empty()) return everything();
    return of(*std::ranges::min_element(
        lookups, {}, [](const Lookup& lookup) { return lookup.index->count(lookup.keys); }));
  }

  /// An object has one value per field, so all clauses on a field must hold for the same value.
  static void narrow(std::vector<Lookup>& lookups, const Lookup& lookup) {
    const auto same = std::ranges::find(lookups, lookup.index, &Lookup::index);
    if (same == lookups.end()) {
      lookups.push_back(lookup);
    } else {
      same->keys = intersection(same->keys, lookup.keys);
    }
  }

  std::unique_ptr<Candidates> ofAny() {
    const auto helps = [](const BoundClause& bound) { return indexKeysOf(bound).has_value(); };
    if (!std::ranges::all_of(query_.clauses(), helps)) return everything();
    std::vector<std::unique_ptr<Candidates>> sources;
    for (const BoundClause& bound : query_.clauses())
      sources.push_back(of(*lookupOf(bound)));
    return std::make_unique<OfAny>(std::move(sources));
  }

  const BoundQuery& query_;
  const Struct& model_;
  Collection& collection_;
  std::optional<Position> after_;
};

}  // namespace

std::unique_ptr<Candidates> candidatesFor(const BoundQuery& query, const Struct& model,
                                          Collection& collection, std::optional<Position> after) {
  return Planner{query, model, collection, after}.plan();
}

}  // namespace tally::fake::detail
