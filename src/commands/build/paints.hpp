#pragma once

#include <map>
#include <string>

#include "planner/commands/build/build.hpp"

// How racks are drawn.
namespace planner::commands {

/// Colours by the kind of rack, readable on light and dark paper, and told apart without colour by
/// the letters on them.
struct Paint {
  const char* fill;
  const char* letter;
  const char* meaning;  ///< in a key
};

/// By the kinds of racks that an answer has.
std::map<std::string, Paint> paints_of(const BuildAnswer& answer);

/// "40.8 kW"; "10.0 kW of pumps"; "20.0 kW and 1.0 kW of pumps".
std::string power_text(const BuildAnswer::RackLine& rack);

/// The beginning of a drawing, in its natural size. One that is alone is a file of its own: it
/// brings paper and the rules of its text along.
/// @param kind  its class on a page
std::string svg_begun(double width, double height, bool alone, const std::string& title,
                      const char* kind);

/// Words at a place, in the ink of the page.
/// @param more  further attributes
std::string svg_text(double x, double y, int size, const std::string& words,
                     const std::string& more = {});

}  // namespace planner::commands
