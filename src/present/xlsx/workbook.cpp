#include "planner/present/xlsx/workbook.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "planner/core/printable.hpp"

namespace planner::present {

namespace {

constexpr std::size_t kLongestCell = 32767;      // characters, a limit of Excel
constexpr std::size_t kLongestSheetName = 31;    // a limit of Excel too
constexpr std::time_t kCreated = 1'704'067'200;  // 2024-01-01: the same answer, the same bytes

/// The first `most` characters of a UTF-8 text.
std::string_view cut(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (starts && characters++ == most) return text.substr(0, i);
  }
  return text;
}

/// Without the characters that Excel forbids in a sheet's name, and not empty.
std::string allowed_name(std::string_view wanted) {
  std::string name;
  for (const char c : printable(wanted, " ", "")) {
    name += std::string_view{"[]:*?/\\'"}.find(c) != std::string_view::npos ? ' ' : c;
  }
  name = std::string{cut(name, kLongestSheetName)};
  return name.empty() ? "bill" : name;
}

/// A new empty file.
std::string temporary_file() {
  std::string path = (std::filesystem::temp_directory_path() / "planner-XXXXXX").string();
  const int file = ::mkstemp(path.data());
  if (file < 0) throw std::runtime_error("no temporary file can be made: " + path);
  ::close(file);
  return path;
}

}  // namespace

Workbook::Workbook() : path_(temporary_file()), book_(workbook_new(path_.c_str())) {
  lxw_doc_properties properties{};
  properties.created = kCreated;
  workbook_set_properties(book_, &properties);
}

Workbook::~Workbook() {
  if (book_ != nullptr) lxw_workbook_free(book_);
  ::unlink(path_.c_str());
}

lxw_worksheet* Workbook::add_sheet(const std::string& wanted) {
  std::string name = allowed_name(wanted);
  for (int i = 2; workbook_validate_sheet_name(book_, name.c_str()) != LXW_NO_ERROR; ++i) {
    const std::string number = " " + std::to_string(i);
    name = std::string{cut(allowed_name(wanted), kLongestSheetName - number.size())} + number;
  }
  return workbook_add_worksheet(book_, name.c_str());
}

lxw_format* Workbook::format(const char* numbers, bool bold) {
  lxw_format* const format = workbook_add_format(book_);
  format_set_num_format(format, numbers);
  if (bold) format_set_bold(format);
  return format;
}

lxw_format* Workbook::wrapped(bool bold) {
  lxw_format* const format = workbook_add_format(book_);
  if (bold) format_set_bold(format);
  format_set_text_wrap(format);
  format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
  return format;
}

std::string Workbook::finish() {
  const lxw_error failed = workbook_close(book_);
  book_ = nullptr;
  if (failed != LXW_NO_ERROR) throw std::runtime_error(lxw_strerror(failed));
  std::ifstream file(path_, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty()) throw std::runtime_error("the workbook cannot be read back: " + path_);
  return bytes;
}

void print_on_a4(lxw_worksheet* sheet, Page page, std::uint16_t pages) {
  constexpr std::uint8_t kA4 = 9;
  constexpr double kMargin = 0.5;  // inches
  worksheet_set_paper(sheet, kA4);
  if (page == Page::lying) worksheet_set_landscape(sheet);
  worksheet_set_margins(sheet, kMargin, kMargin, kMargin, kMargin);
  worksheet_fit_to_pages(sheet, 1, pages);
}

std::string cell_name(lxw_row_t row, lxw_col_t column) {
  std::array<char, LXW_MAX_CELL_NAME_LENGTH> name{};
  lxw_rowcol_to_cell(name.data(), row, column);
  return name.data();
}

std::string cell_name(const lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column) {
  return '\'' + std::string{sheet->name} + "'!" + cell_name(row, column);
}

void write_text(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, std::string_view text,
                lxw_format* format) {
  const std::string shown = printable(text, "\uFFFD", "\t\r\n");
  worksheet_write_string(sheet, row, column, std::string{cut(shown, kLongestCell)}.c_str(), format);
}

void write_formula(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column,
                   const std::string& formula, double value, lxw_format* format) {
  worksheet_write_formula_num(sheet, row, column, formula.c_str(), format, value);
}

void write_formula(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column,
                   const std::string& formula, const char* value, lxw_format* format) {
  worksheet_write_formula_str(sheet, row, column, formula.c_str(), format, value);
}

}  // namespace planner::present
