#include "emit/docs/state_diagram.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emit/docs/markdown.h"

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
    const auto leads = [&](const Arrow& arrow) { return arrow.first == state && arrow.second != state; };
    return std::ranges::any_of(arrows_, leads) ? 1 : 2;
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

/// How objects get into a state: by which reports, or from the beginning.
std::string waysTo(const model::StateMachine& machine, std::size_t state) {
  std::vector<std::string> methods;
  if (state == machine.initial) methods.emplace_back("initial");
  for (const model::Transition& transition : machine.transitions)
    if (transition.refusal == nullptr && transition.after == state)
      methods.push_back(transition.trigger->method);
  return joined(methods);
}

}  // namespace

Data stateDiagramData(const model::Resource& resource) {
  const model::StateMachine& machine = resource.machine;
  const Layout layout{machine};
  std::size_t next = 0;
  return object({{"resource", resource.tag->name},
                 {"width", Layout::width()},
                 {"height", layout.height()},
                 {"box_width", boxWidth},
                 {"box_height", boxHeight},
                 {"arrows", listOf(layout.arrows(), [&](const Arrow& arrow) { return layout.path(arrow); })},
                 {"boxes", listOf(machine.states, [&](const model::State& state) {
                    const Point& corner = layout.corner(next);
                    const std::string ways = waysTo(machine, next++);
                    return object({{"x", corner.x},
                                   {"y", corner.y},
                                   {"middle", corner.x + boxWidth / 2},
                                   {"name_y", corner.y + 24},
                                   {"remark_y", corner.y + 43},
                                   {"name", state.name},
                                   {"remark", ways}});
                  })}});
}

}  // namespace tally::codegen::emit
