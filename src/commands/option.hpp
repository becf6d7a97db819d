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
#include "planner/domain/timing.hpp"

// One record an option: help, completion, the schema of requests and the reader come from it.
namespace planner::commands {

// Limits far above anything that will be built, low enough that no product of them overflows where
// it is formed: counts are multiplied in checked or floating-point arithmetic.
inline constexpr std::int64_t kMostGpus = 1'000'000'000'000;
inline constexpr std::int64_t kMostDomainGpus = 1'000'000'000;  ///< of an HB domain, as in files
inline constexpr std::int64_t kMostSequences = 1'000'000'000;
inline constexpr double kMostBandwidthGBps = 1e9;
inline constexpr double kMostPriceUsd = 1e9;
inline constexpr double kMostPortWatts = 1e6;
inline constexpr std::int64_t kMostFlows = 1'000'000'000;

/// An option as its user sees it: the one record behind help, completion, the schema of requests,
/// "Assumed:" and refusals.
struct OptionInfo {
  std::string name;   ///< without dashes: "global-batch"
  std::string value;  ///< how help shows the value: "N"; empty: a switch
  std::string help;   ///< "{}" stands for the choices, which are added where it is empty
  std::string group;  ///< heading of the help text
  std::vector<std::string> choices = {};  ///< the words that it takes; empty: others too
  bool repeats = false;                   ///< may be given more than once
  std::string fallback = {};              ///< what it is where it is not given, as typed
  bool assumed = false;                   ///< an answer says so where the fallback was taken
  std::optional<Timing> timing = {};      ///< the only timing model that knows it
  std::string neutral = {};  ///< a value that the other model takes too: it asks for nothing
  std::string instead = {};  ///< what the other model does: ", which counts …"
  bool own_text = false;     ///< its answer is a file of its own kind, whatever the file is called
  std::optional<double> least = {}, most = {};  ///< of a number

  [[nodiscard]] bool is_switch() const { return value.empty(); }
  /// The help text with choices and default: "none, selective (default) or full".
  [[nodiscard]] std::string told() const;
};

/// How a text becomes a value of a request; says what is wrong with it: "must be a whole number".
template <class Request>
using Read = std::function<std::optional<std::string>(std::string_view text, Request& request)>;

template <class Request>
struct OptionOf {
  OptionInfo info;
  Read<Request> read;
  /// Whether two requests agree in it.
  std::function<bool(const Request&, const Request&)> same;

  [[nodiscard]] bool given(const Request& request) const { return !same(request, Request{}); }
  /// Given, and asking for something.
  [[nodiscard]] bool changed(const Request& request) const {
    if (!given(request)) return false;
    Request usual;
    return info.neutral.empty() || read(info.neutral, usual).has_value() || !same(request, usual);
  }
};

/// An option that is one member of a request.
template <class Request, class Member>
OptionOf<Request> of_member(OptionInfo info, Member Request::*at, Read<Request> read) {
  return {std::move(info), std::move(read),
          [at](const Request& a, const Request& b) { return a.*at == b.*at; }};
}

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
  info.least = static_cast<double>(least);
  info.most = static_cast<double>(most);
  return of_member<Request>(std::move(info), at, [=](std::string_view text, Request& request) {
    return store(parse_integer(text, least, most), request.*at);
  });
}

/// A list of whole numbers: "1,2,4".
template <class Request>
OptionOf<Request> integers(OptionInfo info, std::vector<std::int64_t> Request::*at,
                           std::int64_t least, std::int64_t most) {
  info.least = static_cast<double>(least);
  info.most = static_cast<double>(most);
  return of_member<Request>(std::move(info), at, [=](std::string_view text, Request& request) {
    return store(parse_integers(text, least, most), request.*at);
  });
}

template <class Request, class Member>
OptionOf<Request> positive(OptionInfo info, Member Request::*at, double most) {
  info.most = most;
  return of_member<Request>(std::move(info), at, [=](std::string_view text, Request& request) {
    return store(parse_positive(text, most), request.*at);
  });
}

template <class Request, class Member>
OptionOf<Request> non_negative(OptionInfo info, Member Request::*at, double most) {
  info.least = 0;
  info.most = most;
  return of_member<Request>(std::move(info), at, [=](std::string_view text, Request& request) {
    return store(parse_non_negative(text, most), request.*at);
  });
}

/// A number in [least, most].
template <class Request, class Member>
OptionOf<Request> between(OptionInfo info, Member Request::*at, double least, double most) {
  info.least = least;
  info.most = most;
  return of_member<Request>(std::move(info), at, [=](std::string_view text, Request& request) {
    return store(parse_between(text, least, most), request.*at);
  });
}

/// A positive number of `unit`s.
template <class Request, class Q>
OptionOf<Request> quantity(OptionInfo info, std::optional<Q> Request::*at, Q unit, double most) {
  info.most = most;
  return of_member<Request>(
      std::move(info), at,
      [=](std::string_view text, Request& request) -> std::optional<std::string> {
        Parsed<double> number = parse_positive(text, most);
        if (!number.value) return std::move(number.error);
        request.*at = *number.value * unit;
        return std::nullopt;
      });
}

template <class Request, class Member>
OptionOf<Request> text(OptionInfo info, Member Request::*at) {
  return of_member<Request>(
      std::move(info), at,
      [=](std::string_view value, Request& request) -> std::optional<std::string> {
        if (value.empty()) return "must not be empty";
        request.*at = std::string{value};
        return std::nullopt;
      });
}

template <class Request, class Member>
OptionOf<Request> turn_on(OptionInfo info, Member Request::*at) {
  return of_member<Request>(std::move(info), at,
                            [=](std::string_view, Request& request) -> std::optional<std::string> {
                              request.*at = true;
                              return std::nullopt;
                            });
}

/// "must be one of a, b, not "c"".
std::string not_among(const std::vector<std::string>& choices, std::string_view text);

/// One of the values by its name; nothing where it is none of them.
template <class Values>
auto value_named(std::string_view name, const Values& values)
    -> std::optional<std::decay_t<decltype(*std::begin(values))>> {
  for (const auto value : values) {
    if (name_of(value) == name) return value;
  }
  return std::nullopt;
}

/// One of the values, by its name_of().
template <class Request, class Member, class Values>
OptionOf<Request> choice(OptionInfo info, Member Request::*at, const Values& values) {
  for (const auto value : values) info.choices.emplace_back(name_of(value));
  const std::vector<std::string> names = info.choices;
  return of_member<Request>(
      std::move(info), at,
      [=](std::string_view text, Request& request) -> std::optional<std::string> {
        const auto value = value_named(text, values);
        if (!value) return not_among(names, text);
        request.*at = *value;
        return std::nullopt;
      });
}

/// The options of a part of a request: groups that commands share.
template <class Request, class Part>
std::vector<OptionOf<Request>> in(Part Request::*part, const std::vector<OptionOf<Part>>& options) {
  std::vector<OptionOf<Request>> all;
  for (const OptionOf<Part>& option : options) {
    all.push_back({option.info,
                   [part, read = option.read](std::string_view text, Request& request) {
                     return read(text, request.*part);
                   },
                   [part, same = option.same](const Request& a, const Request& b) {
                     return same(a.*part, b.*part);
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

/// Throws the UsageError of something that the timing model does not know.
[[noreturn]] void not_in_timing(const std::string& what, Timing timing,
                                const std::string& instead = {});

/// The options that the request leaves to their defaults, of those that an answer names.
/// @param timing  leaves out the options of the other timing model
template <class Request>
std::vector<std::string> assumed_of(const std::vector<OptionOf<Request>>& options,
                                    const Request& request, std::optional<Timing> timing = {}) {
  std::vector<std::string> names;
  for (const OptionOf<Request>& option : options) {
    const bool known = !option.info.timing || !timing || *option.info.timing == *timing;
    if (option.info.assumed && known && !option.given(request)) names.push_back(option.info.name);
  }
  return names;
}

/// Throws the UsageError of the first option that the timing model does not know.
template <class Request>
void refuse_other_timing(const std::vector<OptionOf<Request>>& options, const Request& request,
                         Timing timing) {
  for (const OptionOf<Request>& option : options) {
    const OptionInfo& info = option.info;
    if (!info.timing || *info.timing == timing || !option.changed(request)) continue;
    not_in_timing("--" + info.name, timing, info.instead);
  }
}

}  // namespace planner::commands
