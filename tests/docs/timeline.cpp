#include "timeline.h"

#include <algorithm>
#include <string_view>

namespace tally::docs {

namespace {

using namespace std::chrono_literals;

constexpr int left = 190;
constexpr int plot = 580;
constexpr int width = left + plot + 30;
constexpr int top = 20;
constexpr int laneHeight = 62;
constexpr int barHeight = 24;

constexpr std::string_view style = R"(<style>
text { font: 13px sans-serif; fill: #1f2328; }
.small { font-size: 11px; fill: #59636e; }
.middle { text-anchor: middle; }
.line { fill: none; stroke: #59636e; }
.grid { stroke: #d1d9e0; }
.request { fill: #54aeff; stroke: #0969da; }
.ok { fill: #4ac26b; stroke: #1a7f37; }
.error { fill: #ff8182; stroke: #cf222e; }
.wait { fill: #f6f8fa; stroke: #59636e; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .line { stroke: #9198a1; }
  .grid { stroke: #3d444d; }
  .request { fill: #1158c7; stroke: #58a6ff; }
  .ok { fill: #196c2e; stroke: #3fb950; }
  .error { fill: #b62324; stroke: #f85149; }
  .wait { fill: #151b23; stroke: #9198a1; }
}
</style>
)";

std::string_view nameOf(Look look) {
  switch (look) {
    case Look::ok:
      return "ok";
    case Look::error:
      return "error";
    case Look::wait:
      return "wait";
    case Look::request:
      break;
  }
  return "request";
}

std::string attribute(std::string_view name, int value) {
  return ' ' + std::string{name} + "=\"" + std::to_string(value) + '"';
}

std::string line(std::string_view look, int x1, int y1, int x2, int y2) {
  return "<line class=\"" + std::string{look} + '"' + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

std::string textAt(std::string_view look, int x, int y, const std::string& text) {
  return "<text class=\"" + std::string{look} + '"' + attribute("x", x) + attribute("y", y) + '>' + text +
         "</text>\n";
}

std::string seconds(std::chrono::nanoseconds time) {
  std::string text = std::to_string(time / 100ms);
  if (text.size() == 1) text.insert(0, "0");
  text.insert(text.size() - 1, ".");
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + " s";
}

class Drawing {
 public:
  explicit Drawing(const Timeline& timeline) : timeline_(timeline) {}

  [[nodiscard]] std::string text() const {
    const int height = bottom() + 30;
    std::string svg = "<!-- Drawn from a run on the virtual clock by docs_diagrams. Do not edit. -->\n";
    svg += R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" + std::to_string(width) + ' ' +
           std::to_string(height) + '"' + attribute("width", width) + attribute("height", height) +
           " role=\"img\">\n<title>" + timeline_.title + "</title>\n";
    svg.append(style) += axis();
    for (std::size_t i = 0; i < timeline_.lanes.size(); ++i)
      svg += lane(timeline_.lanes[i], top + static_cast<int>(i) * laneHeight);
    return svg + "</svg>\n";
  }

 private:
  [[nodiscard]] int bottom() const { return top + static_cast<int>(timeline_.lanes.size()) * laneHeight; }

  [[nodiscard]] int x(std::chrono::nanoseconds time) const {
    return left + static_cast<int>(time.count() * plot / timeline_.length.count());
  }

  [[nodiscard]] std::string axis() const {
    std::string svg;
    for (std::chrono::nanoseconds time{0}; time <= timeline_.length; time += timeline_.step)
      svg += line("grid", x(time), top, x(time), bottom()) +
             textAt("small middle", x(time), bottom() + 18, seconds(time));
    return svg + line("line", left, bottom(), left + plot, bottom());
  }

  [[nodiscard]] std::string lane(const Lane& lane, int y) const {
    std::string svg = textAt("name", 8, y + laneHeight / 2 + 12, lane.name);
    for (const Bar& each : lane.bars)
      svg += bar(each, y + laneHeight / 2 - 4);
    for (const Mark& each : lane.marks)
      svg += mark(each, y);
    return svg;
  }

  [[nodiscard]] std::string bar(const Bar& bar, int y) const {
    const int from = x(bar.from);
    const int wide = std::max(2, x(bar.to) - from);
    return "<rect class=\"" + std::string{nameOf(bar.look)} + '"' + attribute("x", from) + attribute("y", y) +
           attribute("width", wide) + attribute("height", barHeight) + " rx=\"3\"/>\n" +
           textAt("small", from, y - 6, bar.label);
  }

  [[nodiscard]] std::string mark(const Mark& mark, int y) const {
    const int at = x(mark.at);
    if (mark.label.empty())
      return line(nameOf(mark.look), at, y + laneHeight / 2 - 4, at, y + laneHeight / 2 - 4 + barHeight);
    return line(nameOf(mark.look), at, y + 4, at, y + laneHeight) +
           textAt("small", at + 5, y + laneHeight - 4, mark.label);
  }

  const Timeline& timeline_;
};

}  // namespace

std::string toSvg(const Timeline& timeline) {
  return Drawing{timeline}.text();
}

}  // namespace tally::docs
