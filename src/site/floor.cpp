#include "planner/site/floor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/core/ceil_div.hpp"

namespace planner::site {
namespace {

constexpr std::int64_t kMostBlocks = 64;

std::int64_t whole(double figure) {
  return static_cast<std::int64_t>(figure);
}

std::int64_t racks_of_bay(const Site& site) {
  return whole(site.bay_racks);
}
/// Whole bays.
std::int64_t block_of(const Site& site) {
  const std::int64_t bay = racks_of_bay(site);
  return std::max(bay, whole(site.block_racks) / bay * bay);
}

/// Rows back to back in pairs, a hot aisle each.
std::int64_t paired(std::int64_t rows) {
  return rows + rows % 2;
}

}  // namespace

std::string row_letters(std::int64_t row) {
  std::string letters;
  for (++row; row > 0; row = (row - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (row - 1) % 26));
  }
  return letters;
}

std::optional<Floor> Floor::with_room(const Site& site, const FloorNeed& need) {
  const std::int64_t block = block_of(site), bays = block / racks_of_bay(site);
  const auto rows_for = [&](std::int64_t blocks) {
    return std::max(ceil_div(need.racks, blocks * block), ceil_div(need.bays, blocks * bays));
  };
  if (site.rows) {
    const std::int64_t rows = whole(*site.rows);
    const std::int64_t least =
        std::max(ceil_div(need.racks, rows * block), ceil_div(need.bays, rows * bays));
    Floor floor(site, site.row_blocks ? whole(*site.row_blocks) : least, rows);
    return floor.holds(need) ? std::optional(std::move(floor)) : std::nullopt;
  }
  std::int64_t best = site.row_blocks ? whole(*site.row_blocks) : 1;
  double least = std::numeric_limits<double>::max();
  const double pitch = site.rack_depth_m + (site.cold_aisle_m + site.hot_aisle_m) / 2;
  for (std::int64_t blocks = 1; !site.row_blocks && blocks <= kMostBlocks; ++blocks) {
    const auto rows = static_cast<double>(paired(rows_for(blocks)));
    const auto racks = static_cast<double>(blocks * block);
    const double width =
        racks * site.rack_width_m + static_cast<double>(blocks - 1) * site.main_aisle_m;
    // The nearer to a square the better, and the fewer empty places.
    const double size = std::max(width, rows * pitch) + 0.025 * rows * racks;
    if (size >= least) continue;
    least = size;
    best = blocks;
  }
  for (std::int64_t rows = paired(rows_for(best));; rows += 2) {
    Floor floor(site, best, rows);
    if (floor.holds(need)) return floor;
    // Keep-outs are in rows that are named: beyond them every row has all its places.
    const std::int64_t named = static_cast<std::int64_t>(site.keep_outs.size());
    if (rows > paired(rows_for(best)) + 2 * named + 2) return std::nullopt;
  }
}

Floor::Floor(const Site& site, std::int64_t blocks, std::int64_t rows)
    : rows_(rows), blocks_(blocks), bay_(racks_of_bay(site)), block_(block_of(site)) {
  cols_ = blocks_ * block_;
  hall_rows_ = site.rows_per_hall ? std::min(rows_, whole(*site.rows_per_hall)) : rows_;
  halls_ = ceil_div(rows_, hall_rows_);
  for (std::int64_t i = 0; i < cols_; ++i) {
    const std::int64_t before = i / block_;  // whole blocks
    x_.push_back((static_cast<double>(i) + 0.5) * site.rack_width_m +
                 static_cast<double>(before) * site.main_aisle_m);
  }
  double at = site.rack_depth_m / 2;
  for (std::int64_t i = 0; i < rows_; ++i) {
    if (i > 0) {
      const bool next_hall = i % hall_rows_ == 0;
      at += site.rack_depth_m + (next_hall    ? 2 * site.perimeter_m + site.hall_wall_m
                                 : i % 2 == 1 ? site.hot_aisle_m
                                              : site.cold_aisle_m);
    }
    y_.push_back(at);
  }
  width_ = x_.back() + site.rack_width_m / 2;
  depth_ = y_.back() + site.rack_depth_m / 2;
  const double halls = static_cast<double>(halls_);
  const double between = (halls - 1) * (2 * site.perimeter_m + site.hall_wall_m);
  area_ = (width_ + 2 * site.perimeter_m) * (depth_ - between + halls * 2 * site.perimeter_m);
  lay_trays(site.rack_width_m / 2);
  mark_places(site);
}

void Floor::lay_trays(double half_width) {
  for (std::int64_t block = 0; block < blocks_; ++block) {
    cross_.push_back(x_[block * block_] - half_width);
    for (std::int64_t i = bay_ / 2; i < block_; i += bay_) {
      cross_.push_back(x_[block * block_ + i] - half_width);
    }
  }
  cross_.push_back(x_.back() + half_width);
  std::sort(cross_.begin(), cross_.end());
  cross_.erase(std::unique(cross_.begin(), cross_.end(),
                           [](double a, double b) { return std::abs(a - b) < 1e-6; }),
               cross_.end());
  across_.assign(cols_ * cols_, 0);
  via_.assign(cols_ * cols_, 0);
  for (std::int64_t a = 0; a < cols_; ++a) {
    for (std::int64_t b = 0; b < cols_; ++b) {
      double least = std::numeric_limits<double>::max();
      for (std::size_t tray = 0; tray < cross_.size(); ++tray) {
        const double way = std::abs(x_[a] - cross_[tray]) + std::abs(x_[b] - cross_[tray]);
        if (way >= least - 1e-9) continue;
        least = way;
        via_[a * cols_ + b] = static_cast<std::int32_t>(tray);
      }
      across_[a * cols_ + b] = least;
    }
  }
}

void Floor::distances(std::int64_t from, std::vector<double>& out) const {
  out.resize(static_cast<std::size_t>(places()));
  const std::int64_t own = row(from), at = col(from);
  const double* const across = &across_[at * cols_];
  for (std::int64_t r = 0; r < rows_; ++r) {
    double* const to = &out[r * cols_];
    if (r == own) {
      for (std::int64_t c = 0; c < cols_; ++c) to[c] = std::abs(x_[c] - x_[at]);
      continue;
    }
    const double dy = std::abs(y_[r] - y_[own]);
    for (std::int64_t c = 0; c < cols_; ++c) to[c] = dy + across[c];
  }
}

void Floor::mark_places(const Site& site) {
  const SwitchPosition position = site.switch_position.value_or(SwitchPosition::mid_row);
  network_.assign(places(), 0);
  usable_.assign(places(), 1);
  for (std::int64_t place = 0; place < places(); ++place) {
    const std::int64_t in_block = col(place) % block_, in_bay = in_block % bay_;
    const bool middle = in_bay == bay_ / 2 || in_bay == bay_ / 2 - 1;
    // Two places of a bay each: of the two outer bays at the ends of the block, else in the middle.
    const bool first = in_block < 2, last = in_block >= block_ - 2;
    const bool outer = in_block / bay_ == 0 || in_block / bay_ == block_ / bay_ - 1;
    const bool at_end = block_ == bay_ ? in_block == 0 || last : first || last;
    switch (position) {
      case SwitchPosition::tor:
      case SwitchPosition::mid_row:
        network_[place] = middle ? 1 : 0;
        break;
      case SwitchPosition::end_row:
        network_[place] = (outer ? at_end && (block_ != bay_ || in_block != block_ - 2) : middle);
        break;
      case SwitchPosition::network_row:
      case SwitchPosition::network_room:
        break;
    }
  }
  for (const KeepOut& out : site.keep_outs) {
    if (out.row > rows_) continue;
    for (std::int64_t i = out.from; i <= std::min(out.to, cols_); ++i) {
      usable_[(out.row - 1) * cols_ + i - 1] = 0;
    }
  }
}

bool Floor::holds(const FloorNeed& need) const {
  std::vector<char> whole_bay(bays(), 1);
  std::int64_t usable = 0;
  for (std::int64_t place = 0; place < places(); ++place) {
    if (is_usable(place)) {
      ++usable;
    } else {
      whole_bay[bay_of(place)] = 0;
    }
  }
  return usable >= need.racks && std::count(whole_bay.begin(), whole_bay.end(), 1) >= need.bays;
}

std::string Floor::label(std::int64_t place) const {
  const std::int64_t number = col(place) + 1;
  return row_letters(row(place)) + (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace planner::site
