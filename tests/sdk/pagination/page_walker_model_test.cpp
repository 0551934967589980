// However often an iteration is aborted, fails, or is resumed by another client, it returns every object
// exactly once, in order.

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::test {
namespace {

using fake::Fault;
using Ids = std::vector<std::string>;
using Records = Pager<PaymentRecord>;

enum class WalkKind { list, listBehind, towardsNewest, search };

fake::FaultRule anyFault() {
  return *rc::gen::elementOf(std::vector<fake::FaultRule>{{.fault = Fault::responseLost},
                                                          {.fault = Fault::reset},
                                                          {.fault = Fault::truncatedBody},
                                                          {.fault = Fault::garbledBody},
                                                          {.fault = Fault::emptyPage},
                                                          {.error = "api_error"}});
}

class WalkWorld {
 public:
  WalkWorld() {
    const int before = *rc::gen::inRange(0, 25);
    for (int i = 0; i <= before; ++i)
      create();
    from_ = all_.at(static_cast<std::size_t>(*rc::gen::inRange(0, before + 1)));
    expected_ = expected();
    pager_ = begun();
  }

  void step() {
    if (*rc::gen::inRange(0, 2) == 0) changeProcess();
    if (mayCreate() && *rc::gen::inRange(0, 3) == 0) create();
    if (*rc::gen::inRange(0, 3) == 0) disturb();
    const auto count = *rc::gen::inRange<std::size_t>(0, 9);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return breakAfter(count);
      case 1:
        return take(count);
      case 2:
        return collect(count);
      default:
        return readPages(count / 3);
    }
  }

  /// Reads everything that is left, and checks the result.
  void finish() {
    // Each process consumes one of the pending faults, if it still sends requests.
    for (std::size_t left = 2 * service_.faults().pending().size() + 1; left != 0; --left) {
      changeProcess();
      take(100);
    }
    if (way_ == WalkKind::towardsNewest) expected_ = expected();
    RC_ASSERT(finished_ == expected_);
    changeProcess();
    RC_ASSERT(pager_->collect(100).value().empty());
  }

 private:
  void create() { all_.insert(all_.begin(), service_.insert<PaymentRecord>(key_).id.str()); }

  /// Makes one of the next requests fail.
  void disturb() {
    if (*rc::gen::inRange(0, 2) == 0) service_.faults().inject({.times = *rc::gen::inRange(1, 3)});
    service_.faults().inject(anyFault());
  }

  /// New objects would come first before the first one is consumed. A search can't resume before the end of
  /// its first page.
  [[nodiscard]] bool mayCreate() const {
    if (way_ == WalkKind::search) return finished_.size() >= static_cast<std::size_t>(limit_);
    return way_ != WalkKind::list || !finished_.empty();
  }

  [[nodiscard]] Ids expected() const {
    const auto from = std::ranges::find(all_, from_);
    if (way_ == WalkKind::listBehind) return {from + 1, all_.end()};
    if (way_ == WalkKind::towardsNewest) return {std::make_reverse_iterator(from), all_.rend()};
    return all_;
  }

  /// Some processes prefetch.
  [[nodiscard]] Records begun() {
    Records records = plain();
    return *rc::gen::arbitrary<bool>() ? std::move(records).prefetch() : std::move(records);
  }

  [[nodiscard]] Records plain() {
    ClientOptions options = service_.clientOptions(key_);
    options.maxNetworkRetries = *rc::gen::inRange(0, 2);
    const PaymentRecords records = Client{options}.paymentRecords();
    if (way_ == WalkKind::search) return records.search({.query = "created>0", .limit = limit_});
    PaymentRecordListParams params{.limit = limit_};
    if (way_ == WalkKind::listBehind) params.startingAfter = from_;
    if (way_ == WalkKind::towardsNewest) params.endingBefore = from_;
    return records.list(params);
  }

  void changeProcess() { pager_ = begun().resumeFrom(pager_->checkpoint()); }

  void breakAfter(std::size_t count) {
    std::size_t n = 0;
    for (auto& record : *pager_) {
      if (!record || n++ == count) break;
      finished_.push_back(record.value().id.str());
    }
  }

  void take(std::size_t count) {
    for (auto& record : *pager_ | std::views::take(count))
      if (record) finished_.push_back(std::move(record.value()).id.str());
  }

  void collect(std::size_t count) {
    const auto objects = pager_->collect(count);
    if (!objects) return;
    RC_ASSERT(objects.value().size() <= count);
    for (const PaymentRecord& record : objects.value())
      finished_.push_back(record.id.str());
  }

  /// With another pager, at which this one then resumes.
  void readPages(std::size_t count) {
    auto pages = begun().resumeFrom(pager_->checkpoint()).pages();
    for (auto& page : pages | std::views::take(count)) {
      if (!page) break;
      auto ids = page.value().data | std::views::transform([](auto& record) { return record.id.str(); });
      Ids read{ids.begin(), ids.end()};
      if (way_ == WalkKind::towardsNewest) std::ranges::reverse(read);
      std::ranges::move(read, std::back_inserter(finished_));
    }
    pager_ = begun().resumeFrom(pages.checkpoint());
  }

  fake::Service service_{{.limits = false}};
  std::string key_ = service_.addAccount().sandboxKey;
  WalkKind way_ =
      *rc::gen::element(WalkKind::list, WalkKind::listBehind, WalkKind::towardsNewest, WalkKind::search);
  std::int64_t limit_ = *rc::gen::inRange(1, 8);
  Ids all_{};  // newest first
  std::string from_{};
  Ids expected_{};
  Ids finished_{};
  std::optional<Records> pager_{};
};

RC_GTEST_PROP(WalkModel, VisitsEveryObjectOnceInOrder, ()) {
  WalkWorld world;
  const int steps = *rc::gen::inRange(0, 12);
  for (int i = 0; i < steps; ++i)
    world.step();
  world.finish();
}

/// The state of a pager at each object, and at the end.
Ids shown(Records walk) {
  Ids shown;
  for (auto& record : walk) {
    shown.push_back(record ? record.value().id.str() : record.error().message());
    shown.push_back(walk.checkpoint());
  }
  shown.push_back(walk.checkpoint());
  return shown;
}

RC_GTEST_PROP(WalkModel, VisitsTheSameObjectsWithPrefetchingAsWithout, ()) {
  fake::Service service{{.limits = false}};
  const std::string key = service.addAccount().sandboxKey;
  for (int left = *rc::gen::inRange(0, 25); left > 0; --left)
    service.insert<PaymentRecord>(key);
  const Client client{service.clientOptions(key)};
  const auto limit = *rc::gen::inRange<std::int64_t>(1, 8);
  const bool searches = *rc::gen::arbitrary<bool>();
  const auto begun = [&] {
    return searches ? client.paymentRecords().search({.query = "created>0", .limit = limit})
                    : client.paymentRecords().list({.limit = limit});
  };
  const std::size_t before = service.requests().size();
  const Ids expected = shown(begun());
  const std::size_t requests = service.requests().size() - before;
  RC_ASSERT(shown(begun().prefetch()) == expected);
  RC_ASSERT(service.requests().size() - before == 2 * requests);
}

}  // namespace
}  // namespace tally::test
