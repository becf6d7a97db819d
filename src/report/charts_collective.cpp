#include <fmt/format.h>

#include <cmath>

#include "planner/present/text.hpp"
#include "planner/report/charts_parts.hpp"

// `collective` over a range of sizes.
namespace planner {

Json bandwidth_chart(const Json& answer) {
  const Json& sizes = at(answer, {"result", "sizes"});
  if (!sizes.is_array()) return nullptr;
  Json values = Json::array();
  double most = 0;
  std::string at_size;
  for (const Json& size : sizes) {
    const auto bytes = number(size, {"bytes"}), bandwidth = number(size, {"bus_bandwidth_GBps"});
    if (!bytes || !bandwidth) continue;
    const std::string name = size_text(Bytes{*bytes});
    values.push_back({{"size", name},
                      {"bandwidth", *bandwidth},
                      {"time", duration(number(size, {"time_s"}).value_or(NAN) * units::second)},
                      {"algorithm", text(size, {"algorithm"}) + " " + text(size, {"protocol"})}});
    if (*bandwidth <= most) continue;
    most = *bandwidth;
    at_size = name;
  }
  if (values.size() < 2) return nullptr;
  const std::string title =
      fmt::format("At most {} GB/s of bus bandwidth, at {}", significant(most), at_size);
  Json spec = chart_frame(title, "Bus bandwidth of " + text(answer, {"result", "kind"}) +
                                     " as nccl-tests count it, by the size of the buffer");
  spec["height"] = 320;
  spec["data"] = {{"values", values}};
  spec["encoding"] = {
      {"x",
       {{"field", "size"},
        {"type", "ordinal"},
        {"sort", nullptr},
        {"axis", {{"title", "size"}, {"labelAngle", 0}, {"labelOverlap", true}}}}},
      {"y", {{"field", "bandwidth"}, {"type", "quantitative"}, {"axis", {{"title", "GB/s"}}}}}};
  Json tip = Json::array();
  for (const char* field : {"size", "algorithm", "time"}) {
    tip.push_back({{"field", field}, {"type", "nominal"}});
  }
  tip.push_back({{"field", "bandwidth"}, {"type", "quantitative"}, {"format", ".3~r"}});
  spec["layer"] = {
      {{"mark", {{"type", "line"}, {"color", color::of(Shade::light_grey)}, {"strokeWidth", 2}}}},
      {{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
       {"encoding",
        {{"color",
          {{"field", "algorithm"},
           {"type", "nominal"},
           {"sort", nullptr},
           {"title", nullptr},
           {"legend", {{"orient", "bottom"}}}}},
         {"tooltip", tip}}}}};
  return {{"name", "bandwidth_by_size"}, {"title", title}, {"spec", spec}};
}

}  // namespace planner
