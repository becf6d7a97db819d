#include "planner/present/html/embedded.hpp"

#include <cstddef>

// The assembler copies each file into the read-only data in one step; a C array of its bytes would
// take the compiler seconds. PLANNER_EMBEDDED_DIR is where the build wrote them.
#define PLANNER_EMBED(name, file)                                                          \
  asm(".pushsection .rodata\n"                                                             \
      ".global planner_embedded_" #name                                                    \
      "\n"                                                                                 \
      ".global planner_embedded_" #name                                                    \
      "_end\n"                                                                             \
      "planner_embedded_" #name                                                            \
      ":\n"                                                                                \
      ".incbin \"" PLANNER_EMBEDDED_DIR "/" file                                           \
      "\"\n"                                                                               \
      "planner_embedded_" #name                                                            \
      "_end:\n"                                                                            \
      ".byte 0\n"                                                                          \
      ".popsection\n");                                                                    \
  extern "C" const char planner_embedded_##name[];                                         \
  extern "C" const char planner_embedded_##name##_end[];                                   \
  namespace planner::embedded {                                                            \
  std::string_view name() {                                                                \
    const auto size =                                                                      \
        static_cast<std::size_t>(planner_embedded_##name##_end - planner_embedded_##name); \
    return {planner_embedded_##name, size};                                                \
  }                                                                                        \
  }

PLANNER_EMBED(style, "report.css")
PLANNER_EMBED(script, "report.js")
PLANNER_EMBED(script_hash, "report.js.sha256")
