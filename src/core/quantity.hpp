#pragma once

#include <compare>

namespace planner {

/// A physical quantity: a `double` in SI base units (byte, FLOP, second, US dollar, joule) whose
/// dimension is part of its type. Adding bytes to seconds, or dividing bytes by FLOP/s and calling
/// it seconds, does not compile. Same size and same machine code as a `double`.
template <int Byte, int Flop, int Second, int Usd, int Joule>
class Quantity {
 public:
  constexpr Quantity() = default;
  /// From a number in SI base units; prefer a unit constant: `80 * units::GB`.
  explicit constexpr Quantity(double si) : si_(si) {}

  /// The number in SI base units.
  [[nodiscard]] constexpr double si() const { return si_; }
  /// The number in the given unit: `t.in(units::us)`.
  [[nodiscard]] constexpr double in(Quantity unit) const { return si_ / unit.si_; }

  constexpr Quantity& operator+=(Quantity other) {
    si_ += other.si_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.si_ + b.si_}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.si_ - b.si_}; }
  friend constexpr Quantity operator-(Quantity a) { return Quantity{-a.si_}; }
  friend constexpr Quantity operator*(Quantity a, double f) { return Quantity{a.si_ * f}; }
  friend constexpr Quantity operator*(double f, Quantity a) { return Quantity{f * a.si_}; }
  friend constexpr Quantity operator/(Quantity a, double f) { return Quantity{a.si_ / f}; }
  friend constexpr bool operator==(Quantity, Quantity) = default;
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double si_ = 0;
};

namespace detail {
/// A quantity without dimension is a plain number.
template <int B, int F, int S, int U, int J>
constexpr auto collapse(double si) {
  if constexpr (B == 0 && F == 0 && S == 0 && U == 0 && J == 0) {
    return si;
  } else {
    return Quantity<B, F, S, U, J>{si};
  }
}
}  // namespace detail

template <int B1, int F1, int S1, int U1, int J1, int B2, int F2, int S2, int U2, int J2>
constexpr auto operator*(Quantity<B1, F1, S1, U1, J1> a, Quantity<B2, F2, S2, U2, J2> b) {
  return detail::collapse<B1 + B2, F1 + F2, S1 + S2, U1 + U2, J1 + J2>(a.si() * b.si());
}

template <int B1, int F1, int S1, int U1, int J1, int B2, int F2, int S2, int U2, int J2>
constexpr auto operator/(Quantity<B1, F1, S1, U1, J1> a, Quantity<B2, F2, S2, U2, J2> b) {
  return detail::collapse<B1 - B2, F1 - F2, S1 - S2, U1 - U2, J1 - J2>(a.si() / b.si());
}

using Bytes = Quantity<1, 0, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0, 0>;
using Seconds = Quantity<0, 0, 1, 0, 0>;
using Usd = Quantity<0, 0, 0, 1, 0>;
using Joules = Quantity<0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<1, 0, -1, 0, 0>;
using FlopsPerSecond = Quantity<0, 1, -1, 0, 0>;
using Watts = Quantity<0, 0, -1, 0, 1>;
using UsdPerJoule = Quantity<0, 0, 0, 1, -1>;
using UsdPerSecond = Quantity<0, 0, -1, 1, 0>;

/// Decimal units: GB is 1e9 bytes everywhere in this project.
namespace units {
inline constexpr Bytes byte{1};
inline constexpr Bytes KB{1e3};
inline constexpr Bytes MB{1e6};
inline constexpr Bytes GB{1e9};
inline constexpr Flops flop{1};
inline constexpr Seconds second{1};
inline constexpr Seconds ms{1e-3};
inline constexpr Seconds us{1e-6};
inline constexpr Seconds hour{3600};
inline constexpr Seconds day{86400};
inline constexpr Seconds year{365 * 86400.0};
inline constexpr BytesPerSecond GBps{1e9};
inline constexpr BytesPerSecond Gbps{1e9 / 8};
inline constexpr FlopsPerSecond TFLOPs{1e12};
inline constexpr Watts W{1};
inline constexpr Watts kW{1e3};
inline constexpr Joules kWh{3.6e6};
inline constexpr Usd usd{1};
}  // namespace units

}  // namespace planner
