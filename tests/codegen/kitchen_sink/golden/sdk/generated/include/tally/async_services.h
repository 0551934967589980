// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_gadgets.h>
#include <tally/async_widgets.h>

namespace [[gnu::visibility("default")]] tally {

/// One asynchronous service for each resource of the API. Thread-safe.
class AsyncServices {
 public:
  [[nodiscard]] AsyncGadgets gadgets() const { return AsyncGadgets{engine_}; }
  [[nodiscard]] AsyncWidgets widgets() const { return AsyncWidgets{engine_}; }

 protected:
  explicit AsyncServices(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}

  [[nodiscard]] const std::shared_ptr<detail::AsyncEngine>& engine() const noexcept { return engine_; }

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
