#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/api/request.hpp"
#include "planner/commands/values/value_parsers.hpp"

// How the rows of the option table read their text. `at` says where in a request the value belongs:
// &Request::gpus, or in_part(&Request::routing, &RoutingRequest::qps).
namespace planner {

// Limits far above anything that will be built, low enough that no product of them overflows where
// it is formed: counts are multiplied in checked or floating-point arithmetic.
inline constexpr std::int64_t kMostGpus = 1'000'000'000'000;
inline constexpr std::int64_t kMostDomainGpus = 1'000'000'000;  ///< of an HB domain, as in files
inline constexpr std::int64_t kMostSequences = 1'000'000'000;
inline constexpr double kMostBandwidthGBps = 1e9;

using Reader = std::function<std::optional<std::string>(std::string_view, Request&)>;

template <class Part, class Member>
auto in_part(Part Request::*part, Member Part::*member) {
  return [=](Request& request) -> Member& { return request.*part.*member; };
}

/// Stores a parsed value, or passes on what is wrong with it.
template <class T, class Member>
std::optional<std::string> store(Parsed<T> parsed, Member& member) {
  if (!parsed.value) return std::move(parsed.error);
  member = std::move(*parsed.value);
  return std::nullopt;
}

template <class At>
Reader integer(At at, std::int64_t least, std::int64_t most) {
  return [=](std::string_view text, Request& request) {
    return store(parse_integer(text, least, most), std::invoke(at, request));
  };
}

template <class At>
Reader positive(At at, double most) {
  return [=](std::string_view text, Request& request) {
    return store(parse_positive(text, most), std::invoke(at, request));
  };
}

template <class At>
Reader non_negative(At at, double most) {
  return [=](std::string_view text, Request& request) {
    return store(parse_non_negative(text, most), std::invoke(at, request));
  };
}

template <class At>
Reader text(At at) {
  return [=](std::string_view value, Request& request) -> std::optional<std::string> {
    if (value.empty()) return "must not be empty";
    std::invoke(at, request) = std::string{value};
    return std::nullopt;
  };
}

template <class At>
Reader turn_on(At at) {
  return [=](std::string_view, Request& request) -> std::optional<std::string> {
    std::invoke(at, request) = true;
    return std::nullopt;
  };
}

/// The words that an option takes, with what each stands for.
template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
Parsed<Value> parse_choice(std::string_view text, const Choices<Value>& choices) {
  std::string names;
  for (const auto& [name, value] : choices) {
    if (name == text) return {.value = value, .error = {}};
    names += (names.empty() ? "" : ", ") + std::string{name};
  }
  return {.value = {}, .error = fmt::format("must be one of {}, not \"{}\"", names, text)};
}

template <class At, class Value>
Reader choice(At at, Choices<Value> choices) {
  return [=](std::string_view text, Request& request) {
    return store(parse_choice(text, choices), std::invoke(at, request));
  };
}

/// The values by their name_of().
template <class Value, std::size_t N>
Choices<Value> named(const std::array<Value, N>& values) {
  Choices<Value> choices;
  for (const Value value : values) choices.emplace_back(name_of(value), value);
  return choices;
}

template <class At, class Value, std::size_t N>
Reader choice(At at, const std::array<Value, N>& values) {
  return choice(at, named(values));
}

}  // namespace planner
