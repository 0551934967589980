#pragma once

#include <string>
#include <vector>

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// A row for each assignment.
[[nodiscard]] Lines assignmentRows(const std::vector<model::Assignment>& assignments);

/// A line for each state of an enumeration of them.
[[nodiscard]] Lines stateEnumerators(const model::Machine& machine);

/// The members that say what a transition starts from; `scope` leads to its trigger.
[[nodiscard]] Lines transitionLines(const model::Machine& machine, const model::Transition& transition,
                                    const std::string& scope);

/// Sets `marks`, an array of what an object shows for each state that can be seen, and `shows`, a line for
/// each state that leads to its array.
void setShows(Data& data, const model::Machine& machine);

/// What a client needs of a resource's states, or false where an object does not tell what became of a
/// report.
[[nodiscard]] Data machineData(const model::Resource& resource);

}  // namespace tally::codegen::emit
