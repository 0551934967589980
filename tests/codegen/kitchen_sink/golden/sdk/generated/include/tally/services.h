// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/widgets.h>

namespace [[gnu::visibility("default")]] tally {

/// One service for each resource of the API. Thread-safe.
class Services {
 public:
  [[nodiscard]] Widgets widgets() const { return Widgets{core_}; }

 protected:
  explicit Services(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}

  [[nodiscard]] const detail::ClientCore& core() const noexcept { return *core_; }
  [[nodiscard]] const std::shared_ptr<const detail::ClientCore>& sharedCore() const noexcept { return core_; }

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
