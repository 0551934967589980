#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/error.h>
#include <tally/options.h>

#include "answer.h"
#include "attempts.h"
#include "mutation_queues.h"
#include "operation.h"
#include "paced_request.h"
#include "read_counter.h"
#include "retry_tokens.h"

namespace tally::detail {

/// What a Client, its services and its pagers share: the options, and the one way of every call.
/// Thread-safe.
class Core {
 public:
  explicit Core(ClientOptions options);

  /// Sends `request`, again if it may be, until `reader` has read an answer. `object` is the identifier in
  /// its path, if there is one, and `paced` what a pacer knows of it. Null when it went well.
  [[nodiscard]] std::optional<Error> send(const Operation& operation, std::string_view object,
                                          const HttpRequest& request, const PacedRequest& paced,
                                          const RequestOptions& options, const Reader& reader) const;

  /// The same options with a deadline in the place of `totalTimeout`, which runs from now on: for what is
  /// made of several calls.
  [[nodiscard]] RequestOptions fromNowOn(const RequestOptions& call) const;

  /// What a pacer has to know of a request; empty where there is none.
  [[nodiscard]] PacedRequest pacedRequest(const Operation& operation, std::string_view id,
                                          const void* params) const;

  /// Checks a call, puts it into bytes, sends them, and reads the answer into `target`, whose fields are
  /// those of `type`.
  [[nodiscard]] std::optional<Error> call(const Operation& operation, std::string_view id, const void* params,
                                          const RequestOptions& options, const Struct& type,
                                          void* target) const;

  /// What decides when a call is sent again whose effect is looked up before each further attempt. It neither
  /// queues nor paces, which is up to the calls that it is made of.
  [[nodiscard]] Attempts attempts(const Operation& operation, const RequestOptions& call) const;

  [[nodiscard]] const ClientOptions& options() const noexcept { return options_; }
  [[nodiscard]] Clock& clock() const noexcept { return *options_.clock; }
  [[nodiscard]] MutationCounts mutations() const { return queues_.counts(); }
  [[nodiscard]] ReadsUsed readsUsed() const { return reads_.used(clock().now()); }

 private:
  [[nodiscard]] std::uint64_t nextJitterSeed() const noexcept;
  [[nodiscard]] ReadCounter::Payer payerOf(const RequestOptions& call) const noexcept;
  [[nodiscard]] RetryPolicy policyOf(const RequestOptions& call) const;
  [[nodiscard]] std::optional<Instant> deadlineOf(const RequestOptions& call) const;

  ClientOptions options_;
  mutable std::atomic<std::uint64_t> calls_ = 0;
  mutable RetryTokens tokens_;
  mutable MutationQueues queues_;
  mutable ReadCounter reads_;
};

}  // namespace tally::detail
