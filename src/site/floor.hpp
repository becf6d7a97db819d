#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/site.hpp"

namespace planner::site {

/// How much room a plan of racks asks for.
struct FloorNeed {
  std::int64_t racks = 0;
  std::int64_t bays = 0;  ///< whole ones
};

/// Places for racks in rows of blocks of bays, and the way of a cable between two places: along the
/// tray over a row, or through the cross tray that makes the shortest way. Cross trays lie over the
/// middle of every bay and at the ends of every block. A shortest-path metric.
class Floor {
 public:
  /// The floor nearest a square that has room, or the one the site describes.
  /// @return nothing: the floor that the site describes is too small
  static std::optional<Floor> with_room(const Site& site, const FloorNeed& need);

  [[nodiscard]] std::int64_t places() const { return rows_ * cols_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  [[nodiscard]] std::int64_t blocks() const { return blocks_; }
  [[nodiscard]] std::int64_t bay() const { return bay_; }
  [[nodiscard]] std::int64_t block_racks() const { return block_; }
  [[nodiscard]] std::int64_t halls() const { return halls_; }
  [[nodiscard]] std::int64_t row(std::int64_t place) const { return place / cols_; }
  [[nodiscard]] std::int64_t col(std::int64_t place) const { return place % cols_; }
  [[nodiscard]] std::int64_t hall(std::int64_t place) const { return row(place) / hall_rows_; }
  /// Middle of a place, metres from the corner of the first.
  [[nodiscard]] double x(std::int64_t place) const { return x_[col(place)]; }
  [[nodiscard]] double y(std::int64_t place) const { return y_[row(place)]; }
  [[nodiscard]] double x_of_col(std::int64_t col) const { return x_[col]; }
  [[nodiscard]] double y_of_row(std::int64_t row) const { return y_[row]; }
  [[nodiscard]] std::int64_t bays() const { return rows_ * (cols_ / bay_); }
  [[nodiscard]] std::int64_t bay_of(std::int64_t place) const {
    return row(place) * (cols_ / bay_) + col(place) / bay_;
  }
  /// Where switches stand, as far as that follows from the place in the bay alone.
  [[nodiscard]] bool is_network(std::int64_t place) const { return network_[place] != 0; }
  [[nodiscard]] bool is_usable(std::int64_t place) const { return usable_[place] != 0; }

  /// Metres in trays between two places.
  [[nodiscard]] double distance(std::int64_t a, std::int64_t b) const {
    const std::int64_t ra = row(a), rb = row(b), ca = col(a), cb = col(b);
    if (ra == rb) return x_[ca] > x_[cb] ? x_[ca] - x_[cb] : x_[cb] - x_[ca];
    const double dy = y_[ra] > y_[rb] ? y_[ra] - y_[rb] : y_[rb] - y_[ra];
    return dy + across_[ca * cols_ + cb];
  }
  /// The same to every place.
  void distances(std::int64_t from, std::vector<double>& out) const;
  /// The cross tray between two columns.
  [[nodiscard]] std::int64_t via(std::int64_t ca, std::int64_t cb) const {
    return via_[ca * cols_ + cb];
  }
  [[nodiscard]] const std::vector<double>& cross_trays() const { return cross_; }

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double depth() const { return depth_; }  ///< of all halls, one behind the other
  /// White space: racks, aisles and the walkway around, of all halls.
  [[nodiscard]] double area() const { return area_; }
  /// Of it, a place with its share of the aisles and walkways.
  [[nodiscard]] double place_area() const { return area_ / static_cast<double>(places()); }
  /// "A01": row and place.
  [[nodiscard]] std::string label(std::int64_t place) const;

 private:
  Floor(const Site& site, std::int64_t blocks, std::int64_t rows);
  void lay_trays(double half_width);
  void mark_places(const Site& site);
  [[nodiscard]] bool holds(const FloorNeed& need) const;

  std::int64_t rows_ = 0, cols_ = 0, blocks_ = 0, bay_ = 0, block_ = 0, halls_ = 1, hall_rows_ = 1;
  std::vector<double> x_, y_, cross_, across_;
  std::vector<std::int32_t> via_;
  std::vector<char> network_, usable_;
  double width_ = 0, depth_ = 0, area_ = 0;
};

/// Letters of a row: A … Z, AA …
std::string row_letters(std::int64_t row);

}  // namespace planner::site
