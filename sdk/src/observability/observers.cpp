#include <utility>

#include <tally/observers.h>

namespace tally {

namespace {

class All final : public Observer {
 public:
  explicit All(std::vector<std::shared_ptr<Observer>> all) : all_(std::move(all)) {}

  void on(const Event& event) noexcept override {
    for (const auto& observer : all_)
      observer->on(event);
  }

 private:
  std::vector<std::shared_ptr<Observer>> all_;
};

}  // namespace

std::shared_ptr<Observer> combineObservers(std::vector<std::shared_ptr<Observer>> all) {
  std::erase(all, nullptr);
  return std::make_shared<All>(std::move(all));
}

}  // namespace tally
