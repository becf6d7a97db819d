#include "planner/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace planner {

namespace {
constexpr std::chrono::milliseconds kDelay{2000}, kInterval{100};
}  // namespace

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled && ::isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + kDelay) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  fmt::print(stderr, "\r\x1b[K{}  (Ctrl-C stops)", text);
  std::fflush(stderr);
}

void ProgressLine::update(const SearchProgress& progress) {
  show(fmt::format(
      "searching: {} of {} {}, {:.0f} %", progress.done, progress.total, progress.what,
      100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total)));
}

void ProgressLine::update(const FitProgress& progress) {
  show(fmt::format("fitting: step {} of at most {}", progress.done, progress.total));
}

}  // namespace planner
