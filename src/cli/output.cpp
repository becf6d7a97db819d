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

namespace fs = std::filesystem;

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 || errno == EINVAL;  // a pipe or a device has nothing to sync
}

Diagnostic failure(const fs::path& path) {
  return {.code = "cannot-write",
          .message = std::string{"cannot be written: "} + std::strerror(errno),
          .hint = "check that the folder exists and is writable",
          .file = path.string()};
}

/// The file that a symbolic link stands for.
fs::path behind_links(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  const fs::path target = fs::weakly_canonical(path, ignored);
  return target.empty() ? path : target;
}

/// Devices and pipes (/dev/stdout) cannot be replaced, only written to.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
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
  const fs::path target = behind_links(path);
  struct ::stat before {};
  const bool replaces = ::stat(target.c_str(), &before) == 0;
  if (replaces && ::access(target.c_str(), W_OK) != 0) return failure(path);
  std::string temporary = (target.parent_path() / ".planner-XXXXXX").string();
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return failure(path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (replaces) static_cast<void>(::fchown(file, before.st_uid, before.st_gid) == 0);  // if allowed
  const mode_t mode = replaces ? before.st_mode & 07777 : 0666 & ~mask;
  const bool written = ::fchmod(file, mode) == 0 && write_all(file, text);
  const bool closed = ::close(file) == 0;
  if (written && closed && std::rename(temporary.c_str(), target.c_str()) == 0) return std::nullopt;
  const Diagnostic problem = failure(path);
  ::unlink(temporary.c_str());
  return problem;
}

}  // namespace planner
