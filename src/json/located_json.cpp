#include "planner/json/located_json.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "planner/json/syntax_error.hpp"
#include "planner/json/text_file.hpp"

namespace planner::json {

namespace {

constexpr std::size_t kDeepestNesting = 64;
constexpr std::size_t kMostValues = 1'000'000;
constexpr int kNumberOverflow = 406;  // nlohmann's id of "number overflow"

/// Walks the text and tells how far it has been read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*read_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* read_;
};

/// Receives the parser's events and builds the tree. `state_.read` is kept by the iterator.
class TreeBuilder {
 public:
  explicit TreeBuilder(SourceText source) : source_(source) {}

  [[nodiscard]] std::size_t* read_counter() { return &state_.read; }
  [[nodiscard]] std::optional<Diagnostic> take_error() { return std::move(error_); }
  [[nodiscard]] JsonNode take_root() { return std::move(root_); }

  // The SAX interface of nlohmann::json; false stops the parser.
  bool null() { return leaf(std::monostate{}); }
  bool boolean(bool value) { return leaf(value); }
  bool string(std::string& value) { return leaf(std::move(value)); }
  bool binary(std::vector<std::uint8_t>&) { return true; }
  bool number_integer(std::int64_t value) { return number(value); }
  bool number_unsigned(std::uint64_t value) {
    const bool fits = value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return fits ? number(static_cast<std::int64_t>(value)) : number(value);
  }
  bool number_float(double value, const std::string&) { return number(value); }
  bool start_object(std::size_t) { return open(JsonNode::Object{}); }
  bool start_array(std::size_t) { return open(JsonNode::Array{}); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    key_ = std::move(name);
    key_offset_ = token_start();
    consumed(state_.read);
    state_.place = JsonPlace::after_key;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    error_ = error.id == kNumberOverflow
                 ? source_.diagnose(token_start(), "out-of-range", "number out of range",
                                    "the largest is about 1.8e308")
                 : explain_syntax_error(source_, state_);
    return false;
  }

 private:
  /// Where the token just read starts: the first byte after the one before it and separators.
  [[nodiscard]] std::size_t token_start() const {
    return source_.text.find_first_not_of(" \t\r\n,:", state_.cursor);
  }
  void consumed(std::size_t end) {
    state_.cursor = end;
    state_.just_opened = false;
  }

  template <class V>
  bool leaf(V value) {
    const std::size_t start = token_start();
    consumed(state_.read);
    return attach(std::move(value), start) != nullptr;
  }

  /// The lexer reads one byte past a number: its end is found in the text.
  template <class V>
  bool number(V value) {
    const std::size_t start = token_start();
    const std::size_t end = source_.text.find_first_not_of("0123456789+-.eE", start);
    consumed(end == std::string_view::npos ? source_.text.size() : std::min(end, state_.read - 1));
    return attach(value, start) != nullptr;
  }

  template <class Container>
  bool open(Container empty) {
    const std::size_t start = token_start();
    if (open_.size() == kDeepestNesting) {
      error_ = source_.diagnose(start, "too-deep", "nested deeper than 64 levels");
      return false;
    }
    consumed(state_.read);
    JsonNode* const node = attach(std::move(empty), start);
    if (node == nullptr) return false;
    open_.push_back(node);
    resume();
    state_.just_opened = true;
    return true;
  }

  bool close() {
    consumed(state_.read);
    open_.pop_back();
    resume();
    return true;
  }

  /// Puts a value where it belongs; null when there are too many. The parents on the stack stay
  /// where they are: only the innermost container grows.
  template <class V>
  JsonNode* attach(V value, std::size_t offset) {
    if (++values_ > kMostValues) {
      error_ = source_.diagnose(offset, "too-large", "more than a million values",
                                "is this the right file?");
      return nullptr;
    }
    JsonNode node{.value = std::move(value), .offset = offset};
    JsonNode* place = &root_;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (auto* const array = std::get_if<JsonNode::Array>(&open_.back()->value)) {
      place = &array->emplace_back(std::move(node));
    } else {
      auto& object = std::get<JsonNode::Object>(open_.back()->value);
      object.push_back({std::move(key_), key_offset_, std::move(node)});
      place = &object.back().value;
    }
    resume();
    return place;
  }

  /// Sets the place to that inside the innermost open container.
  void resume() {
    if (open_.empty()) {
      state_.place = JsonPlace::after_value;
      return;
    }
    state_.opened = open_.back()->offset;
    state_.place = std::holds_alternative<JsonNode::Array>(open_.back()->value)
                       ? JsonPlace::in_array
                       : JsonPlace::in_object;
  }

  SourceText source_;
  JsonState state_;
  JsonNode root_;
  std::vector<JsonNode*> open_;
  std::string key_;
  std::size_t key_offset_ = 0;
  std::size_t values_ = 0;
  std::optional<Diagnostic> error_;
};

/// What the lexer would not tell, or not tell well.
std::optional<Diagnostic> unfit_text(SourceText source) {
  const std::string_view text = source.text;
  if (text.size() > kLargestText) {
    return source.diagnose(0, "too-large", "the text is larger than 64 MiB",
                           "is this the right file?");
  }
  if (text.starts_with("\xEF\xBB\xBF") || text.starts_with("\xFF\xFE") ||
      text.starts_with("\xFE\xFF")) {
    return source.diagnose(0, "syntax", "the file starts with a byte order mark",
                           "save it as plain UTF-8, without a byte order mark");
  }
  // The lexer takes a NUL for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return source.diagnose(nul, "syntax", "a NUL byte in the text", "is this a JSON file?");
  }
  return std::nullopt;
}

}  // namespace

std::string_view JsonNode::kind() const {
  constexpr std::string_view names[] = {"null",     "a boolean", "an integer", "an integer",
                                        "a number", "a string",  "an array",   "an object"};
  return names[value.index()];
}

const JsonNode* JsonNode::find(std::string_view key) const {
  const Object* const object = get<Object>();
  if (object == nullptr) return nullptr;
  const auto found = std::find_if(object->begin(), object->end(),
                                  [key](const JsonMember& member) { return member.key == key; });
  return found == object->end() ? nullptr : &found->value;
}

JsonNode parse_json(SourceText source) {
  if (auto error = unfit_text(source)) throw InputError(*std::move(error));
  TreeBuilder builder(source);
  const char* const begin = source.text.data();
  const char* const end = begin + source.text.size();
  std::size_t unused = 0;
  const bool parsed = nlohmann::json::sax_parse(CountingIterator(begin, builder.read_counter()),
                                                CountingIterator(end, &unused), &builder);
  if (auto error = builder.take_error()) throw InputError(*std::move(error));
  if (!parsed) throw InputError(source.diagnose(0, "syntax", "this is not JSON"));
  return builder.take_root();
}

}  // namespace planner::json
