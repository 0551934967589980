#pragma once

#include <memory>

#include <tally/transport.h>

#include "simulation/network/network.h"

namespace tally::simulation {

/// The transport of a client.
[[nodiscard]] std::shared_ptr<Transport> makeLine(Network& network, Sender& sender);

}  // namespace tally::simulation
