#pragma once

#include <string>
#include <vector>

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// One row per assignment.
[[nodiscard]] Lines assignmentRows(const std::vector<model::Assignment>& assignments);

/// The enumerators of the states, one per line.
[[nodiscard]] Lines stateEnumerators(const model::Machine& machine);

/// The members for the trigger and the starting states of a transition; `scope` qualifies the trigger.
[[nodiscard]] Lines transitionLines(const model::Machine& machine, const model::Transition& transition,
                                    const std::string& scope);

/// Sets `marks`, an array of assignments for each state that objects show, and `shows`, a line per state that
/// refers to its array.
void setShows(Data& data, const model::Machine& machine);

/// What a client needs of a resource's states, or false if objects do not show the outcome of a report.
[[nodiscard]] Data machineData(const model::Resource& resource);

}  // namespace tally::codegen::emit
