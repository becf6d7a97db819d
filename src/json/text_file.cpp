#include "planner/json/text_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "planner/core/diagnostic.hpp"

namespace planner::json {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string code, std::string message,
                         std::string hint) {
  throw InputError(Diagnostic{.code = std::move(code),
                              .message = std::move(message),
                              .hint = std::move(hint),
                              .file = source_name(path)});
}

[[noreturn]] void refuse_size(const std::string& path) {
  refuse(path, "too-large", "the file is larger than 64 MiB", "is this the right file?");
}

std::string read_stream(std::istream& stream, const std::string& path) {
  std::string text;
  std::array<char, 1 << 16> block{};
  do {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLargestText) refuse_size(path);
  } while (stream.good());
  if (stream.bad()) refuse(path, "unreadable", "the file cannot be read", "");
  return text;
}

}  // namespace

std::string source_name(std::string_view path) {
  return path == "-" ? "<stdin>" : std::string(path);
}

std::string read_text_file(const std::string& path, const std::string& if_missing) {
  if (path == "-") return read_stream(std::cin, path);
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found) {
    refuse(path, "no-such-file", "there is no such file", if_missing);
  }
  if (fs::is_directory(status)) {
    refuse(path, "is-a-directory", "this is a folder, not a file", "name a file inside it");
  }
  if (fs::is_regular_file(status) && fs::file_size(path, failed) > kLargestText && !failed) {
    refuse_size(path);
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    refuse(path, "unreadable", std::string("the file cannot be opened: ") + std::strerror(errno),
           "check its permissions");
  }
  return read_stream(stream, path);
}

}  // namespace planner::json
