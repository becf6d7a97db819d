#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/json/number_text.hpp"
#include "planner/json/read_context.hpp"

namespace planner::json {

using Json = nlohmann::ordered_json;

/// Codec without its type: values are given by their address. What is done with values of any type
/// is written for this, and so compiled once, not for each type.
struct AnyCodec {
  /// Replaces the value; false: reported, and the value is anything.
  std::function<bool(const JsonNode&, const ReadContext&, void* value)> read;
  std::function<void(const void* value, Json& out)> write;
  std::function<void(Json& schema)> describe;
};

using SharedCodec = std::shared_ptr<const AnyCodec>;

/// How a V is read from JSON, written to it, and described by a JSON Schema.
template <class V>
class Codec {
 public:
  /// @param read   std::optional<V>(const JsonNode&, const ReadContext&)
  /// @param write  void(const V&, Json& out)
  template <class Read, class Write>
  Codec(Read read, Write write, std::function<void(Json&)> describe)
      : Codec(AnyCodec{.read =
                           [read](const JsonNode& node, const ReadContext& context, void* value) {
                             std::optional<V> found = read(node, context);
                             if (found) *static_cast<V*>(value) = *std::move(found);
                             return found.has_value();
                           },
                       .write = [write](const void* value,
                                        Json& out) { write(*static_cast<const V*>(value), out); },
                       .describe = std::move(describe)}) {}
  explicit Codec(AnyCodec any) : any_(std::make_shared<const AnyCodec>(std::move(any))) {}

  /// Nothing after reporting what is wrong.
  std::optional<V> read(const JsonNode& node, const ReadContext& context) const {
    std::optional<V> value(std::in_place);
    if (!any_->read(node, context, &*value)) value.reset();
    return value;
  }
  void write(const V& value, Json& out) const { any_->write(&value, out); }
  void describe(Json& schema) const { any_->describe(schema); }

  [[nodiscard]] const std::function<void(Json&)>& description() const { return any_->describe; }
  [[nodiscard]] const SharedCodec& any() const { return any_; }

 private:
  SharedCodec any_;
};

/// A codec of the same values, described in another way.
template <class V>
Codec<V> described(const Codec<V>& codec, std::function<void(Json&)> describe) {
  return Codec<V>(AnyCodec{codec.any()->read, codec.any()->write, std::move(describe)});
}

/// A codec that reads good values alone.
/// @param good  bool(const V&, const JsonNode&, const ReadContext&); false: reported
template <class V, class Good>
Codec<V> checked(const Codec<V>& codec, Good good) {
  return Codec<V>(AnyCodec{
      [any = codec.any(), good](const JsonNode& node, const ReadContext& context, void* value) {
        return any->read(node, context, value) &&
               good(*static_cast<const V*>(value), node, context);
      },
      codec.any()->write, codec.any()->describe});
}

/// A codec of the same values, read in another way.
/// @param read  std::optional<V>(const JsonNode&, const ReadContext&)
template <class V, class Read>
Codec<V> read_by(const Codec<V>& codec, Read read) {
  return {read, [codec](const V& value, Json& out) { codec.write(value, out); },
          codec.description()};
}

/// The numbers a key accepts, both ends included. The defaults keep every later product finite.
struct Range {
  double min;
  double max;

  static constexpr Range positive(double max = 1e9) { return {1e-9, max}; }
  static constexpr Range non_negative(double max = 1e9) { return {0, max}; }
};

/// A string that is not empty and has no control characters.
Codec<std::string> text();
/// "2024", "2024-03", "2024-03-18" or "".
Codec<std::string> date();
/// One of these strings.
Codec<std::string> word(const std::vector<std::string>& allowed);
Codec<bool> boolean();
/// An integer; 4096.0 and 1e6 are integers too, as in JSON Schema.
Codec<std::int64_t> integer(std::int64_t min, std::int64_t max);
Codec<double> number(Range range);

namespace detail {
const JsonNode::Array* expect_array(const JsonNode& node, const ReadContext& context);
Json& append_to(Json& array);
void make_array(Json& out);
Json& describe_array(Json& schema);
/// A non-empty string or what `other` describes.
void describe_name_or(Json& schema, const std::function<void(Json&)>& other);

/// A Quantity without its dimensions, in SI units.
struct AnyQuantity {
  double (*si)(const void* quantity);
  void (*set)(void* quantity, double si);
};
AnyCodec quantity(const Codec<double>& plain, double unit, AnyQuantity of);
/// Values of a type that is copied as its bytes are.
struct AnyChoice {
  std::string bytes;  ///< of all values, one after the other
  std::size_t size;   ///< of each
  std::string (*name)(const void* one);
};
AnyCodec choice(const std::vector<std::string>& names, const AnyChoice& of);
}  // namespace detail

/// A number of `unit`s: the unit is in the key's name.
template <class Q>
Codec<Q> quantity(Q unit, Range range) {
  return Codec<Q>(
      detail::quantity(number(range), unit.si(),
                       {.si = [](const void* from) { return static_cast<const Q*>(from)->si(); },
                        .set = [](void* to, double si) { *static_cast<Q*>(to) = Q{si}; }}));
}

/// One of the values, by its name_of().
template <class E, std::size_t N>
Codec<E> choice(const std::array<E, N>& values) {
  static_assert(std::is_trivially_copyable_v<E>);
  std::vector<std::string> names;
  for (const E value : values) names.emplace_back(name_of(value));
  return Codec<E>(detail::choice(
      names,
      {.bytes = {reinterpret_cast<const char*>(values.data()), sizeof(values)},
       .size = sizeof(E),
       .name = [](const void* one) { return std::string{name_of(*static_cast<const E*>(one))}; }}));
}

namespace detail {
/// A std::optional without the type of what it may hold.
struct AnyOptional {
  const void* (*held)(const void* optional);  ///< null: nothing
  void* (*emplace)(void* optional);
  void (*reset)(void* optional);
};
template <class V>
AnyOptional any_optional() {
  using Maybe = std::optional<V>;
  return {.held = [](const void* optional) -> const void* {
            const Maybe& value = *static_cast<const Maybe*>(optional);
            return value ? &*value : nullptr;
          },
          // Clang 14 takes no struct within another for one that emplace() can make.
          .emplace = [](void* optional) -> void* {
            return &(*static_cast<Maybe*>(optional) = V{}).value();
          },
          .reset = [](void* optional) { static_cast<Maybe*>(optional)->reset(); }};
}
AnyCodec or_null(SharedCodec value, AnyOptional of);

/// A std::vector without the type of its elements.
struct AnyList {
  std::size_t (*size)(const void* list);
  const void* (*at)(const void* list, std::size_t index);
  void (*clear)(void* list);
  void* (*append)(void* list);
};
AnyCodec list(SharedCodec item, AnyList of);
}  // namespace detail

/// An array of values of one kind.
template <class V>
Codec<std::vector<V>> list(const Codec<V>& item) {
  using List = std::vector<V>;
  return Codec<List>(detail::list(
      item.any(),
      {.size = [](const void* all) { return static_cast<const List*>(all)->size(); },
       .at = [](const void* all, std::size_t index) -> const void* {
         return &(*static_cast<const List*>(all))[index];
       },
       .clear = [](void* all) { static_cast<List*>(all)->clear(); },
       .append = [](void* all) -> void* { return &static_cast<List*>(all)->emplace_back(); }}));
}

}  // namespace planner::json
