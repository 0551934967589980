#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/mem_fun.hpp>
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index/random_access_index.hpp>
#include <boost/multi_index/tag.hpp>
#include <boost/multi_index_container.hpp>

#include "record.h"
#include "search_indexes.h"

namespace tally::fake::detail {

/// The objects of one resource in one mode of an account. Looked up by identifier and by position in
/// constant time, listed from any place; indexes find those that have some value in a field. A
/// copy is a collection of its own.
class Collection {
 public:
  struct AsStored {};
  struct NewestFirst {};
  struct ById {};
  /// The order in which objects were stored comes first: in it a copy lays them out too.
  using Records = boost::multi_index_container<
      Record, boost::multi_index::indexed_by<
                  boost::multi_index::random_access<boost::multi_index::tag<AsStored>>,
                  boost::multi_index::ordered_unique<
                      boost::multi_index::tag<NewestFirst>,
                      boost::multi_index::const_mem_fun<Record, Position, &Record::position>, std::greater<>>,
                  boost::multi_index::hashed_unique<
                      boost::multi_index::tag<ById>,
                      boost::multi_index::const_mem_fun<Record, std::string_view, &Record::id>,
                      std::hash<std::string_view>>>>;
  using Ordered = Records::index<NewestFirst>::type;

  /// Null where there is none. Holds until something is added or replaced.
  [[nodiscard]] const Record* find(std::string_view id) const;

  /// The one that stands there; there must be one.
  [[nodiscard]] const Record& at(Position position) const { return records_[position.sequence]; }

  /// Behind all others of the same `created`. There must be none of that identifier.
  void add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
           std::uint8_t state);

  /// Keeps the object's identifier and its place.
  void replace(std::string_view id, std::string_view json, std::uint8_t state);

  [[nodiscard]] const Ordered& newestFirst() const { return records_.get<NewestFirst>(); }

  /// Which objects, all of `model`, have which value in `field`. See SearchIndexes for how long it stays.
  [[nodiscard]] const FieldIndex& index(const SearchedField& field, const Struct& model) {
    return indexes_.get(field, model, newestFirst());
  }

  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  Records records_{};
  SearchIndexes indexes_{};
};

}  // namespace tally::fake::detail
