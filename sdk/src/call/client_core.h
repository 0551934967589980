#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/error.h>
#include <tally/options.h>

#include "attempt/call_state_machine.h"
#include "attempt/retry_tokens.h"
#include "call/mutation_queues.h"
#include "call/read_counter.h"
#include "call/request_defaults.h"
#include "http/response_reader.h"
#include "pacing/paced_request.h"
#include "schema/operation.h"

namespace tally::detail {

class PacedCall;
struct Turn;

/// What a Client, its services and its pagers share: the options, and the path of every call. Thread-safe.
class ClientCore {
 public:
  explicit ClientCore(ClientOptions options);

  /// Sends `request`, with retries if allowed, until `reader` accepts a response. `object` is the identifier
  /// in its path, if any; `paced` is what a pacer knows about it. Null on success.
  [[nodiscard]] std::optional<Error> send(const AnyOperation& operation, std::string_view object,
                                          const HttpRequest& request, const PacedRequest& paced,
                                          const RequestOptions& options, const Reader& reader) const;

  /// The same options with `totalTimeout` converted to a deadline from now: for operations that consist of
  /// several calls.
  [[nodiscard]] RequestOptions fromNowOn(const RequestOptions& call) const;

  /// What a pacer needs to know about a request; empty without a pacer.
  [[nodiscard]] PacedRequest pacedRequest(const AnyOperation& operation, std::string_view id,
                                          ConstObjectRef params) const;

  /// Checks a call, builds and sends its request, and reads the response into `target`. `params` may be
  /// empty.
  [[nodiscard]] std::optional<Error> call(const AnyOperation& operation, std::string_view id,
                                          ConstObjectRef params, const RequestOptions& options,
                                          ObjectRef target) const;

  /// Calls `reading` in the turn of a following call of `change`. Waits for both at once, so that the change
  /// need not wait after the object is read. Until `turn` is destroyed, no other call of this client changes
  /// the object.
  [[nodiscard]] std::optional<Error> readInTurn(Turn& turn, const AnyOperation& reading,
                                                const AnyOperation& change, std::string_view id,
                                                ConstObjectRef changeParams, const RequestOptions& options,
                                                ObjectRef target) const;

  /// Makes the change that readInTurn() prepared; takes the same arguments.
  [[nodiscard]] std::optional<Error> changeInTurn(Turn& turn, const AnyOperation& change, std::string_view id,
                                                  ConstObjectRef params, const RequestOptions& options,
                                                  ObjectRef target) const;

  /// Decides the retries of a call whose effect is looked up before each of them. Neither queues nor paces:
  /// the calls that it consists of do that.
  [[nodiscard]] CallStateMachine machineFor(const AnyOperation& operation, const RequestOptions& call) const;

  // What a driver of calls needs.

  [[nodiscard]] AttemptRules rulesOf(const RequestOptions& call) const;
  [[nodiscard]] std::uint64_t nextJitterSeed() const noexcept;
  [[nodiscard]] RetryTokens& retryTokens() const noexcept { return tokens_; }
  [[nodiscard]] MutationQueues& mutationQueues() const noexcept { return queues_; }
  [[nodiscard]] ReadCounter& readCounter() const noexcept { return reads_; }
  [[nodiscard]] ReadCounter::Payer payerOf(const RequestOptions& call) const noexcept;
  /// Whether a call waits for its turn at the object.
  [[nodiscard]] bool queues(const AnyOperation& operation, std::string_view object) const;
  /// Leaves `paced` empty without a pacer.
  void pace(std::optional<PacedCall>& paced, const AnyOperation& operation, const PacedRequest& limits,
            const HttpRequest& request, PacedCall* next = nullptr) const;

  [[nodiscard]] const ClientOptions& options() const noexcept { return options_; }
  [[nodiscard]] const RequestDefaults& defaults() const noexcept { return defaults_; }
  [[nodiscard]] Clock& clock() const noexcept { return *options_.clock; }
  [[nodiscard]] MutationCounts mutations() const { return queues_.counts(); }
  [[nodiscard]] ReadsUsed readsUsed() const { return reads_.used(clock().now()); }

 private:
  /// A call that only lacks its turn.
  struct Ready {
    const AnyOperation& operation;
    std::string_view object{};
    const HttpRequest& request;
    const RequestOptions& options;
    const Reader& reader;
  };

  [[nodiscard]] std::optional<Error> sendIn(std::optional<MutationQueues::Place>& place, PacedCall* paced,
                                            bool queued, const Ready& call) const;
  [[nodiscard]] std::optional<Instant> deadlineOf(const RequestOptions& call) const;

  int seedProcess_;  // that of a random seed; 0: the user has chosen the seed
  ClientOptions options_;
  RequestDefaults defaults_;
  mutable std::atomic<std::uint64_t> calls_ = 0;
  mutable RetryTokens tokens_;
  mutable MutationQueues queues_;
  mutable ReadCounter reads_;
};

}  // namespace tally::detail
