#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "planner/commands/build/build.hpp"
#include "planner/commands/build/paints.hpp"
#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// "node" of "node-17".
std::string stem(const std::string& device) {
  return device.substr(0, device.rfind('-'));
}

bool is_node(const site::Content& content) {
  const std::string kind = stem(content.device);
  return kind == "node" || kind == "spare";
}

/// What tells racks apart from the front: the kinds of devices and their heights.
std::string face_of(const BuildAnswer::RackLine& rack) {
  std::string face = rack.kind;
  for (const site::Content& content : rack.contents) {
    face += fmt::format("|{:g} {}", content.unit, stem(content.device));
  }
  return face;
}

/// Units that a node and a switch of a rack take: nodes stand one on the other, the rest of what is
/// used is the switches'.
struct Heights {
  double node = 1, other = 1;
};

Heights heights_of(const BuildAnswer::RackLine& rack) {
  Heights heights;
  std::vector<double> nodes;
  for (const site::Content& content : rack.contents) {
    if (is_node(content)) nodes.push_back(content.unit);
  }
  const auto used = static_cast<double>(rack.units_used);
  const auto others = static_cast<double>(rack.contents.size() - nodes.size());
  if (nodes.size() > 1) heights.node = std::max(1.0, nodes[1] - nodes[0]);
  if (nodes.size() == 1) heights.node = std::max(1.0, used - others);
  const double left = used - heights.node * static_cast<double>(nodes.size());
  if (others > 0) heights.other = std::max(1.0, left / others);
  return heights;
}

/// A rack from the front, as wide as half a telephone.
class ElevationDrawing {
 public:
  static constexpr double kWidth = 172;

  ElevationDrawing(const BuildAnswer& answer, const BuildAnswer::RackLine& rack, std::int64_t alike)
      : rack_(rack),
        alike_(alike),
        units_(answer.figure(&Site::rack_units)),
        fill_(paints_of(answer).at(rack.kind).fill) {}

  [[nodiscard]] double height() const { return kTop + units_ * kUnit + 36; }

  std::string draw() {
    out_ = svg_text(kLeft, 15, 13, fmt::format("{} × {}", grouped(alike_), rack_.kind),
                    "font-weight=\"600\"") +
           svg_text(kLeft, 30, 11,
                    alike_ == 1 ? fmt::format("{} at {}", rack_.name, rack_.place)
                                : fmt::format("drawn: {} at {}", rack_.name, rack_.place));
    draw_scale();
    out_ += fmt::format(
        "<rect class=\"line\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "fill=\"none\" stroke=\"#7f8c96\" stroke-width=\"1.5\"/>",
        kLeft, kTop, kRack, units_ * kUnit);
    if (rack_.contents.empty()) {  // all of it is one thing
      device(rack_.name, 0, units_, fmt::format("{}: the whole rack", rack_.name));
    }
    const Heights heights = heights_of(rack_);
    for (const site::Content& content : rack_.contents) {
      const double tall = is_node(content) ? heights.node : heights.other;
      const std::string of = tall > 1 ? fmt::format("units {:g} to {:g}", content.unit + 1,
                                                    std::floor(content.unit) + tall)
                                      : fmt::format("unit {:g}", content.unit + 1);
      device(content.device, content.unit, tall, fmt::format("{}, {}", content.device, of));
    }
    const double foot = kTop + units_ * kUnit;
    return out_ + svg_text(kLeft, foot + 15, 12, power_text(rack_)) +
           svg_text(kLeft, foot + 30, 12,
                    fmt::format("{} kg, {} of {:g} units", grouped(rack_.kg, 0),
                                rack_.contents.empty() ? fmt::format("{:g}", units_)
                                                       : std::to_string(rack_.units_used),
                                units_));
  }

 private:
  static constexpr double kLeft = 26, kTop = 38, kUnit = 11, kRack = 138;

  [[nodiscard]] double at(double unit) const { return kTop + (units_ - unit) * kUnit; }

  /// The number of every fifth unit, and of the first: in the middle of the unit.
  void draw_scale() {
    for (double unit = 1; unit <= units_; ++unit) {
      const bool told = unit == 1 || std::fmod(unit, 5) == 0;
      const double y = at(unit - 0.5);
      if (told) {
        out_ += svg_text(kLeft - 7, y + 3.5, 10, fmt::format("{:g}", unit), "text-anchor=\"end\"");
      }
      out_ += fmt::format("<path class=\"line\" d=\"M{:.1f},{:.1f}h{}\" stroke=\"#7f8c96\"/>",
                          kLeft - (told ? 5 : 3), at(unit - 1), told ? 5 : 3);
    }
  }

  void device(const std::string& name, double unit, double tall, const std::string& title) {
    const double y = at(unit + tall), height = tall * kUnit;
    out_ += fmt::format(
        "<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "fill=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"middle\" "
        "fill=\"#14191d\">{}</text></g>",
        present::html_escaped(title), kLeft + 3, y + 0.5, kRack - 6, height - 1, fill_,
        kLeft + kRack / 2, y + height / 2 + (tall < 2 ? 3.2 : 4), tall < 2 ? 9 : 12,
        present::html_escaped(name));
  }

  const BuildAnswer::RackLine& rack_;
  std::int64_t alike_;
  double units_;
  const char* fill_;
  std::string out_;
};

struct Face {
  const BuildAnswer::RackLine* rack;
  std::int64_t number = 0;
};

/// Racks that differ from the front, the most frequent first.
std::vector<Face> faces_of(const BuildAnswer& answer) {
  std::vector<Face> faces;
  std::map<std::string, std::size_t> known;
  for (const BuildAnswer::RackLine& rack : answer.racks) {
    const auto [at, fresh] = known.emplace(face_of(rack), faces.size());
    if (fresh) faces.push_back({&rack});
    ++faces[at->second].number;
  }
  std::stable_sort(faces.begin(), faces.end(),
                   [](const Face& a, const Face& b) { return a.number > b.number; });
  return faces;
}

}  // namespace

std::string elevations_svg(const BuildAnswer& answer, bool alone) {
  constexpr std::size_t kMostFaces = 12, kPerLine = 6;
  const std::vector<Face> faces = faces_of(answer);
  const std::size_t shown = std::min(kMostFaces, faces.size());
  const std::string title = answer.title + ": racks from the front";
  std::string out;
  double height = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    ElevationDrawing drawing(answer, *faces[i].rack, faces[i].number);
    height = drawing.height();
    if (alone) {
      out += fmt::format("<g transform=\"translate({:.1f},{:.1f})\">{}</g>",
                         static_cast<double>(i % kPerLine) * ElevationDrawing::kWidth,
                         static_cast<double>(i / kPerLine) * height, drawing.draw());
    } else {  // one picture each: a page has as many side by side as it is wide
      out +=
          svg_begun(ElevationDrawing::kWidth, height, false,
                    fmt::format("{} × {}", grouped(faces[i].number), faces[i].rack->kind), "face") +
          drawing.draw() + "</svg>\n";
    }
  }
  const std::string rest =
      faces.size() > shown ? fmt::format("and {} more that differ",
                                         grouped(static_cast<std::int64_t>(faces.size() - shown)))
                           : "";
  if (!alone) {
    return "<div class=\"faces\">" + out + "</div>" +
           (rest.empty() ? "" : "<p class=\"hint\">" + rest + "</p>");
  }
  const double lines = std::ceil(static_cast<double>(shown) / kPerLine);
  const auto in_line = static_cast<double>(std::min(shown, kPerLine));
  return svg_begun(in_line * ElevationDrawing::kWidth + 8, lines * height + 24, true, title, "") +
         out + svg_text(26, lines * height + 14, 12, rest) + "</svg>";
}

}  // namespace planner::commands
