#pragma once

#include <string>
#include <string_view>

namespace planner {

/// Whether a UTF-8 text holds a control character: below U+0020, U+007F, or U+0080 to U+009F (C1),
/// which terminals obey as they obey ESC.
bool has_control(std::string_view text);

/// `text` with everything replaced that a reader would obey rather than see: control characters but
/// those in `kept`, the characters that override the direction of what follows (Unicode UAX #9:
/// U+202A to U+202E, U+2066 to U+2069), and bytes that are not UTF-8. Names from files must neither
/// move the cursor nor reorder the line they stand in. Marks of right-to-left scripts stay.
std::string printable(std::string_view text, std::string_view instead = "?",
                      std::string_view kept = "\n");

}  // namespace planner
