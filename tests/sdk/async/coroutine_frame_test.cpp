// What calls add to the frame of a coroutine that awaits them.

#include <coroutine>
#include <cstddef>
#include <new>

#include <tally/async.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

/// A coroutine that never runs, and the size of its frame.
class NeverRun {
 public:
  struct promise_type {
    static void* operator new(std::size_t size) {
      latestSize = size;
      return ::operator new(size);
    }
    static void operator delete(void* frame) noexcept { ::operator delete(frame); }
    NeverRun get_return_object() {
      return NeverRun{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    static void unhandled_exception() noexcept {}

    inline static std::size_t latestSize = 0;
  };

  NeverRun(const NeverRun&) = delete;
  NeverRun& operator=(const NeverRun&) = delete;
  ~NeverRun() { coroutine_.destroy(); }

  [[nodiscard]] std::size_t frameSize() const noexcept { return frameSize_; }

 private:
  explicit NeverRun(std::coroutine_handle<promise_type> coroutine)
      : coroutine_(coroutine), frameSize_(promise_type::latestSize) {}

  std::coroutine_handle<promise_type> coroutine_;
  std::size_t frameSize_;
};

using RecordId = Id<PaymentRecord>;
using Failed = PaymentRecordReportFailedParams;
using Known = ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>;

NeverRun retrieveByDefaults(const AsyncPaymentRecords& records, const RecordId& id) {
  (void)co_await records.retrieve(id);
}
NeverRun retrieve(const AsyncPaymentRecords& records, const RecordId& id,
                  const Borrowed<RequestOptions>& options) {
  (void)co_await records.retrieve(id, options);
}

NeverRun checkByDefaults(const AsyncPaymentRecords& records, const RecordId& id,
                         const Borrowed<Failed>& report) {
  (void)co_await records.checkReport(id, report);
}
NeverRun check(const AsyncPaymentRecords& records, const RecordId& id, const Borrowed<Failed>& report,
               const Borrowed<Known>& known, const Borrowed<RequestOptions>& options) {
  (void)co_await records.checkReport(id, report, known, options);
}

class FrameOfACoroutine : public testing::Test {
 protected:
  const AsyncClient async_{{.apiKey = "sk_test_1"}};
  const AsyncPaymentRecords records_ = async_.paymentRecords();
  const RecordId id_{"pr_1"};
};

/// With `{}` as the default, the options alone took 700 bytes of it.
TEST_F(FrameOfACoroutine, HoldsNoOptionsThatACallDoesNotPass) {
  EXPECT_LE(retrieveByDefaults(records_, id_).frameSize(), retrieve(records_, id_, {}).frameSize());
}

TEST_F(FrameOfACoroutine, HoldsNoParametersThatACallDoesNotPass) {
  EXPECT_LE(checkByDefaults(records_, id_, {}).frameSize(), check(records_, id_, {}, {}, {}).frameSize());
}

}  // namespace
}  // namespace tally
