#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Workbooks (ECMA-376) as a spreadsheet reads them: an archive of XML files.
namespace planner::testing {

inline std::string inflated(std::string_view packed, std::size_t size) {
  std::string bytes(size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(size);
  const bool whole =
      inflateInit2(&stream, -MAX_WBITS) == Z_OK && inflate(&stream, Z_FINISH) == Z_STREAM_END;
  inflateEnd(&stream);
  if (!whole) throw std::runtime_error("the archive is damaged");
  return bytes;
}

/// The files of a ZIP archive, by its central directory (APPNOTE.TXT 4.3.12).
inline std::map<std::string, std::string> unzipped(const std::string& archive) {
  const auto number = [&](std::size_t at, int bytes) {
    std::size_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) {
      value =
          value * 256 + static_cast<unsigned char>(archive.at(at + static_cast<std::size_t>(i)));
    }
    return value;
  };
  const std::size_t end = archive.rfind("PK\5\6");
  if (end == std::string::npos) throw std::runtime_error("no archive");
  std::map<std::string, std::string> files;
  std::size_t entry = number(end + 16, 4);
  for (std::size_t left = number(end + 10, 2); left > 0; --left) {
    const std::size_t name = number(entry + 28, 2), at = number(entry + 42, 4);
    const std::size_t data = at + 30 + number(at + 26, 2) + number(at + 28, 2);
    const std::string_view packed = std::string_view{archive}.substr(data, number(entry + 20, 4));
    const bool stored = number(entry + 10, 2) == 0;
    files[archive.substr(entry + 46, name)] =
        stored ? std::string{packed} : inflated(packed, number(entry + 24, 4));
    entry += 46 + name + number(entry + 30, 2) + number(entry + 32, 2);
  }
  return files;
}

/// What stands between tags of this name, in order.
inline std::vector<std::string> elements(const std::string& xml, const std::string& name) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = xml.find('<' + name, at)) != std::string::npos;) {
    const char after = xml[at + name.size() + 1];
    const std::size_t open = xml.find('>', at);
    if ((after != ' ' && after != '>') || xml[open - 1] == '/') {
      at = open;
      continue;
    }
    const std::size_t close = xml.find("</" + name + '>', open);
    found.push_back(xml.substr(at, close - at));
    at = close;
  }
  return found;
}

/// The content of an element that starts with its tag.
inline std::string content(const std::string& element) {
  return element.substr(element.find('>') + 1);
}

struct SheetCells {
  std::vector<std::string> texts;
  std::vector<double> numbers;
};

/// The cells of all sheets: texts, and numbers as they are stored, of formulas too.
inline SheetCells workbook_cells(const std::string& workbook) {
  SheetCells cells;
  std::map<std::string, std::string> files = unzipped(workbook);
  for (const std::string& text : elements(files["xl/sharedStrings.xml"], "t")) {
    std::string words = content(text);
    for (const auto& [entity, character] :
         {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&amp;", "&"}}) {
      for (std::size_t at = 0; (at = words.find(entity, at)) != std::string::npos; ++at) {
        words.replace(at, std::string_view{entity}.size(), character);
      }
    }
    cells.texts.push_back(std::move(words));
  }
  for (const auto& [name, xml] : files) {
    if (!name.starts_with("xl/worksheets/sheet")) continue;
    for (const std::string& cell : elements(xml, "c")) {
      const std::string head = cell.substr(0, cell.find('>'));
      const std::vector<std::string> values = elements(cell, "v");
      if (values.empty() || head.find("t=\"s\"") != std::string::npos) continue;
      if (head.find("t=\"str\"") != std::string::npos) {  // of a formula
        cells.texts.push_back(content(values.front()));
      } else {
        cells.numbers.push_back(std::strtod(content(values.front()).c_str(), nullptr));
      }
    }
  }
  return cells;
}

}  // namespace planner::testing
