#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

namespace tally::fake::detail {

class Engine;

/// What the parts of a Service, such as Faults, have in common: they share its state.
class ServicePart {
 public:
  explicit ServicePart(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

 protected:
  std::shared_ptr<Engine> engine_;
};

}  // namespace tally::fake::detail
