#include "planner/json/estimate_codec.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace planner::json {

namespace {

constexpr double kMostDollars = 1e12;  // a sum of many thousand such lines is still Money

bool whole_cents(double dollars) {
  const double cents = dollars * 100;
  return std::abs(cents - std::round(cents)) <= 1e-9 * std::max(1.0, std::abs(cents));
}

}  // namespace

Codec<Money> money() {
  const Codec<double> plain = number({-kMostDollars, kMostDollars});
  return {[plain](const JsonNode& node, const ReadContext& context) -> std::optional<Money> {
            const std::optional<double> dollars = plain.read(node, context);
            if (!dollars) return std::nullopt;
            if (!whole_cents(*dollars)) {
              context.report(node, "out-of-range",
                             "must be in whole cents, got " + shortest(*dollars));
              return std::nullopt;
            }
            const std::optional<Money> amount = Money::from_dollars(*dollars);
            if (amount <= Money{}) {
              context.report(node, "out-of-range", "must be positive, got " + shortest(*dollars),
                             "leave out a price that is not known; in a price book it is null");
              return std::nullopt;
            }
            return amount;
          },
          [plain](const Money& amount, Json& out) { plain.write(amount.dollars(), out); },
          number({0.01, kMostDollars}).description()};
}

namespace detail {

void describe_one_of(Json& schema, const std::vector<std::function<void(Json&)>>& each) {
  for (const std::function<void(Json&)>& describe : each) {
    Json one;
    describe(one);
    schema["oneOf"].push_back(std::move(one));
  }
}

void describe_or_null(Json& schema, const std::function<void(Json&)>& value) {
  describe_one_of(schema, {value, [](Json& null) { null["type"] = "null"; }});
}

AnyCodec or_null(SharedCodec value, AnyOptional of) {
  return {.read =
              [=](const JsonNode& node, const ReadContext& context, void* maybe) {
                if (!node.is_null()) return value->read(node, context, of.emplace(maybe));
                of.reset(maybe);
                return true;
              },
          .write =
              [=](const void* maybe, Json& out) {
                const void* const held = of.held(maybe);
                if (held != nullptr) {
                  value->write(held, out);
                } else {
                  out = nullptr;
                }
              },
          .describe = [=](Json& schema) { describe_or_null(schema, value->describe); }};
}

}  // namespace detail

}  // namespace planner::json
