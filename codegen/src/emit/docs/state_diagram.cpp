#include "emit/docs/state_diagram.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tally::codegen::emit {

namespace {

constexpr int boxWidth = 190;
constexpr int boxHeight = 56;
constexpr int columnWidth = 280;
constexpr int rowHeight = 130;
constexpr int margin = 24;
constexpr int loopHeight = 26;

using Arrow = std::pair<std::size_t, std::size_t>;

struct Point {
  int x = 0;
  int y = 0;
};

std::string text(const Point& point) {
  return std::to_string(point.x) + ' ' + std::to_string(point.y);
}

std::set<Arrow> arrowsOf(const model::StateMachine& machine) {
  std::set<Arrow> arrows;
  for (const model::Transition& transition : machine.transitions)
    for (const std::size_t before : transition.before)
      if (transition.refusal == nullptr) arrows.emplace(before, transition.after);
  return arrows;
}

/// Places the initial state on the left, final states on the right, and the others between them.
class Layout {
 public:
  explicit Layout(const model::StateMachine& machine) : arrows_(arrowsOf(machine)) {
    for (std::size_t i = 0; i < machine.states.size(); ++i)
      columns_[columnOf(machine, i)].push_back(i);
    places_.resize(machine.states.size());
    for (std::size_t column = 0; column < std::size(columns_); ++column)
      place(column);
  }

  [[nodiscard]] const std::set<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const Point& corner(std::size_t state) const { return places_[state]; }
  [[nodiscard]] int height() const {
    return 2 * (margin + loopHeight) + (rows() - 1) * rowHeight + boxHeight;
  }
  [[nodiscard]] static int width() { return 2 * margin + 2 * columnWidth + boxWidth; }

  [[nodiscard]] std::string path(const Arrow& arrow) const {
    const auto [from, to] = arrow;
    if (from == to) return loop(places_[from]);
    if (places_[from].x == places_[to].x) return vertical(places_[from], places_[to]);
    return horizontal(places_[from], places_[to]);
  }

 private:
  [[nodiscard]] std::size_t columnOf(const model::StateMachine& machine, std::size_t state) const {
    if (state == machine.initial) return 0;
    const bool leads = std::any_of(arrows_.begin(), arrows_.end(), [&](const Arrow& arrow) {
      return arrow.first == state && arrow.second != state;
    });
    return leads ? 1 : 2;
  }

  [[nodiscard]] int rows() const {
    std::size_t most = 1;
    for (const auto& column : columns_)
      most = std::max(most, column.size());
    return static_cast<int>(most);
  }

  void place(std::size_t column) {
    const int empty = (rows() - static_cast<int>(columns_[column].size())) * rowHeight / 2;
    int y = margin + loopHeight + empty;
    for (const std::size_t state : columns_[column]) {
      places_[state] = {margin + static_cast<int>(column) * columnWidth, y};
      y += rowHeight;
    }
  }

  /// Leaves and enters the box at its upper edge or, in the lower half, at its lower edge.
  [[nodiscard]] std::string loop(const Point& box) const {
    const bool below = box.y + boxHeight / 2 > height() / 2;
    const int y = below ? box.y + boxHeight : box.y;
    const int far = below ? y + 2 * loopHeight - 8 : y - 2 * loopHeight + 8;
    const int middle = box.x + boxWidth / 2;
    return "M" + text({middle - 18, y}) + " C" + text({middle - 22, far}) + ' ' + text({middle + 22, far}) +
           ' ' + text({middle + 18, y});
  }

  /// The ways up and down lie next to each other. They pass around the boxes between their ends.
  static std::string vertical(const Point& from, const Point& to) {
    const bool down = from.y < to.y;
    const int x = from.x + boxWidth / 2 + (down ? -14 : 14);
    const int start = down ? from.y + boxHeight : from.y;
    const int end = down ? to.y : to.y + boxHeight;
    const int distance = std::abs(to.y - from.y) / rowHeight;
    const int bulge = distance == 1 ? x : x + (down ? -1 : 1) * boxWidth;
    return "M" + text({x, start}) + " C" + text({bulge, start}) + ' ' + text({bulge, end}) + ' ' +
           text({x, end});
  }

  static std::string horizontal(const Point& from, const Point& to) {
    const bool right = from.x < to.x;
    const Point start{right ? from.x + boxWidth : from.x, from.y + boxHeight / 2};
    const Point end{right ? to.x : to.x + boxWidth, to.y + boxHeight / 2};
    const int middle = (start.x + end.x) / 2;
    return "M" + text(start) + " C" + text({middle, start.y}) + ' ' + text({middle, end.y}) + ' ' + text(end);
  }

  std::set<Arrow> arrows_{};
  std::vector<std::size_t> columns_[3]{};
  std::vector<Point> places_{};
};

/// The reports that lead to a state.
std::string reportsTo(const model::StateMachine& machine, std::size_t state) {
  std::string result;
  for (const model::Transition& transition : machine.transitions)
    if (transition.refusal == nullptr && transition.after == state)
      result.append(result.empty() ? "" : ", ").append(transition.trigger->method);
  return result;
}

Data boxes(const model::StateMachine& machine, const Layout& layout) {
  Data list{Data::type::list};
  for (std::size_t i = 0; i < machine.states.size(); ++i) {
    const Point& corner = layout.corner(i);
    const std::string reports = reportsTo(machine, i);
    Data data;
    data.set("x", std::to_string(corner.x));
    data.set("y", std::to_string(corner.y));
    data.set("middle", std::to_string(corner.x + boxWidth / 2));
    data.set("name_y", std::to_string(corner.y + 24));
    data.set("remark_y", std::to_string(corner.y + 43));
    data.set("name", machine.states[i].name);
    data.set("remark", reports.empty() ? "initial" : reports);
    list << data;
  }
  return list;
}

Data paths(const Layout& layout) {
  Data list{Data::type::list};
  for (const Arrow& arrow : layout.arrows()) {
    Data data;
    data.set("path", layout.path(arrow));
    list << data;
  }
  return list;
}

}  // namespace

std::string stateDiagram(const model::Description& description, const model::Resource& resource,
                         Templates& templates) {
  const Layout layout{resource.machine};
  Data data;
  data.set("version", description.version);
  data.set("resource", resource.tag->name);
  data.set("width", std::to_string(Layout::width()));
  data.set("height", std::to_string(layout.height()));
  data.set("box_width", std::to_string(boxWidth));
  data.set("box_height", std::to_string(boxHeight));
  data.set("boxes", boxes(resource.machine, layout));
  data.set("arrows", paths(layout));
  return templates.render("states.svg", data);
}

}  // namespace tally::codegen::emit
