#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "call/client_core.h"
#include "options/key_header.h"
#include "pagination/page_type.h"

namespace tally::detail {

/// The request common to all pages of one list or search; only the cursor differs. Immutable after
/// construction, so threads may share it.
class PageSource {
 public:
  /// `params` are those of the first page. If they have a fault(), do not call fetch().
  PageSource(std::shared_ptr<const ClientCore> core, const AnyOperation& operation, ConstObjectRef params,
             const RequestOptions& options);

  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }

  /// The cursor in the parameters; empty: from the beginning.
  [[nodiscard]] const std::string& start() const noexcept { return start_; }

  /// Requests the page of a cursor (empty: the first) until `reader` accepts it. `call` may differ from
  /// options() only in what is not part of the request.
  [[nodiscard]] std::optional<Error> fetch(const std::string& cursor, const RequestOptions& call,
                                           const Reader& reader) const;

  /// The request for the page of a cursor (empty: the first), and what a pacer knows about it.
  [[nodiscard]] KeyedRequest requestAt(const std::string& cursor) const;
  [[nodiscard]] const PacedRequest& paced() const noexcept { return paced_; }

  /// The cursor of the next page, if more follow, which is never empty; nullopt if this page does not say.
  [[nodiscard]] std::optional<std::string> cursorBehind(const PageFacts& facts) const;

  [[nodiscard]] bool searches() const noexcept { return operation_.kind == OperationKind::search; }
  /// Whether iteration goes from older objects to newer ones.
  [[nodiscard]] bool backwards() const noexcept;

  [[nodiscard]] const ClientCore& core() const noexcept { return *core_; }
  [[nodiscard]] const AnyOperation& operation() const noexcept { return operation_; }
  [[nodiscard]] const RequestOptions& options() const noexcept { return options_; }

 private:
  void chooseCursor(ConstObjectRef params);

  std::shared_ptr<const ClientCore> core_;
  const AnyOperation& operation_;
  RequestOptions options_;
  KeyedRequest request_{};  // for the first page, without a cursor
  PacedRequest paced_{};
  std::optional<Error> fault_{};
  std::string_view cursorName_{};
  std::string start_{};
};

}  // namespace tally::detail
