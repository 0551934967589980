#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/error.h>
#include <tally/options.h>

#include "call/attempts.h"
#include "call/mutation_queues.h"
#include "call/read_counter.h"
#include "call/retry_tokens.h"
#include "http/answer.h"
#include "pacing/paced_request.h"
#include "schema/operation.h"

namespace tally::detail {

class PacedCall;
struct Turn;

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

  /// A call of `reading` in the turn of one of `change`, which is to follow: waits for both at once, so that
  /// the object is read when the other call need not wait any more. Until `turn` goes, no other call of this
  /// client changes the object.
  [[nodiscard]] std::optional<Error> readInTurn(Turn& turn, const Operation& reading, const Operation& change,
                                                std::string_view id, const void* changeParams,
                                                const RequestOptions& options, void* target) const;

  /// The call that readInTurn() made ready for, with the same arguments.
  [[nodiscard]] std::optional<Error> changeInTurn(Turn& turn, const Operation& change, std::string_view id,
                                                  const void* params, const RequestOptions& options,
                                                  void* target) const;

  /// What decides when a call is sent again whose effect is looked up before each further attempt. It neither
  /// queues nor paces, which is up to the calls that it is made of.
  [[nodiscard]] Attempts attempts(const Operation& operation, const RequestOptions& call) const;

  [[nodiscard]] const ClientOptions& options() const noexcept { return options_; }
  [[nodiscard]] Clock& clock() const noexcept { return *options_.clock; }
  [[nodiscard]] MutationCounts mutations() const { return queues_.counts(); }
  [[nodiscard]] ReadsUsed readsUsed() const { return reads_.used(clock().now()); }

 private:
  /// A call of which all is known but its turn.
  struct Ready {
    const Operation& operation;
    std::string_view object{};
    const HttpRequest& request;
    const RequestOptions& options;
    const Reader& reader;
  };

  [[nodiscard]] std::optional<Error> sendIn(std::optional<MutationQueues::Place>& place, PacedCall* paced,
                                            bool queued, const Ready& call) const;
  [[nodiscard]] bool queues(const Operation& operation, std::string_view object) const;
  void pace(std::optional<PacedCall>& paced, const Operation& operation, const PacedRequest& limits,
            const HttpRequest& request, PacedCall* next = nullptr) const;
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
