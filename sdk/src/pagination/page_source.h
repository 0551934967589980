#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "call/core.h"
#include "pagination/page_type.h"

namespace tally::detail {

/// What all pages of one list or search are asked for with; only the cursor differs. Does not change once it
/// is made, so threads may share it.
class PageSource {
 public:
  /// `params` are those of the first page. With a fault in them there is nothing to ask for.
  PageSource(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
             const RequestOptions& options);

  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }

  /// The cursor that the parameters give; empty: they begin at the beginning.
  [[nodiscard]] const std::string& start() const noexcept { return start_; }

  /// Asks for the page of a cursor, or with none for the first, until `reader` has read it. `call` may differ
  /// from options() in what is no part of the request.
  [[nodiscard]] std::optional<Error> fetch(const std::string& cursor, const RequestOptions& call,
                                           const Reader& reader) const;

  /// The cursor of the page behind one, where more follow; null if that page does not say.
  [[nodiscard]] std::optional<std::string> cursorBehind(const PageFacts& facts) const;

  [[nodiscard]] bool searches() const noexcept { return operation_.kind == OperationKind::search; }
  /// Whether pages come from older objects to newer ones.
  [[nodiscard]] bool backwards() const noexcept;

  [[nodiscard]] const Core& core() const noexcept { return *core_; }
  [[nodiscard]] const Operation& operation() const noexcept { return operation_; }
  [[nodiscard]] const RequestOptions& options() const noexcept { return options_; }

 private:
  void chooseCursor(const void* params);
  [[nodiscard]] HttpRequest requestAt(const std::string& cursor) const;

  std::shared_ptr<const Core> core_;
  const Operation& operation_;
  RequestOptions options_;
  HttpRequest request_{};  // of the first page, without a cursor
  PacedRequest paced_{};
  std::optional<Error> fault_{};
  std::string_view cursorName_{};
  std::string start_{};
};

}  // namespace tally::detail
