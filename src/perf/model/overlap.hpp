#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/transformer.hpp"

// Data-parallel training whose all-reduce runs beside the backward pass. Source: Fire-Flyer AI-HPC
// (arXiv 2408.14158), §V-A: HaiScale with HFReduce, which takes nothing from the GPU's compute, and
// PyTorch DDP with NCCL, whose kernels do.
namespace planner::inline perf {

/// Share of an iteration's compute that is backward: two matrix products for each one of the
/// forward.
inline constexpr double kBackwardShare = 2.0 / 3;

/// Buckets of gradients of a pipeline stage: one per layer, at least one.
std::int64_t gradient_buckets(const TransformerSpec& model, std::int64_t pp);

/// Gradients of one GPU of a stage: every replica holds those of its stage.
Bytes stage_gradients(double parameters, double bytes_per_gradient, std::int64_t pp);

/// A backward pass and the gradients that it makes ready in equal buckets, evenly in time.
struct OverlapInputs {
  Seconds backward{};          ///< in which gradients become ready: the last micro-batch's
  Bytes gradients{};           ///< of one GPU
  BytesPerSecond bandwidth{};  ///< of the all-reduce, per GPU of gradient data
  std::int64_t buckets = 1;
  double kernel_share = 0;  ///< of the GPU's compute that the all-reduce takes while it runs
};

struct Overlap {
  Seconds communication{};  ///< of the all-reduce alone
  Seconds exposed{};        ///< by which it makes the iteration longer
};

/// With b the backward time, c the communication time, L buckets and σ the kernel share, the
/// backward lasts b' = b + min(σ·c·(L-1)/L, σ/(1-σ)·b·(L-1)/L), and the all-reduce ends at
/// max(b' + c/L, b/L + c): the last bucket waits for the backward, or for all buckets before it.
Overlap overlapped(const OverlapInputs& inputs);

/// A job with pipeline and data parallelism whose number of GPUs is changed, the global batch not.
struct StrongScaling {
  std::int64_t pp = 1;
  std::int64_t global_batch = 0;
  std::int64_t micro_batch = 1;
  std::int64_t buckets = 1;    ///< of a pipeline stage's gradients
  Bytes gradients{};           ///< of one GPU
  BytesPerSecond bandwidth{};  ///< of the all-reduce
};

/// Step time on `to` GPUs from the one measured on `from`. 1F1B takes m + p - 1 micro-batch times
/// t, a backward is two thirds of one, and the all-reduce of c overlaps the last:
///   T = (m + p - 1)·t + max(c/L, c - 2/3·t·(L-1)/L),
/// which is overlapped() with σ = 0. The measured T on `from` is solved for t, and T of `to`
/// follows. Optimizer and pipeline transfers are not in it. Nothing where the batch or GPUs do not
/// divide.
std::optional<Seconds> rescaled_step(const StrongScaling& job, Seconds measured, std::int64_t from,
                                     std::int64_t to);

}  // namespace planner::perf
