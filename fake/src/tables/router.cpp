#include "tables/router.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace tally::fake::detail {

namespace {

using tally::detail::idPlaceholder;

std::size_t indexOf(Method method) {
  return static_cast<std::size_t>(method);
}

/// Removes and returns the first segment of `path`, which begins with a slash.
std::string_view takeSegment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

}  // namespace

Router::Router(std::span<const AnyOperation* const> operations) {
  for (const AnyOperation* operation : operations)
    add(*operation);
}

void Router::add(const AnyOperation& operation) {
  std::uint32_t node = 0;
  for (std::string_view path = operation.path; !path.empty();)
    node = step(node, takeSegment(path));
  const AnyOperation*& place = nodes_[node].operations[indexOf(operation.method)];
  if (place != nullptr)
    throw std::logic_error{"two operations share the path " + std::string{operation.path}};
  place = &operation;
}

std::uint32_t Router::step(std::uint32_t from, std::string_view segment) {
  const auto fresh = static_cast<std::uint32_t>(nodes_.size());
  if (segment == idPlaceholder) {
    if (nodes_[from].anyId != 0) return nodes_[from].anyId;
    nodes_[from].anyId = fresh;
  } else {
    for (const auto& [name, node] : nodes_[from].children)
      if (name == segment) return node;
    nodes_[from].children.emplace_back(segment, fresh);
  }
  nodes_.emplace_back();
  return fresh;
}

Route Router::find(Method method, std::string_view path) const {
  Route route;
  walk(0, path, method, route);
  return route;
}

/// Returns true once the operation is found. `path` is passed by value so that walkId() can retry a segment
/// that led nowhere as an identifier.
bool Router::walk(std::uint32_t from, std::string_view path, Method method, Route& route) const {
  const Node& node = nodes_[from];
  if (path.empty()) {
    route.operation = node.operations[indexOf(method)];
    for (std::size_t i = 0; i < route.takes.size(); ++i)
      route.takes[i] = route.takes[i] || node.operations[i] != nullptr;
    route.pathKnown = std::ranges::find(route.takes, true) != route.takes.end();
    return route.operation != nullptr;
  }
  if (path.front() != '/') return false;
  const std::string_view segment = takeSegment(path);
  for (const auto& [name, child] : node.children)
    if (name == segment && walk(child, path, method, route)) return true;
  return walkId(node.anyId, segment, path, method, route);
}

bool Router::walkId(std::uint32_t from, std::string_view id, std::string_view rest, Method method,
                    Route& route) const {
  if (from == 0 || id.empty()) return false;
  if (!walk(from, rest, method, route)) return false;
  route.id = id;
  return true;
}

}  // namespace tally::fake::detail
