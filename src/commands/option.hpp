#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/commands/values/value_parsers.hpp"

// One record an option: help, completion, the schema of requests and the reader come from it.
namespace planner::commands {

// Limits far above anything that will be built, low enough that no product of them overflows where
// it is formed: counts are multiplied in checked or floating-point arithmetic.
inline constexpr std::int64_t kMostGpus = 1'000'000'000'000;
inline constexpr std::int64_t kMostDomainGpus = 1'000'000'000;  ///< of an HB domain, as in files
inline constexpr std::int64_t kMostSequences = 1'000'000'000;
inline constexpr double kMostBandwidthGBps = 1e9;
inline constexpr double kMostPriceUsd = 1e9;

/// An option as its user sees it.
struct OptionInfo {
  std::string name;   ///< without dashes: "global-batch"
  std::string value;  ///< how help shows the value: "N"; empty: a switch
  std::string help;
  std::string group;                      ///< heading of the help text
  std::vector<std::string> choices = {};  ///< the words that it takes; empty: others too
  bool repeats = false;                   ///< may be given more than once

  [[nodiscard]] bool is_switch() const { return value.empty(); }
};

/// How a text becomes a value of a request; says what is wrong with it: "must be a whole number".
template <class Request>
using Read = std::function<std::optional<std::string>(std::string_view text, Request& request)>;

template <class Request>
struct OptionOf {
  OptionInfo info;
  Read<Request> read;
};

/// Stores a parsed value, or passes on what is wrong with it.
template <class T, class Member>
std::optional<std::string> store(Parsed<T> parsed, Member& member) {
  if (!parsed.value) return std::move(parsed.error);
  member = std::move(*parsed.value);
  return std::nullopt;
}

template <class Request, class Member>
OptionOf<Request> integer(OptionInfo info, Member Request::*at, std::int64_t least,
                          std::int64_t most) {
  return {std::move(info), [=](std::string_view text, Request& request) {
            return store(parse_integer(text, least, most), request.*at);
          }};
}

template <class Request, class Member>
OptionOf<Request> positive(OptionInfo info, Member Request::*at, double most) {
  return {std::move(info), [=](std::string_view text, Request& request) {
            return store(parse_positive(text, most), request.*at);
          }};
}

template <class Request, class Member>
OptionOf<Request> text(OptionInfo info, Member Request::*at) {
  return {std::move(info),
          [=](std::string_view value, Request& request) -> std::optional<std::string> {
            if (value.empty()) return "must not be empty";
            request.*at = std::string{value};
            return std::nullopt;
          }};
}

template <class Request>
OptionOf<Request> turn_on(OptionInfo info, bool Request::*at) {
  return {std::move(info), [=](std::string_view, Request& request) -> std::optional<std::string> {
            request.*at = true;
            return std::nullopt;
          }};
}

/// "must be one of a, b, not "c"".
std::string not_among(const std::vector<std::string>& choices, std::string_view text);

/// One of the values, by its name_of().
template <class Request, class Member, class Values>
OptionOf<Request> choice(OptionInfo info, Member Request::*at, const Values& values) {
  for (const auto value : values) info.choices.emplace_back(name_of(value));
  const std::vector<std::string> names = info.choices;
  return {std::move(info),
          [=](std::string_view text, Request& request) -> std::optional<std::string> {
            for (const auto value : values) {
              if (name_of(value) != text) continue;
              request.*at = value;
              return std::nullopt;
            }
            return not_among(names, text);
          }};
}

/// The options of a part of a request: groups that commands share.
template <class Request, class Part>
std::vector<OptionOf<Request>> in(Part Request::*part, const std::vector<OptionOf<Part>>& options) {
  std::vector<OptionOf<Request>> all;
  for (const OptionOf<Part>& option : options) {
    all.push_back(
        {option.info, [part, read = option.read](std::string_view text, Request& request) {
           return read(text, request.*part);
         }});
  }
  return all;
}

/// Groups one after the other.
template <class Request>
std::vector<OptionOf<Request>> joined(std::vector<std::vector<OptionOf<Request>>> groups) {
  std::vector<OptionOf<Request>> all;
  for (auto& group : groups) {
    for (OptionOf<Request>& option : group) all.push_back(std::move(option));
  }
  return all;
}

}  // namespace planner::commands
