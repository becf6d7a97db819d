#include "planner/cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace planner {

namespace {

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 || errno == EINVAL;  // a pipe or a device has nothing to sync
}

Diagnostic failure(const std::filesystem::path& path) {
  return {.code = "cannot-write",
          .message = std::string{"cannot be written: "} + std::strerror(errno),
          .hint = "check that the folder exists and is writable",
          .file = path.string()};
}

/// Devices and pipes (/dev/stdout) cannot be replaced, only written to.
bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

std::optional<Diagnostic> write_file_atomically(const std::filesystem::path& path,
                                                std::string_view text) {
  if (is_special(path)) {
    const int file = ::open(path.c_str(), O_WRONLY);
    if (file < 0) return failure(path);
    const bool written = write_all(file, text);
    const bool closed = ::close(file) == 0;
    return written && closed ? std::nullopt : std::optional{failure(path)};
  }
  std::string temporary = path.string() + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return failure(path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = ::fchmod(file, 0666 & ~mask) == 0 && write_all(file, text);
  const bool closed = ::close(file) == 0;
  if (written && closed && std::rename(temporary.c_str(), path.c_str()) == 0) return std::nullopt;
  const Diagnostic problem = failure(path);
  ::unlink(temporary.c_str());
  return problem;
}

}  // namespace planner
