#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/system/error_code.hpp>

#include "raw_json_writer.h"
#include "schema.h"

namespace tally::detail {

/// Takes the events of boost::json::basic_parser and fills a struct by its list of fields.
class JsonHandler {
 public:
  using error_code = boost::system::error_code;

  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  JsonHandler(const Struct& type, void* object, bool whole) : root_(type), object_(object), whole_(whole) {}

  /// What is wrong and where, once an event has failed.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code& failed);
  bool on_object_end(std::size_t, error_code& failed);
  bool on_array_begin(error_code& failed);
  bool on_array_end(std::size_t, error_code& failed);
  bool on_key_part(std::string_view part, std::size_t, error_code& failed);
  bool on_key(std::string_view last, std::size_t, error_code& failed);
  bool on_string_part(std::string_view part, std::size_t, error_code& failed);
  bool on_string(std::string_view last, std::size_t, error_code& failed);
  bool on_number_part(std::string_view part, error_code& failed);
  bool on_int64(std::int64_t value, std::string_view last, error_code& failed);
  bool on_uint64(std::uint64_t value, std::string_view last, error_code& failed);
  bool on_double(double value, std::string_view last, error_code& failed);
  bool on_bool(bool value, error_code& failed);
  bool on_null(error_code& failed);
  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

 private:
  static constexpr std::size_t maxDepth = 16;

  enum class Into : std::uint8_t { object, list, metadata };

  /// An object or array that is being read.
  struct Frame {
    Into into = Into::object;
    void* target = nullptr;
    const Struct* type = nullptr;      // Into::object
    const ListAccess* list = nullptr;  // Into::list
    const Field* field = nullptr;      // the member whose value comes next
    std::size_t next = 0;    // Into::object: where to look for a name first; Into::list: elements read
    std::uint64_t seen = 0;  // Into::object: a bit for each field
  };

  /// Where the value that begins now goes to.
  struct Place {
    const Type* type = nullptr;
    void* member = nullptr;
    const Field* field = nullptr;
  };

  [[nodiscard]] Frame& top() { return frames_[depth_ - 1]; }
  bool push(Frame frame, error_code& failed);
  bool beginStruct(const Struct& type, void* target, error_code& failed);
  static std::size_t indexOf(std::string_view name, std::span<const Field> fields);
  bool selectField(std::string_view name, error_code& failed);
  void keepUnknown(std::string_view name);
  Place place() {
    const Frame& frame = top();
    if (frame.into == Into::list) return nextElement();
    const Field& field = *frame.field;
    return {
        .type = &field.type, .member = field.member ? field.member(frame.target) : nullptr, .field = &field};
  }
  Place nextElement();
  bool intoRawJson(const Place& place);
  bool putString(std::string_view text, error_code& failed);
  template <class Store>
  bool putLiteral(std::string_view literal, error_code& failed, Store store);
  bool putNumber(std::optional<std::int64_t> integer, std::string_view last, error_code& failed);
  bool missingField(error_code& failed);
  std::string_view whole(std::string_view last);
  [[nodiscard]] std::string path() const;
  bool fail(const std::string& what, error_code& failed) { return failAt(path(), what, failed); }
  bool failAt(const std::string& where, const std::string& what, error_code& failed);
  bool expected(const Type& type, error_code& failed);

  const Struct& root_;
  void* object_;
  bool whole_;
  std::array<Frame, maxDepth> frames_{};
  std::size_t depth_ = 0;
  std::string key_{};      // of the metadata entry that is being read
  std::string scratch_{};  // the parts of a key, string or number that comes in several
  std::string discarded_{};
  RawJsonWriter raw_{};
  std::string problem_{};
};

}  // namespace tally::detail
