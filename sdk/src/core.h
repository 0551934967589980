#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/error.h>
#include <tally/options.h>

#include "answer.h"
#include "operation.h"

namespace tally::detail {

/// What a Client, its services and its pagers share: the options, and the one way of every call.
/// Thread-safe.
class Core {
 public:
  explicit Core(ClientOptions options);

  /// Sends `request`, again if it may be, until `reader` has read an answer. Null when it went well.
  [[nodiscard]] std::optional<Error> send(const Operation& operation, const HttpRequest& request,
                                          const RequestOptions& options, const Reader& reader) const;

  /// Checks a call, puts it into bytes, sends them, and reads the answer into `target`, whose fields are
  /// those of `type`.
  [[nodiscard]] std::optional<Error> call(const Operation& operation, std::string_view id, const void* params,
                                          const RequestOptions& options, const Struct& type,
                                          void* target) const;

  [[nodiscard]] const ClientOptions& options() const noexcept { return options_; }
  [[nodiscard]] Clock& clock() const noexcept { return *options_.clock; }

 private:
  [[nodiscard]] std::uint64_t nextJitterSeed() const noexcept;

  ClientOptions options_;
  mutable std::atomic<std::uint64_t> calls_ = 0;
};

}  // namespace tally::detail
