#include "planner/perf/derivation/text.hpp"

#include <array>
#include <charconv>

namespace planner::inline perf {

Text::Text(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text_.assign(digits.data(), end);
}

std::string Text::at_least(Rank rank) const {
  return rank_ < rank ? "(" + text_ + ")" : text_;
}

Text operator+(const Text& a, const Text& b) {
  return {a.text_ + " + " + b.text_, Text::Rank::sum};
}

Text operator-(const Text& a, const Text& b) {
  return {a.text_ + " - " + b.at_least(Text::Rank::product), Text::Rank::sum};
}

Text operator*(const Text& a, const Text& b) {
  return {a.at_least(Text::Rank::product) + " * " + b.at_least(Text::Rank::product),
          Text::Rank::product};
}

Text operator/(const Text& a, const Text& b) {
  return {a.at_least(Text::Rank::product) + " / " + b.at_least(Text::Rank::power),
          Text::Rank::product};
}

Text power(const Text& a, const Text& b) {
  return {a.at_least(Text::Rank::atom) + " ^ " + b.at_least(Text::Rank::atom), Text::Rank::power};
}

Text call(std::string_view function, std::initializer_list<Text> arguments) {
  std::string text{function};
  const char* before = "(";
  for (const Text& argument : arguments) {
    text += before + argument.str();
    before = ", ";
  }
  return Text{text + ")"};
}

}  // namespace planner::perf
