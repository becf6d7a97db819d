// The McKay–Miller–Širáň graphs themselves, over prime and prime-power fields: degree, links and
// diameter must be what the count says. Source: Besta & Hoefler, SC'14, § II-B.

#include <set>

#include "port_map.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using namespace planner::wiring;

/// The field of p^n elements; an element is its polynomial's coefficients as digits to base p.
class Field {
 public:
  /// @param modulus  coefficients of the irreducible polynomial, without the leading 1
  Field(int p, std::vector<int> modulus) : p_(p), modulus_(std::move(modulus)) {
    for (std::size_t i = 0; i < modulus_.size(); ++i) size_ *= p_;
  }
  int size() const { return size_; }

  int add(int a, int b) const {
    int sum = 0;
    for (int place = 1; place < size_; place *= p_) {
      sum += (a / place + b / place) % p_ * place;
    }
    return sum;
  }
  int negate(int a) const {
    int negative = 0;
    for (int place = 1; place < size_; place *= p_) negative += (p_ - a / place % p_) % p_ * place;
    return negative;
  }
  int multiply(int a, int b) const {
    int product = 0;
    for (int place = size_ / p_; place > 0; place /= p_) {
      product = times_x(product);
      for (int i = 0; i < a / place % p_; ++i) product = add(product, b);
    }
    return product;
  }
  /// The powers 1, ξ, ξ², … of a generator of the multiplicative group.
  std::vector<int> powers() const {
    for (int generator = 2; generator < size_; ++generator) {
      std::vector<int> all = {1};
      while (multiply(all.back(), generator) != 1) all.push_back(multiply(all.back(), generator));
      if (static_cast<int>(all.size()) == size_ - 1) return all;
    }
    return {};
  }

 private:
  int times_x(int a) const {
    const int top = a / (size_ / p_);
    int shifted = a % (size_ / p_) * p_;
    int place = 1;
    for (const int coefficient : modulus_) {
      for (int i = 0; i < top; ++i) shifted = add(shifted, negate(coefficient * place));
      place *= p_;
    }
    return shifted;
  }

  int p_;
  std::vector<int> modulus_;
  int size_ = 1;
};

struct Generators {
  std::set<int> x, x_prime;
};

Generators generators(const Field& field) {
  const std::vector<int> power = field.powers();
  const int q = field.size();
  Generators sets;
  const auto at = [&](int exponent) { return power[static_cast<std::size_t>(exponent % (q - 1))]; };
  if (q % 4 == 3) {  // q = 4w - 1
    const int w = (q + 1) / 4;
    for (int i = 0; i <= 2 * w - 2; i += 2) sets.x.insert(at(i));
    for (int i = 2 * w - 1; i <= 4 * w - 3; i += 2) sets.x.insert(at(i));
    for (int i = 1; i <= 2 * w - 1; i += 2) sets.x_prime.insert(at(i));
    for (int i = 2 * w; i <= 4 * w - 2; i += 2) sets.x_prime.insert(at(i));
  } else {
    for (int i = 0; i <= q - 2; i += 2) sets.x.insert(at(i));
    for (int i = 1; i <= q - 1; i += 2) sets.x_prime.insert(at(i));
  }
  return sets;
}

void check_graph(const Field& field) {
  const int q = field.size();
  CAPTURE(q);
  const FabricDesign design{.radix = 64, .topology = SlimFly{.q = q}};
  PortMap map(counted(design));
  const Nodes routers = map.tier("router");
  REQUIRE(static_cast<int>(routers.size()) == 2 * q * q);
  const auto router = [&](int graph, int x, int y) {
    return routers[static_cast<std::size_t>((graph * q + x) * q + y)];
  };
  const Generators sets = generators(field);
  const std::size_t layer = map.layer("router_router");
  for (int x = 0; x < q; ++x) {
    for (int y = 0; y < q; ++y) {
      for (int other = y + 1; other < q; ++other) {
        const int difference = field.add(y, field.negate(other));
        if (sets.x.contains(difference)) map.link(router(0, x, y), router(0, x, other), layer);
        if (sets.x_prime.contains(difference)) {
          map.link(router(1, x, y), router(1, x, other), layer);
        }
      }
      for (int m = 0; m < q; ++m) {  // y = m·x + c
        const int c = field.add(y, field.negate(field.multiply(m, x)));
        map.link(router(0, x, y), router(1, m, c), layer);
      }
    }
  }
  map.attach_hosts(routers, map.layer("host"));
  map.check_ports();
  map.check_radix(design.port_gbps);
  for (const int x : {0, q - 1}) {
    const std::vector<int> distance = map.distances(router(1, x, 1));
    for (const Node node : routers) REQUIRE(distance[static_cast<std::size_t>(node)] <= 2);
  }
}

TEST_CASE("port map: slim fly over the fields of 3 to 13 elements") {
  for (const int prime : {3, 5, 7, 11, 13}) check_graph(Field(prime, {0}));
  check_graph(Field(2, {1, 1}));     // x² + x + 1
  check_graph(Field(2, {1, 1, 0}));  // x³ + x + 1
  check_graph(Field(3, {1, 0}));     // x² + 1
}

}  // namespace
