#include "planner/json/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace planner::json {

namespace {

namespace fs = std::filesystem;

bool write_bytes(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_all(int file, std::string_view text) {
  // A pipe or a device has nothing to sync.
  return write_bytes(file, text) && (::fsync(file) == 0 || errno == EINVAL);
}

/// Of the last system call.
Diagnostic failure(std::string file, std::string hint) {
  return {.code = "cannot-write",
          .message = std::string{"cannot be written: "} + std::strerror(errno),
          .hint = std::move(hint),
          .file = std::move(file)};
}

Diagnostic failure(const fs::path& path) {
  return failure(path.string(), "check that the folder exists and is writable");
}

/// The file that a symbolic link stands for, whether or not there is one.
fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // that Linux follows
  std::error_code ignored;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, ignored); ++i) {
    path = path.parent_path() / fs::read_symlink(path, ignored);
  }
  return path;
}

/// Devices and pipes (/dev/stdout) cannot be replaced, only written to.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Gives a file a name beside `target` that no other has: `make` makes it, or sets errno.
/// Empty: it cannot.
template <class Make>
std::string name_beside(const fs::path& target, const Make& make) {
  for (int i = 0;; ++i) {
    const std::string number = std::to_string(::getpid()) + '-' + std::to_string(i);
    std::string name = (target.parent_path() / (".planner-" + number)).string();
    if (make(name)) return name;
    if (errno != EEXIST) return {};
  }
}

/// A file that will take the place of another. A process that is killed leaves nothing of one
/// without a name.
struct Draft {
  int file = -1;
  std::string name;  ///< empty: none yet
};

/// Under which a process finds a file of its own that has no name.
std::string own_path(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}

Draft open_draft(const fs::path& target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed >= 0 && ::access(own_path(unnamed).c_str(), F_OK) == 0) return {.file = unnamed};
  if (unnamed >= 0) ::close(unnamed);
  Draft draft;  // not every file system has files without a name, nor every root folder /proc
  draft.name = name_beside(target, [&draft](const std::string& name) {
    draft.file = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    return draft.file >= 0;
  });
  return draft;
}

bool give_name(Draft& draft, const fs::path& target) {
  if (draft.name.empty()) {
    draft.name = name_beside(target, [&draft](const std::string& name) {
      return ::linkat(AT_FDCWD, own_path(draft.file).c_str(), AT_FDCWD, name.c_str(),
                      AT_SYMLINK_FOLLOW) == 0;
    });
  }
  return !draft.name.empty();
}

}  // namespace

std::optional<Diagnostic> write_standard_output(std::string_view text) {
  if (write_bytes(STDOUT_FILENO, text)) return std::nullopt;
  return failure("<stdout>", "");
}

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
  if (!replaces && errno != ENOENT) return failure(path);
  if (replaces && ::access(target.c_str(), W_OK) != 0) return failure(path);
  Draft draft = open_draft(target);
  if (draft.file < 0) return failure(path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (replaces) {
    static_cast<void>(::fchown(draft.file, before.st_uid, before.st_gid) == 0);  // if allowed
  }
  const mode_t mode = replaces ? before.st_mode & 07777 : 0666 & ~mask;
  const bool written =
      ::fchmod(draft.file, mode) == 0 && write_all(draft.file, text) && give_name(draft, target);
  if (written && std::rename(draft.name.c_str(), target.c_str()) == 0) {
    ::close(draft.file);  // what it held is on the disk since write_all()
    return std::nullopt;
  }
  const Diagnostic problem = failure(path);
  ::close(draft.file);
  if (!draft.name.empty()) ::unlink(draft.name.c_str());
  return problem;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  if (auto problem = write_file_atomically(path, text)) throw InputError(*std::move(problem));
}

}  // namespace planner::json
