#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "planner/commands/build/build.hpp"
#include "planner/commands/build/paints.hpp"
#include "planner/present/html/page.hpp"

namespace planner::commands {

namespace {

using A = BuildAnswer;
using present::html_escaped;

/// Text and lines follow the page; a file of its own brings the few rules along.
constexpr const char* kStyle =
    "<style>svg{color-scheme:light dark}.ink{fill:#1d252c}.line{stroke:#9fabb4}"
    "text{font-family:system-ui,sans-serif}"
    "@media (prefers-color-scheme:dark){.ink{fill:#e8ecef}.paper{fill:#14191d}}</style>";

/// Small drawings are shown larger, so that a place can be pointed at.
constexpr double kLeastWidth = 720;

std::string opened(double width, double height, bool alone, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.1f} {:.1f}\" "
      "width=\"{:.0f}\"><title>{}</title>{}",
      width, height, std::max(width, kLeastWidth), html_escaped(title),
      alone ? std::string(kStyle) +
                  fmt::format("<rect class=\"paper\" width=\"{:.1f}\" height=\"{:.1f}\" "
                              "fill=\"#fff\"/>",
                              width, height)
            : std::string{});
}

/// From nothing (faint) to full (strong) and beyond (red), on light and dark paper.
std::string fill_paint(double fill) {
  if (fill > 1 + 1e-9) return "#c0392b";
  const double strength = 0.25 + 0.75 * std::clamp(fill, 0.0, 1.0);
  return fmt::format("rgba(103,128,141,{:.2f})", strength);
}

constexpr double kScale = 10;      // drawing units for a metre, at least
constexpr double kMostScale = 40;  // of small floors, which are drawn as large as the page is wide
constexpr double kWide = 640;
constexpr double kMargin = 26;     // around, for the letters of rows
constexpr double kCableText = 30;  // below, for the cables of the rack that was clicked

/// "512 cables to 9 other racks: 64 U0L0, 64 U0L1 …", the most first, as far as there is room.
std::string cables_in_words(const A::RackLine& rack, std::size_t room) {
  auto to = rack.cables_to;
  std::stable_sort(to.begin(), to.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::int64_t all = 0;
  for (const auto& [name, cables] : to) all += cables;
  std::string text = fmt::format("{} at {}: {} cables to {} other rack{}", rack.name, rack.place,
                                 all, to.size(), to.size() == 1 ? "" : "s");
  const char* between = ": ";
  for (const auto& [name, cables] : to) {
    const std::string next = fmt::format("{}{} {}", between, cables, name);
    if (text.size() + next.size() > room) return text + " …";
    text += next;
    between = ", ";
  }
  return text;
}

class FloorDrawing {
 public:
  FloorDrawing(const A& answer, bool alone)
      : answer_(answer),
        alone_(alone),
        scale_(std::clamp(kWide / answer.floor.width_m, kScale, kMostScale)) {}

  std::string draw() {
    const A::FloorLine& floor = answer_.floor;
    const double width = std::max(floor.width_m * scale_ + 2 * kMargin, 420.0);
    const double height =
        floor.depth_m * scale_ + 2 * kMargin + 30 + kLine * legend_lines(width) + kCableText;
    out_ = opened(width, height, alone_, answer_.title + ": the floor");
    find_rows();
    draw_outline();
    draw_keep_outs();
    draw_cross_trays();
    draw_racks();
    draw_row_trays();
    draw_legend(floor.depth_m * scale_ + 2 * kMargin + 8, width);
    draw_cables(width, height);
    return out_ + "</svg>";
  }

 private:
  [[nodiscard]] double at(double metres) const { return metres * scale_ + kMargin; }

  /// Of the places of each hall, racks or none, without the walkway around.
  void draw_outline() {
    const A::FloorLine& floor = answer_.floor;
    const auto outline = [&](double from, double to) {
      out_ += fmt::format(
          "<rect class=\"line\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"none\" stroke=\"#9fabb4\"/>",
          at(0) - 4, at(from) - 4, floor.width_m * scale_ + 8, (to - from) * scale_ + 8);
    };
    if (floor.halls < 2 || floor.rows_m.empty()) return outline(0, floor.depth_m);
    const auto rows = static_cast<std::int64_t>(floor.rows_m.size());
    const std::int64_t each = (rows + floor.halls - 1) / floor.halls;
    for (std::int64_t hall = 0; hall * each < rows; ++hall) {
      const double first = floor.rows_m[hall * each];
      const double last = floor.rows_m[std::min((hall + 1) * each, rows) - 1];
      const double half = floor.rack_depth_m / 2;
      outline(first - half, last + half);
      out_ += fmt::format(
          "<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" "
          "fill=\"currentColor\">hall {}</text>",
          at(0) - 4, at(first - half) - 8, hall + 1);
    }
  }

  /// Places that hold no rack.
  void draw_keep_outs() {
    const A::FloorLine& floor = answer_.floor;
    if (floor.rows_m.empty()) return;
    const auto block =
        static_cast<double>(floor.places_per_row / std::max<std::int64_t>(1, floor.blocks));
    const auto left = [&](std::int64_t place) {
      const auto index = static_cast<double>(place - 1);
      return index * floor.rack_width_m +
             std::floor(index / block) * answer_.figure(&Site::main_aisle_m);
    };
    for (const KeepOut& out : floor.keep_outs) {
      const double x = at(left(out.from)), right = at(left(out.to) + floor.rack_width_m);
      const double y =
          at(floor.rows_m[static_cast<std::size_t>(out.row - 1)] - floor.rack_depth_m / 2);
      out_ += fmt::format(
          "<rect class=\"line\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"#9fabb4\" fill-opacity=\"0.15\" stroke=\"#9fabb4\" stroke-dasharray=\"3 2\">"
          "<title>kept out: places {} to {} of row {}</title></rect>",
          x, y, right - x, floor.rack_depth_m * scale_, out.from, out.to,
          site::row_letters(out.row - 1));
    }
  }

  /// y of each row, from any rack in it; rows without racks lie between.
  void find_rows() {
    for (const A::RackLine& rack : answer_.racks) {
      rows_[rack.row] = rack.y_m;
      columns_[rack.column] = rack.x_m;
    }
  }

  void draw_cross_trays() {
    const A::Trays& trays = answer_.trays;
    for (std::size_t i = 0; i < trays.cross_fill.size(); ++i) {
      const double x = at(answer_.floor.cross_trays_m[i]);
      const auto& fills = trays.cross_fill[i];
      for (std::size_t row = 0; row + 1 < fills.size() && row < fills.size(); ++row) {
        const auto from = rows_.find(static_cast<std::int64_t>(row) + 1);
        const auto to = rows_.find(static_cast<std::int64_t>(row) + 2);
        if (from == rows_.end() || to == rows_.end() || fills[row] <= 0) continue;
        stretch(x - 2, at(from->second), 4, at(to->second) - at(from->second), fills[row],
                "cross tray");
      }
    }
  }

  void draw_row_trays() {
    const A::Trays& trays = answer_.trays;
    for (std::size_t row = 0; row < trays.row_fill.size(); ++row) {
      const auto y = rows_.find(static_cast<std::int64_t>(row) + 1);
      if (y == rows_.end()) continue;
      const auto& fills = trays.row_fill[row];
      // Stretches alike are one.
      for (std::size_t from = 0; from < fills.size();) {
        std::size_t to = from + 1;
        while (to < fills.size() && fills[to] == fills[from]) ++to;
        if (fills[from] > 0) {
          const double left = at(x_of(from)), right = at(x_of(to));
          stretch(left, at(y->second) - 1.5, right - left, 3, fills[from], "row tray");
        }
        from = to;
      }
    }
  }

  [[nodiscard]] double x_of(std::size_t place) const {
    const auto next = columns_.lower_bound(static_cast<std::int64_t>(place) + 1);
    if (next != columns_.end()) {
      return next->second -
             static_cast<double>(next->first - static_cast<std::int64_t>(place) - 1) *
                 answer_.floor.rack_width_m;
    }
    return answer_.floor.width_m;
  }

  void stretch(double x, double y, double width, double height, double fill, const char* what) {
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">"
        "<title>{}: {:.0f} % of what cables may take</title></rect>",
        x, y, width, height, fill_paint(fill), what, 100 * fill);
  }

  void draw_racks() {
    const std::map<std::string, Paint> paints = paints_of(answer_);
    const double width = answer_.floor.rack_width_m * scale_ - 0.6;
    const double depth = answer_.floor.rack_depth_m * scale_ - 0.6;
    for (const auto& [row, y] : rows_) {
      out_ += fmt::format(
          "<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\" fill=\"currentColor\" "
          "text-anchor=\"end\">{}</text>",
          kMargin - 5, at(y) + 3, site::row_letters(row - 1));
    }
    for (const A::RackLine& rack : answer_.racks) {
      const Paint& paint = paints.at(rack.kind);
      const double x = at(rack.x_m) - width / 2, y = at(rack.y_m) - depth / 2;
      out_ += fmt::format("<a href=\"#cables-{}\">", html_escaped(rack.name));
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">"
          "<title>{} at {}: {}, {}{}</title></rect>",
          x, y, width, depth, paint.fill, html_escaped(rack.name), rack.place,
          html_escaped(rack.kind), power_text(rack),
          rack.gpus > 0 ? fmt::format(", {} GPUs", rack.gpus) : "");
      if (*paint.letter != '\0' && answer_.racks.size() <= 1500) {
        out_ += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"middle\" "
            "fill=\"#14191d\">{}</text>",
            x + width / 2, y + scale_ / 2, std::min(scale_ / 2, 12.0), paint.letter);
      }
      out_ += "</a>";
    }
  }

  /// A click on a rack shows where its cables go: no script, the target of its link.
  void draw_cables(double width, double height) {
    constexpr double kLetter = 5.2;
    const auto room = static_cast<std::size_t>((width - 2 * kMargin) / kLetter);
    std::map<std::string_view, std::string> points;
    for (const A::RackLine& rack : answer_.racks) {
      points.emplace(rack.name, fmt::format("{:.0f},{:.0f}", at(rack.x_m), at(rack.y_m)));
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
          "stroke=\"#c2185b\" stroke-opacity=\"0.7\"/><text class=\"ink\" x=\"{:.1f}\" "
          "y=\"{:.1f}\" font-size=\"10\" fill=\"currentColor\">{}</text></g>",
          html_escaped(rack.name), lines, kMargin, height - 12,
          html_escaped(cables_in_words(rack, room)));
    }
  }

  static constexpr double kLine = 19;  ///< of the legend, to be read on paper too

  static double legend_width(const std::string& kind) {
    return 34 + 7.6 * static_cast<double>(kind.size() + 5);
  }

  /// Lines that the kinds of racks take.
  [[nodiscard]] double legend_lines(double width) const {
    double x = kMargin, lines = 1;
    for (const auto& [kind, number] : answer_.racks_by_kind()) {
      if (x + legend_width(kind) > width && x > kMargin) {
        x = kMargin;
        ++lines;
      }
      x += legend_width(kind);
    }
    return lines;
  }

  void draw_legend(double top, double width) {
    double x = kMargin;
    const std::map<std::string, Paint> paints = paints_of(answer_);
    for (const auto& [kind, number] : answer_.racks_by_kind()) {
      if (x + legend_width(kind) > width && x > kMargin) {
        x = kMargin;
        top += kLine;
      }
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>"
          "<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" "
          "fill=\"currentColor\">{} {}</text>",
          x, top, paints.at(kind).fill, x + 15, top + 10, number, html_escaped(kind));
      x += legend_width(kind);
    }
    out_ += fmt::format(
        "<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" fill=\"currentColor\">"
        "{:.1f} × {:.1f} m; trays stronger the fuller, red beyond {:.0f} %</text>",
        kMargin, top + 30, answer_.floor.width_m, answer_.floor.depth_m,
        100 * answer_.trays.allowed_fill);
  }

  const A& answer_;
  bool alone_;
  double scale_;
  std::string out_;
  std::map<std::int64_t, double> rows_, columns_;
};

/// "node" of "node-17".
std::string stem(const std::string& device) {
  return device.substr(0, device.rfind('-'));
}

/// What tells racks apart from the front: the kinds of devices and their heights.
std::string face_of(const A::RackLine& rack) {
  std::string face = rack.kind;
  for (const site::Content& content : rack.contents) {
    face += fmt::format("|{:g} {}", content.unit, stem(content.device));
  }
  return face;
}

}  // namespace

std::string floor_svg(const BuildAnswer& answer, bool alone) {
  return FloorDrawing(answer, alone).draw();
}

std::string elevations_svg(const BuildAnswer& answer, bool alone) {
  struct Face {
    const A::RackLine* rack;
    std::int64_t number = 0;
  };
  std::vector<Face> faces;
  std::map<std::string, std::size_t> known;
  for (const A::RackLine& rack : answer.racks) {
    const auto [at, fresh] = known.emplace(face_of(rack), faces.size());
    if (fresh) faces.push_back({&rack});
    ++faces[at->second].number;
  }
  std::stable_sort(faces.begin(), faces.end(),
                   [](const Face& a, const Face& b) { return a.number > b.number; });
  constexpr std::size_t kMostFaces = 12, kPerLine = 6;
  const std::size_t shown = std::min(kMostFaces, faces.size());
  const double units = answer.figure(&Site::rack_units), unit = 5, width = 96, gap = 34;
  const double tall = units * unit + 58;
  const std::size_t lines = (shown + kPerLine - 1) / kPerLine;
  const std::size_t in_line = std::min(shown, kPerLine);
  std::string out = opened(static_cast<double>(in_line) * (width + gap) + gap,
                           static_cast<double>(lines) * tall + 10, alone,
                           answer.title + ": racks from the front");
  const std::map<std::string, Paint> paints = paints_of(answer);
  for (std::size_t i = 0; i < shown; ++i) {
    const A::RackLine& rack = *faces[i].rack;
    const double x = gap + static_cast<double>(i % kPerLine) * (width + gap);
    const double top = 24 + static_cast<double>(i / kPerLine) * tall;
    out += fmt::format(
        "<g{}><text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" "
        "fill=\"currentColor\">{} × {}</text>"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#9fabb4\" stroke-width=\"1.5\"/>",
        alone ? "" : fmt::format(" id=\"rack-{}\"", html_escaped(rack.kind)), x, top - 7,
        faces[i].number, html_escaped(rack.kind), x, top, width, units * unit);
    if (rack.contents.empty()) {  // all of it is one thing
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", x + 4,
          top + 4, width - 8, units * unit - 8, paints.at(rack.kind).fill);
    }
    for (std::size_t c = 0; c < rack.contents.size(); ++c) {
      const site::Content& content = rack.contents[c];
      const bool node = stem(content.device) == "node" || stem(content.device) == "spare";
      const double tall_units =
          node ? static_cast<double>(rack.units_used) /
                     std::max<double>(1, static_cast<double>(std::count_if(
                                             rack.contents.begin(), rack.contents.end(),
                                             [&](const site::Content& of) {
                                               return stem(of.device) == stem(content.device);
                                             })))
               : 1;
      const double y = top + (units - content.unit - tall_units) * unit;
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">"
          "<title>{} at unit {:g}</title></rect>",
          x + 4, y + 0.5, width - 8, std::max(1.0, tall_units * unit - 1),
          paints.at(rack.kind).fill, html_escaped(content.device), content.unit + 1);
    }
    out += fmt::format(
        "<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"10\" fill=\"currentColor\">"
        "{}, {:.0f} kg</text></g>",
        x, top + units * unit + 14, power_text(rack), rack.kg);
  }
  return out + "</svg>";
}

}  // namespace planner::commands
