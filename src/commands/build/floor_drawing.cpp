#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "planner/commands/build/build.hpp"
#include "planner/commands/build/floor_key.hpp"
#include "planner/commands/build/paints.hpp"
#include "planner/commands/parts/svg_lines.hpp"
#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"
#include "planner/site/floor.hpp"

namespace planner::commands {

namespace {

using A = BuildAnswer;
using present::html_escaped;

constexpr double kLeastScale = 20;  // drawing units for a metre: a rack then holds a letter
constexpr double kMostScale = 44;   // of small floors, which are drawn as large as a page is wide
constexpr double kAcross = 960, kDown = 880;
constexpr double kLeft = 40, kRight = 12, kTop = 34;  // for dimensions
constexpr double kFoot = 48;                          // for the scale
constexpr double kCableText = 24;                     // for the cables of the rack that was clicked

/// From nothing (faint) to full (strong) and beyond (red), on light and dark paper.
std::string fill_paint(double fill) {
  if (too_full(fill)) return "#c0392b";
  const double strength = 0.25 + 0.75 * std::clamp(fill, 0.0, 1.0);
  return fmt::format("rgba(103,128,141,{:.2f})", strength);
}

class FloorDrawing {
 public:
  FloorDrawing(const A& answer, bool alone)
      : answer_(answer),
        floor_(answer.floor),
        alone_(alone),
        walkway_(answer.figure(&Site::perimeter_m)) {
    const double fits = std::min(kAcross / (floor_.width_m + 2 * walkway_),
                                 kDown / (floor_.depth_m + 2 * walkway_));
    scale_ = std::clamp(fits, kLeastScale, kMostScale);
    find_rows();
    per_hall_ = std::max<std::int64_t>(1, rows());
    for (const auto& [key, value] : answer.figures) {
      if (key == "rows_per_hall" && floor_.halls > 1) per_hall_ = static_cast<std::int64_t>(value);
    }
    block_ =
        std::max<std::int64_t>(1, floor_.places_per_row / std::max<std::int64_t>(1, floor_.blocks));
  }

  std::string draw() {
    const FloorKey key = floor_key(answer_);
    const double bottom = y(floor_.depth_m + walkway_) + kFoot;
    const double width = std::max(x(floor_.width_m + walkway_) + kRight, alone_ ? 720.0 : 420.0);
    const double height = bottom + kCableText + (alone_ ? key_height(key, width) : 0);
    out_ = svg_begun(width, height, alone_, answer_.title + ": the floor",
                     std::max(width, height) > 1200 ? "plan large" : "plan");
    for (std::int64_t row = 0; row < rows(); row += per_hall_) draw_hall(row);
    draw_places();
    draw_cross_trays();
    draw_racks();
    draw_row_trays();
    draw_fullest();
    draw_scale(y(floor_.depth_m + walkway_) + 18);
    if (alone_) draw_key(key, bottom + kCableText, width);
    draw_cables(width, bottom + 12);
    out_ += "</svg>";
    if (alone_) return out_;
    return kZoom + ("<div class=\"pane\" tabindex=\"0\">" + out_) + "</div>\n" + key_on_page(key);
  }

 private:
  static constexpr const char* kZoom =
      "<p class=\"zoom screen\">Size: "
      "<label><input type=\"radio\" name=\"zoom\" class=\"fit\" checked> whole floor</label> "
      "<label><input type=\"radio\" name=\"zoom\" class=\"once\"> legible</label> "
      "<label><input type=\"radio\" name=\"zoom\" class=\"twice\"> twice that</label></p>\n";

  [[nodiscard]] double x(double metres) const { return (metres + walkway_) * scale_ + kLeft; }
  [[nodiscard]] double y(double metres) const { return (metres + walkway_) * scale_ + kTop; }
  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(rows_.size()); }
  [[nodiscard]] double row_m(std::int64_t row) const {
    return rows_[static_cast<std::size_t>(row)];
  }
  /// Answers of older versions do not say where rows lie: their racks do.
  void find_rows() {
    rows_ = floor_.rows_m;
    if (!rows_.empty()) return;
    for (std::int64_t row = 0; row < floor_.rows; ++row) {
      rows_.push_back(floor_.rack_depth_m / 2 +
                      static_cast<double>(row) * floor_.depth_m / static_cast<double>(floor_.rows));
    }
    for (const A::RackLine& rack : answer_.racks) {
      rows_.at(static_cast<std::size_t>(rack.row - 1)) = rack.y_m;
    }
  }
  /// The left edge of a place, from 0.
  [[nodiscard]] double place_m(std::int64_t place) const {
    return static_cast<double>(place) * floor_.rack_width_m +
           static_cast<double>(place / block_) * answer_.figure(&Site::main_aisle_m);
  }
  [[nodiscard]] double middle_m(std::int64_t place) const {
    return place_m(place) + floor_.rack_width_m / 2;
  }
  /// The size of letters on racks and in aisles.
  [[nodiscard]] int small() const { return scale_ < 28 ? 9 : 11; }

  void rect(double left, double top, double right, double low, const std::string& more) {
    out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}",
                        left, top, right - left, low - top, more);
  }

  /// Its walls with outer dimensions, aisles, and the numbers of rows and places.
  void draw_hall(std::int64_t first) {
    const std::int64_t last = std::min(first + per_hall_, rows()) - 1;
    const double half = floor_.rack_depth_m / 2;
    const double top = y(row_m(first) - half - walkway_), low = y(row_m(last) + half + walkway_);
    const double left = x(-walkway_), right = x(floor_.width_m + walkway_);
    rect(left, top, right, low,
         "class=\"line\" fill=\"none\" stroke=\"#7f8c96\" stroke-width=\"2\"/>");
    const auto middle = [](double a, double b) { return (a + b) / 2; };
    const std::string name =
        floor_.halls > 1 ? fmt::format("hall {}: ", first / per_hall_ + 1) : "";
    out_ += fmt::format(
        "<path class=\"line\" d=\"M{:.1f},{:.1f}V{:.1f}M{:.1f},{:.1f}H{:.1f}\" fill=\"none\" "
        "stroke=\"#7f8c96\"/>",
        left - 10, top, low, left, top - 8, right);
    out_ += svg_text(middle(left, right), top - 12, 13,
                     fmt::format("{}{:.1f} m", name, floor_.width_m + 2 * walkway_),
                     "text-anchor=\"middle\"");
    out_ += svg_text(left - 16, middle(top, low), 13, fmt::format("{:.1f} m", (low - top) / scale_),
                     fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\"",
                                 left - 16, middle(top, low)));
    draw_numbers(y(row_m(first) - half) - 5, false);
    draw_numbers(y(row_m(last) + half) + small() + 4, false);
    for (std::int64_t row = first; row <= last; ++row) {
      for (const bool at_left : {true, false}) {
        out_ +=
            svg_text(at_left ? x(0) - 6 : x(floor_.width_m) + 6, y(row_m(row)) + 5, 14,
                     site::row_letters(row),
                     at_left ? "font-weight=\"600\" text-anchor=\"end\"" : "font-weight=\"600\"");
      }
      if (row < last) draw_aisle(row);
    }
    if (walkway_ * scale_ >= 50) {
      out_ += svg_text(left + 6, low - 6, small(), fmt::format("walkway {:g} m", walkway_));
    }
  }

  /// Between a row and the next: racks of an even number of rows before it stand back to back.
  void draw_aisle(std::int64_t row) {
    const bool hot = row % 2 == 0;
    const double half = floor_.rack_depth_m / 2;
    const double top = y(row_m(row) + half), low = y(row_m(row + 1) - half);
    const std::string words = fmt::format("{} aisle", hot ? "hot" : "cold");
    for (std::int64_t from = 0; from < floor_.places_per_row; from += block_) {
      const double left = x(place_m(from));
      const double right =
          x(place_m(std::min(from + block_, floor_.places_per_row) - 1) + floor_.rack_width_m);
      rect(left, top, right, low,
           fmt::format("fill=\"{}\" fill-opacity=\"0.12\"><title>{} of {:.1f} m</title></rect>",
                       hot ? "#d9480f" : "#1c7ed6", words, (low - top) / scale_));
      if (low - top < small() + 2) continue;
      out_ += svg_text(left + 4, (top + low) / 2 + small() * 0.35, small(), words);
    }
    if (!hot && low - top >= small() + 2) draw_numbers((top + low) / 2 + small() * 0.35, true);
  }

  /// Numbers of places: the first and the last of each block, and every fifth; where an aisle has
  /// its name, without those.
  void draw_numbers(double baseline, bool named) {
    for (std::int64_t place = 0; place < floor_.places_per_row; ++place) {
      const std::int64_t in_block = place % block_;
      const bool end = in_block == 0 || in_block == block_ - 1;
      const bool near_end = in_block == 1 || in_block == block_ - 2;
      if (!end && ((place + 1) % 5 != 0 || near_end)) continue;
      if (named && static_cast<double>(in_block) * floor_.rack_width_m * scale_ < 60) continue;
      out_ += svg_text(x(middle_m(place)), baseline, small(), fmt::format("{:02}", place + 1),
                       "text-anchor=\"middle\"");
    }
  }

  /// Places that hold no rack: those kept out, and those that are free.
  void draw_places() {
    std::set<std::pair<std::int64_t, std::int64_t>> taken;
    for (const A::RackLine& rack : answer_.racks) taken.emplace(rack.row, rack.column);
    const double half = floor_.rack_depth_m / 2;
    for (const KeepOut& out : floor_.keep_outs) {
      for (std::int64_t place = out.from; place <= out.to; ++place) taken.emplace(out.row, place);
      const double middle = row_m(out.row - 1);
      rect(x(place_m(out.from - 1)), y(middle - half), x(place_m(out.to - 1) + floor_.rack_width_m),
           y(middle + half),
           fmt::format("class=\"line\" fill=\"#9fabb4\" fill-opacity=\"0.25\" stroke=\"#7f8c96\" "
                       "stroke-dasharray=\"3 2\"><title>kept out: places {} to {} of row "
                       "{}</title></rect>",
                       out.from, out.to, site::row_letters(out.row - 1)));
    }
    for (std::int64_t row = 0; row < rows(); ++row) {
      for (std::int64_t place = 0; place < floor_.places_per_row; ++place) {
        if (taken.count({row + 1, place + 1}) > 0) continue;
        rect(x(place_m(place)) + 0.8, y(row_m(row) - half) + 0.8,
             x(place_m(place) + floor_.rack_width_m) - 0.8, y(row_m(row) + half) - 0.8,
             fmt::format("class=\"line\" fill=\"none\" stroke=\"#7f8c96\" stroke-opacity=\"0.6\" "
                         "stroke-dasharray=\"2 2\"><title>{}{:02}: in reserve</title></rect>",
                         site::row_letters(row), place + 1));
      }
    }
  }

  void stretch(double left, double top, double right, double low, double fill, const char* what) {
    rect(left, top, right, low,
         fmt::format("fill=\"{}\"><title>{}: {:.0f} % of what cables may take</title></rect>",
                     fill_paint(fill), what, 100 * fill));
  }

  void draw_cross_trays() {
    const A::Trays& trays = answer_.trays;
    for (std::size_t i = 0; i < trays.cross_fill.size(); ++i) {
      const double at = x(floor_.cross_trays_m[i]);
      const auto& fills = trays.cross_fill[i];
      for (std::int64_t row = 0; row + 1 < rows(); ++row) {
        const double fill = fills[static_cast<std::size_t>(row)];
        if (fill > 0) stretch(at - 2, y(row_m(row)), at + 2, y(row_m(row + 1)), fill, "cross tray");
      }
    }
  }

  void draw_row_trays() {
    const A::Trays& trays = answer_.trays;
    const auto end = static_cast<std::size_t>(floor_.places_per_row) - 1;
    for (std::size_t row = 0; row < trays.row_fill.size(); ++row) {
      const auto& fills = trays.row_fill[row];
      const double at = y(row_m(static_cast<std::int64_t>(row)));
      // Stretches alike are one.
      for (std::size_t from = 0; from < std::min(fills.size(), end);) {
        std::size_t to = from + 1;
        while (to < end && fills[to] == fills[from]) ++to;
        if (fills[from] > 0) {
          stretch(x(middle_m(static_cast<std::int64_t>(from))), at - 1.5,
                  x(middle_m(static_cast<std::int64_t>(to))), at + 1.5, fills[from], "row tray");
        }
        from = to;
      }
    }
  }

  /// How full the fullest trays are, beside them.
  void draw_fullest() {
    for (const TrayRun& run : fullest_trays(answer_)) {
      const auto from = static_cast<std::int64_t>(run.from), to = static_cast<std::int64_t>(run.to);
      const auto line = static_cast<std::int64_t>(run.line);
      const double at_x = run.cross ? x(floor_.cross_trays_m[run.line]) + 5
                                    : (x(middle_m(from)) + x(middle_m(to + 1))) / 2;
      const double at_y = run.cross ? (y(row_m(from)) + y(row_m(to + 1))) / 2 + 4
                                    : y(row_m(line) + floor_.rack_depth_m / 2) - 3;
      out_ += fmt::format(
          "<text class=\"on-lines ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" "
          "font-weight=\"700\" fill=\"currentColor\" text-anchor=\"{}\">{:.0f} %</text>",
          at_x, at_y, run.cross ? "start" : "middle", 100 * run.fill);
    }
  }

  void draw_racks() {
    const std::map<std::string, Paint> paints = paints_of(answer_);
    const double width = floor_.rack_width_m * scale_ - 0.6;
    const double depth = floor_.rack_depth_m * scale_ - 0.6;
    for (const A::RackLine& rack : answer_.racks) {
      const Paint& paint = paints.at(rack.kind);
      const double left = x(rack.x_m) - width / 2, top = y(rack.y_m) - depth / 2;
      out_ += fmt::format("<a href=\"#cables-{}\">", html_escaped(rack.name));
      rect(left, top, left + width, top + depth,
           fmt::format("fill=\"{}\"><title>{} at {}: {}, {}{}</title></rect>", paint.fill,
                       html_escaped(rack.name), rack.place, html_escaped(rack.kind),
                       power_text(rack), rack.gpus > 0 ? fmt::format(", {} GPUs", rack.gpus) : ""));
      if (*paint.letter != '\0') {
        out_ += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"middle\" "
            "fill=\"#14191d\">{}</text>",
            x(rack.x_m), top + scale_ / 2, std::clamp(scale_ / 2, 10.0, 13.0), paint.letter);
      }
      out_ += "</a>";
    }
  }

  /// A bar of metres, a fifth or so of the floor.
  void draw_scale(double top) {
    double metres = 1;
    for (const double step : {2, 5, 10, 20, 50}) {
      if (step <= floor_.width_m / 4) metres = step;
    }
    const double left = x(-walkway_), half = metres * scale_ / 2;
    out_ += fmt::format(
        "<path class=\"line\" d=\"M{0:.1f},{1:.1f}h{2:.1f}v8h-{2:.1f}z\" fill=\"none\" "
        "stroke=\"#7f8c96\"/><rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{3:.1f}\" height=\"8\" "
        "fill=\"#7f8c96\"/>",
        left, top, 2 * half, half);
    for (const double share : {0.0, 0.5, 1.0}) {
      out_ += svg_text(left + share * 2 * half, top + 22, 12,
                       fmt::format("{:g}{}", share * metres, share == 1 ? " m" : ""),
                       share > 0 ? "text-anchor=\"middle\"" : "");
    }
  }

  /// A click on a rack shows where its cables go: no script, the target of its link.
  void draw_cables(double width, double baseline) {
    constexpr double kLetter = 5.8;
    const auto room = static_cast<std::size_t>((width - kLeft - kRight) / kLetter);
    std::map<std::string_view, std::string> points;
    for (const A::RackLine& rack : answer_.racks) {
      points.emplace(rack.name, fmt::format("{:.0f},{:.0f}", x(rack.x_m), y(rack.y_m)));
    }
    out_ +=
        "<style>.rack-cables{display:none;pointer-events:none}"
        ".rack-cables:target{display:inline}</style>";
    for (const A::RackLine& rack : answer_.racks) {
      if (rack.cables_to.empty()) continue;
      std::string lines;
      const std::string from = "M" + points.at(rack.name) + "L";
      for (const auto& [name, cables] : rack.cables_to) {
        if (const auto to = points.find(name); to != points.end()) lines += from + to->second;
      }
      out_ += fmt::format(
          "<g class=\"rack-cables\" id=\"cables-{}\"><path d=\"{}\" fill=\"none\" "
          "stroke=\"#c2185b\" stroke-opacity=\"0.7\"/>{}</g>",
          html_escaped(rack.name), lines,
          svg_text(kLeft, baseline, 11, cables_in_words(rack, room)));
    }
  }

  static constexpr double kLine = 20, kChar = 7.2;

  static std::vector<std::string> wrapped_key(const std::string& text, double width) {
    return svg_lines(text, width - kLeft - kRight, kChar);
  }

  static double key_height(const FloorKey& key, double width) {
    auto lines = static_cast<double>(key.kinds.size());
    for (const std::string& line : key.lines) {
      lines += static_cast<double>(wrapped_key(line, width).size());
    }
    return kLine * lines + 16;
  }

  void draw_key(const FloorKey& key, double top, double width) {
    for (const FloorKey::Kind& kind : key.kinds) {
      rect(kLeft, top, kLeft + 15, top + 15,
           fmt::format("class=\"line\" fill=\"{}\" stroke=\"#7f8c96\"/>", kind.paint.fill));
      out_ += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" text-anchor=\"middle\" "
          "fill=\"#14191d\">{}</text>",
          kLeft + 7.5, top + 11.5, kind.paint.letter);
      out_ += svg_text(kLeft + 22, top + 12, 13, kind.words);
      top += kLine;
    }
    for (const std::string& line : key.lines) {
      for (const std::string& part : wrapped_key(line, width)) {
        out_ += svg_text(kLeft, top + 12, 13, part);
        top += kLine;
      }
    }
  }

  const A& answer_;
  const A::FloorLine& floor_;
  bool alone_;
  double walkway_ = 0, scale_ = kLeastScale;
  std::int64_t per_hall_ = 1, block_ = 1;
  std::vector<double> rows_;  ///< their middles
  std::string out_;
};

}  // namespace

std::string floor_svg(const BuildAnswer& answer, bool alone) {
  return FloorDrawing(answer, alone).draw();
}

}  // namespace planner::commands
