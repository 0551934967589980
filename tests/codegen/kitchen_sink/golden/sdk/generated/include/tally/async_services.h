// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_widgets.h>

namespace [[gnu::visibility("default")]] tally {

/// One asynchronous service for each resource of the API. Thread-safe.
class AsyncServices {
 public:
  [[nodiscard]] AsyncWidgets widgets() const { return AsyncWidgets{engine()}; }

 protected:
  explicit AsyncServices(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}

  [[nodiscard]] bool isMovedFrom() const noexcept { return engine_ == nullptr; }
  /// Throws std::logic_error if this has been moved from.
  [[nodiscard]] const std::shared_ptr<detail::AsyncEngine>& engine() const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
