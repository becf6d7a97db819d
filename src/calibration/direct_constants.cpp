#include "planner/calibration/direct_constants.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/calibration/error_summary.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/calibrated/rates.hpp"

namespace planner::inline calibration {

namespace {

std::string shortened(double value) {
  std::string text = std::to_string(value);
  return text.substr(0, text.find('.') + 4);
}

DirectConstant within_limits(Constant constant, double value, const std::string& means) {
  const ConstantSpec& spec = constant_specs()[static_cast<std::size_t>(constant)];
  DirectConstant found{.constant = constant, .value = value};
  if (value < spec.low || value > spec.high) {
    found.problem = std::string(spec.name) + " would be " + shortened(value) + ", outside of " +
                    shortened(spec.low) + " to " + shortened(spec.high) + ": " + means;
  }
  return found;
}

/// Rate and operand bytes of a format where the constant is `at` and nothing else holds it back.
CalibratedRates rates_at(const Accelerator& part, Precision precision,
                         const Calibration& calibration, Constant constant, double at,
                         AttentionKernel kernel = AttentionKernel::cudnn) {
  Workload workload;
  workload.software.attention = kernel;
  workload.system.accelerator = part;
  workload.run.precision = precision;
  Calibration constants = calibration;
  constants.values[static_cast<std::size_t>(constant)] = at;
  workload.timing = std::move(constants);
  return CalibratedRates(workload);
}

/// Words of a name in small letters: of "NVIDIA A100-SXM4-80GB" a100, sxm4, 80gb.
std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (c == ' ' || c == '-' || c == '_') {
      words.emplace_back();
    } else {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  std::erase(words, "");
  return words;
}

/// Whether a driver may call this part so: its product, on a PCIe card or not, with its memory.
/// GH200 is called by the memory of its CPU.
bool may_be_called(const Accelerator& part, std::string_view device) {
  constexpr double kNominal = 0.1;  // 140 GB are sold as 141, 80 as 80 GiB
  const std::vector<std::string> words = words_of_name(device), wanted = words_of_name(part.name);
  const auto has = [](const std::vector<std::string>& in, std::string_view word) {
    return std::find(in.begin(), in.end(), word) != in.end();
  };
  if (!has(words, wanted.front()) || has(words, "pcie") != has(wanted, "pcie")) return false;
  if (wanted.front() == "gh200") return true;
  return std::none_of(words.begin(), words.end(), [&](const std::string& word) {
    if (!word.ends_with("gb") || word.size() < 3 || std::isdigit(word.front()) == 0) return false;
    const double memory = std::stod(word) * units::GB / part.memory;
    return std::abs(memory - 1) > kNominal;
  });
}

/// Why ranks on such devices are not of the system; empty: they may be.
std::string other_machine(const CollectiveBenchmark& measured, const System& system) {
  for (const std::string& device : measured.devices) {
    if (!may_be_called(system.accelerator, device)) {
      return "ranks ran on " + device + ", and --system " + system.name + " has " +
             system.accelerator.name;
    }
  }
  return {};
}

/// Why kernels cannot be of the accelerator, or move a constant of its; empty: they can.
std::string other_part(const Accelerator& part, std::string_view device, FlopsPerSecond rate,
                       FlopsPerSecond peak) {
  if (!device.empty() && !may_be_called(part, device)) {
    return "it was measured on " + std::string(device) + ", and --accelerator is " + part.name;
  }
  if (rate > peak) {
    return "a rate of " + shortened(rate.si() / 1e12) + " TFLOP/s is more than the peak of " +
           part.title + ", " + shortened(peak.si() / 1e12);
  }
  return {};
}

/// Whether a constant is of the accelerator's own generation, and not of one that stands in for it:
/// "gemm_efficiency.bf16.Hopper" of Hopper.
bool is_of(Constant constant, Generation generation) {
  const std::string_view name = constant_specs()[static_cast<std::size_t>(constant)].name;
  const std::string_view family = name.substr(name.rfind('.') + 1), own = name_of(generation);
  return std::equal(family.begin(), family.end(), own.begin(), own.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

/// The constant for kernels that reach so much by themselves.
DirectConstant scaled(Constant constant, const std::vector<double>& reached,
                      const Accelerator& part, const Calibration& calibration) {
  const std::string name(constant_specs()[static_cast<std::size_t>(constant)].name);
  const double here = quantile(reached, 0.5);
  if (!is_of(constant, part.generation)) {
    return {.problem = part.title + " has no constant of its own, but " + name +
                       ", which one measurement on another family must not move: it reaches " +
                       shortened(100 * here) +
                       " % of its peak; give a training step on it (--data)"};
  }
  const auto recorded =
      std::find_if(kByThemselves.begin(), kByThemselves.end(),
                   [&](const ByItself& each) { return each.constant == constant; });
  if (recorded == kByThemselves.end()) {
    return {.problem = "it reaches " + shortened(100 * here) + " % of the peak by itself, and " +
                       name + " is of training steps: what that means for it was recorded of no " +
                       "part of this family; give a training step (--data)"};
  }
  return within_limits(constant, calibration[constant] * here / recorded->reached,
                       "is --accelerator the GPU that was measured?");
}

}  // namespace

DirectConstant from_collectives(const CollectiveBenchmark& measured, const System& system) {
  std::vector<double> large;
  for (const auto& row : measured.rows) {
    if (row.size >= kLargeMessage) large.push_back(row.bus_bandwidth.si());
  }
  if (large.empty()) return {.problem = "no message of 64 MiB or more: run it with -e 1G"};
  if (measured.ranks < 2) return {.problem = "fewer than two ranks: nothing was sent"};
  if (!measured.test.empty() && measured.test != "all_reduce_perf" &&
      measured.test != "all_gather_perf" && measured.test != "reduce_scatter_perf") {
    return {.problem = measured.test +
                       " is no ring: use all_reduce_perf, all_gather_perf or reduce_scatter_perf"};
  }
  if (std::string other = other_machine(measured, system); !other.empty()) {
    return {.problem = std::move(other)};
  }
  const double bus = quantile(large, 0.5);
  const bool reduced = measured.test.empty() || measured.test == "all_reduce_perf";
  if (measured.hosts <= 1 && reduced && system.hb_switches_reduce.value_or(false) &&
      bus > system.hb_bandwidth.si()) {
    // Each byte passes a GPU's links once, not twice as in a ring: up to twice the bus bandwidth.
    return {.problem = "a bus bandwidth of " + shortened(bus / 1e9) + " GB/s is more than a ring " +
                       "reaches on links of " + shortened(system.hb_bandwidth.si() / 1e9) +
                       ": the switches reduced (NVLink SHARP), and nvlink_efficiency is that of " +
                       "rings; run it again with NCCL_ALGO=RING, or all_gather_perf"};
  }
  if (measured.hosts <= 1) {
    return within_limits(Constant::nvlink_efficiency, bus / system.hb_bandwidth.si(),
                         "is --system the machine that was measured?");
  }
  const double nics = real(measured.ranks) / real(measured.hosts);
  return within_limits(Constant::nic_efficiency, bus / (nics * system.network_bandwidth.si()),
                       "is --system the machine that was measured?");
}

std::vector<DirectConstant> from_gemms(const std::vector<GemmBenchmark>& measured,
                                       const Accelerator& accelerator,
                                       const Calibration& calibration) {
  constexpr double kUnclamped = 0.1;
  std::map<Constant, std::vector<double>> efficiencies;
  for (const GemmBenchmark& gemm : measured) {
    if (std::min({gemm.m, gemm.n, gemm.k}) < kLargeSide) continue;
    const Constant constant = gemm_efficiency(accelerator.generation, gemm.precision);
    const CalibratedRates rates =
        rates_at(accelerator, gemm.precision, calibration, constant, kUnclamped);
    if (rates.gemm.si() <= 0) continue;
    if (std::string other = other_part(accelerator, gemm.device, gemm.rate, rates.peak);
        !other.empty()) {
      return {{.problem = std::move(other)}};
    }
    // 1/F of 2mnk/F·(1 + κ·F·bytes/(2·BW)·(1/m + 1/n + 1/k)) = 2mnk/rate.
    const double operands = calibration[Constant::gemm_shape] * rates.operand_bytes /
                            (2 * rates.hbm.si()) *
                            (1 / real(gemm.m) + 1 / real(gemm.n) + 1 / real(gemm.k));
    const double left = 1 / gemm.rate.si() - operands;
    if (left > 0) efficiencies[constant].push_back(kUnclamped / (rates.gemm.si() * left));
  }
  std::vector<DirectConstant> found;
  for (const auto& [constant, values] : efficiencies) {
    found.push_back(scaled(constant, values, accelerator, calibration));
  }
  if (found.empty()) {
    found.push_back({.problem = "no product with all sides of 1,024 or more at a precision that " +
                                accelerator.title + " has a rate for"});
  }
  return found;
}

std::vector<DirectConstant> from_attention(const std::vector<AttentionBenchmark>& measured,
                                           const Accelerator& accelerator,
                                           const Calibration& calibration) {
  constexpr double kUnclamped = 0.1;
  std::map<Constant, std::vector<double>> efficiencies;
  for (const AttentionBenchmark& one : measured) {
    if (one.sequence < kLongSequence || one.kernel == AttentionKernel::unfused) continue;
    const Constant constant = attention_efficiency(accelerator.generation, one.kernel);
    const CalibratedRates rates =
        rates_at(accelerator, Precision::bf16, calibration, constant, kUnclamped, one.kernel);
    if (rates.attention.si() <= 0) continue;
    if (std::string other = other_part(accelerator, one.device, one.rate, rates.peak_16bit);
        !other.empty()) {
      return {{.problem = std::move(other)}};
    }
    efficiencies[constant].push_back(kUnclamped * (one.rate / rates.attention));
  }
  std::vector<DirectConstant> found;
  for (const auto& [constant, values] : efficiencies) {
    found.push_back(scaled(constant, values, accelerator, calibration));
  }
  if (found.empty()) {
    found.push_back({.problem = "no fused attention over a sequence of 2,048 or more"});
  }
  return found;
}

}  // namespace planner::calibration
