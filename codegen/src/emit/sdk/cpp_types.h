#pragma once

#include <set>
#include <string>

#include "emit/text/layout.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The C++ type of a value.
[[nodiscard]] std::string cppType(const model::Type& type);

/// The C++ type of the member that holds a field of `owner`.
[[nodiscard]] std::string memberType(const model::Field& field, const model::Struct& owner);

/// Whether that member is a std::optional.
[[nodiscard]] bool isOptional(const model::Field& field, const model::Struct& owner);

/// The C++ type of the member that refers to a field of the parameters of an asynchronous method. All of
/// these types are trivially destructible.
[[nodiscard]] std::string argumentType(const model::Type& type);

/// `#include` directives, sorted, in the groups of .clang-format.
class Includes {
 public:
  void standard(const std::string& name) { standard_.insert('<' + name + '>'); }
  void tally(const std::string& stem) { tally_.insert("<tally/" + stem + ".h>"); }
  void own(const std::string& file) { own_.insert('"' + file + '"'); }

  /// Adds what the member for `field` of `owner` needs.
  void addMember(const model::Field& field, const model::Struct& owner);

  /// All of them, with an empty line after each group.
  [[nodiscard]] Lines lines() const;

 private:
  void addType(const model::Type& type, const model::Unit& from);

  std::set<std::string> standard_{};
  std::set<std::string> tally_{};
  std::set<std::string> own_{};
};

}  // namespace tally::codegen::emit
