#include <optional>
#include <vector>

#include "planner/site/wiring/wirer.hpp"

namespace planner::site {
namespace {

/// The finite field of q = pⁿ elements, as powers of a primitive element ξ. Elements are numbers
/// whose digits to the base p are the coefficients of a polynomial.
class Field {
 public:
  explicit Field(std::int64_t q) : q_(q), p_(smallest_factor(q)) {
    if (p_ == q_) {
      for (std::int64_t root = 1; !powers_of_number(root); ++root) {
      }
      return;
    }
    for (std::int64_t modulus = 1; !powers_of_x(modulus); ++modulus) {
    }
  }

  [[nodiscard]] std::int64_t power(std::int64_t exponent) const {
    return powers_[exponent % (q_ - 1)];
  }
  [[nodiscard]] std::int64_t times(std::int64_t a, std::int64_t b) const {
    return a == 0 || b == 0 ? 0 : power(logs_[a] + logs_[b]);
  }
  [[nodiscard]] std::int64_t plus(std::int64_t a, std::int64_t b) const {
    if (p_ == q_) return (a + b) % q_;
    std::int64_t sum = 0;
    for (std::int64_t place = 1; place < q_; place *= p_) {
      sum += (a / place % p_ + b / place % p_) % p_ * place;
    }
    return sum;
  }

 private:
  static std::int64_t smallest_factor(std::int64_t n) {
    for (std::int64_t p = 2; p <= n / p; ++p) {
      if (n % p == 0) return p;
    }
    return n;
  }

  /// Whether ξ = root reaches every element but 0.
  bool powers_of_number(std::int64_t root) {
    return fill([&](std::int64_t value) { return value * root % q_; });
  }
  /// The same of ξ = x modulo a polynomial xⁿ - (the digits of `modulus`).
  bool powers_of_x(std::int64_t modulus) {
    return fill([&](std::int64_t value) {
      const std::int64_t top = value / (q_ / p_);
      std::int64_t next = value % (q_ / p_) * p_;
      for (std::int64_t times = 0; times < top; ++times) next = plus(next, modulus);
      return next;
    });
  }
  template <class Next>
  bool fill(Next next) {
    powers_.clear();
    logs_.assign(q_, -1);
    for (std::int64_t value = 1; value != 0 && logs_[value] < 0; value = next(value)) {
      logs_[value] = static_cast<std::int64_t>(powers_.size());
      powers_.push_back(value);
    }
    return static_cast<std::int64_t>(powers_.size()) == q_ - 1;
  }

  std::int64_t q_, p_;
  std::vector<std::int64_t> powers_, logs_;
};

/// Differences between neighbours within a group of q routers: exponents of ξ. Source: Besta and
/// Hoefler, SC'14, section II-B, after Hafner 2004, for q = 4w + δ.
std::vector<std::int64_t> generators(std::int64_t q, bool second) {
  std::vector<std::int64_t> exponents;
  const std::int64_t shift = second ? 1 : 0;
  if (q % 4 == 3) {
    const std::int64_t w = (q + 1) / 4;
    for (std::int64_t i = 0; i < w; ++i) {
      exponents.push_back(2 * i + shift);
      exponents.push_back(2 * w - 1 + 2 * i + shift);
    }
  } else {
    const std::int64_t number = q % 4 == 1 ? (q - 1) / 2 : q / 2;
    for (std::int64_t i = 0; i < number; ++i) exponents.push_back(2 * i + shift);
  }
  return exponents;
}

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign&, const FabricCount& count, const SlimFly&) {
  const std::int64_t q = count.units;
  const std::int64_t routers = 2 * q * q;
  const Field field(q);
  const Runs hosts{.things = count.endpoints, .bins = routers};
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t router = wirer.tier("router");
  const std::size_t host = wirer.layer("host", gpu, router);
  for (std::int64_t e = 0; e < count.endpoints; ++e) wirer.link(host, e, hosts.bin_of(e));
  wirer.sets(2 * q);
  wirer.set_of(gpu, [&](std::int64_t e) { return hosts.bin_of(e) / q; });
  wirer.set_of(router, [q](std::int64_t id) { return id / q; });
  wirer.align(router);
  const std::size_t between = wirer.layer("router_router", router, router);
  const auto id = [q](std::int64_t half, std::int64_t x, std::int64_t y) {
    return (half * q + x) * q + y;
  };
  for (std::int64_t half = 0; half < 2; ++half) {
    for (std::int64_t x = 0; x < q; ++x) {
      for (std::int64_t y = 0; y < q; ++y) {
        for (const std::int64_t exponent : generators(q, half == 1)) {
          const std::int64_t other = field.plus(y, field.power(exponent));
          if (y < other) wirer.link(between, id(half, x, y), id(half, x, other));
        }
      }
    }
  }
  // (0, x, y) is joined to (1, m, c) where y = m·x + c.
  for (std::int64_t x = 0; x < q; ++x) {
    for (std::int64_t m = 0; m < q; ++m) {
      for (std::int64_t c = 0; c < q; ++c) {
        wirer.link(between, id(0, x, field.plus(field.times(m, x), c)), id(1, m, c));
      }
    }
  }
}

}  // namespace planner::site
