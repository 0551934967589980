#pragma once

#include <map>
#include <set>
#include <string>

#include "load/references.h"
#include "model/description.h"

namespace tally::codegen::model {

using load::Node;

/// Builds types, structs and enumerations from schemas, each once, regardless of the number of references.
class Schemas {
 public:
  Schemas(const load::Documents& documents, Description& description, Problems& problems)
      : documents_(documents), description_(description), problems_(problems) {}

  /// Collects the targets of identifiers, then builds every component schema.
  void build();

  /// The struct for the parameters of an operation of `self`; fields are added with addField().
  Struct& addParams(const std::string& name, const Tag& self, const Node& node);

  /// Adds the field that the schema at `schema` describes. `node` is the property or parameter
  /// that names it.
  Field& addField(Struct& owner, const std::string& name, bool required, const Node& node, const Node& schema,
                  const Tag* self);

  /// Adds a field for each property of `schema`.
  void addProperties(Struct& owner, const Node& schema, const Tag* self);

  /// Marks `owner` as complete, so that it comes before the structs that contain it.
  void finish(const Struct& owner);

  /// Marks the parameters and their parts. Call it after all structs are built.
  void markBorrowable();

  /// The struct built from the schema at `node`, or null if that is not an object with properties.
  [[nodiscard]] const Struct* structAt(const Node& node) const;
  [[nodiscard]] const Tag* resourceOf(const std::string& file) const;
  [[nodiscard]] const Unit* unitOf(const std::string& file) const;

 private:
  void addTags(const load::Document& document);
  void addTag(const std::string& name, const Node& schema, const load::Document& document);
  void checkIdPrefix(const Node& prefix);
  void addComponents(const load::Document& document);
  Unit& unitFor(const Node& schema);
  Unit& unitFor(const Node& schema, Unit& otherwise);

  Type typeOf(const Node& schema, const std::string& name, const Tag* self, Unit& unit);
  Type typeOfText(const Node& schema, const std::string& name, const Tag* self, Unit& unit);
  Type typeOfInteger(const Node& schema);
  Type typeOfList(const Node& schema, const std::string& name, const Tag* self, Unit& unit);
  void checkElement(const Node& element);
  Type typeOfObject(const Node& schema, const std::string& name, const Tag* self, Unit& unit);
  Type metadataEdit(const Node& schema);
  const Tag* tagFor(const Node& schema, const Tag* self);
  const Enum& enumFor(const Node& schema, const std::string& name, Unit& unit);
  void addValue(Enum& owner, const Node& value);
  const Struct& structFor(const Node& schema, const std::string& name, const Tag* self, Unit& unit);

  const load::Documents& documents_;
  Description& description_;
  Problems& problems_;
  std::map<std::string, Tag*, std::less<>> tags_{};
  std::map<std::string, Tag*, std::less<>> resources_{};  // by file
  std::map<std::string, Unit*, std::less<>> units_{};     // by stem
  std::map<std::string, const Enum*> enums_{};            // by place
  std::map<std::string, const Struct*> structs_{};        // by place
  std::set<std::string> open_{};                          // places of structs and lists under construction
};

}  // namespace tally::codegen::model
