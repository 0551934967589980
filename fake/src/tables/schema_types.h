#pragma once

#include "form/param_name.h"
#include "schema/any_object.h"
#include "schema/field_path.h"
#include "schema/operation.h"
#include "schema/visit.h"

// The types of the tables that client and fake share, and of the values that these describe.

namespace tally::fake::detail {

using tally::detail::AnyObject;
using tally::detail::AnyOperation;
using tally::detail::Assignment;
using tally::detail::ConstListRef;
using tally::detail::ConstObjectRef;
using tally::detail::ConstValueRef;
using tally::detail::Field;
using tally::detail::FieldPath;
using tally::detail::Kind;
using tally::detail::ListRef;
using tally::detail::ObjectRef;
using tally::detail::OperationKind;
using tally::detail::paramName;
using tally::detail::Resource;
using tally::detail::StateMachine;
using tally::detail::Struct;
using tally::detail::ValueRef;

}  // namespace tally::fake::detail
