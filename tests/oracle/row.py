"""A measured row as the formulas need it: the symbols of docs/calibrated.md, in SI units."""

import math
from typing import Any

Json = dict[str, Any]

REFERENCE_POWER = {"Hopper": 700, "Blackwell": 1200}


class Case:
    """Everything that the formulas need of one row: the document's symbols, in SI units."""

    def __init__(self, row: Json, accelerator: Json, constants: dict[str, float]) -> None:
        self.row, self.c, model, sw = row, constants, row["model"], row.get("software", {})
        c, gen = constants, accelerator["generation"].capitalize()
        gen = "TPU" if gen in ("Tpu", "Trainium") else gen
        # The strategy.
        self.t, self.p, self.d, self.N = row["tp"], row["pp"], row["dp"], row["gpus"]
        self.cp, self.ep, self.b = row.get("cp") or 1, row.get("ep") or 1, row["micro_batch"]
        self.m = row["global_batch"] / (self.d * self.b)
        self.sp = self.t if row.get("sequence_parallel") else 1
        self.flush = sw.get("micro_batches_per_flush") or self.m
        self.schedule = (sw.get("schedule") or "").replace("zero-bubble-", "zb-")
        # The model.
        self.L, self.h, self.a = model["layers"], model["hidden"], model["heads"]
        self.s, self.f, self.gated = model["seq"], model["ffn_hidden"], model["gated_mlp"]
        self.matrices = 3 if self.gated else 2
        self.v = min(row.get("vp") or 1, self.L / self.p)  # No chunk has less than a layer
        self.T = self.b * self.s / self.cp
        kv, hd = model.get("kv_heads") or self.a, model.get("head_dim") or self.h // self.a
        kv = max(kv, self.t)  # Fewer heads than t: each rank has a copy of one
        self.dqk = self.dv = hd
        self.latent = 0
        self.w_kv = 2 * kv * hd
        self.w_qkv = self.n_qkv = self.a * hd + self.w_kv
        self.W_attention = self.h * (self.w_qkv + self.a * hd)
        if mla := model.get("mla"):  # Widths of latent attention, all split over t
            q, kvr, rope = mla["q_lora"], mla["kv_lora"], mla["qk_rope"]
            nope, self.dv = mla["qk_nope"], mla["v_head"]
            self.dqk = nope + rope
            self.w_kv = self.a * (self.dqk + self.dv)
            self.w_qkv = self.a * self.dqk + self.w_kv + q + kvr
            self.n_qkv = self.a * self.dqk
            self.latent = q + kvr
            queries = q * (self.h + self.a * self.dqk) if q else self.h * self.a * self.dqk
            self.W_attention = (queries + self.h * (kvr + rope + self.a * self.dv)
                                + self.a * kvr * (nope + self.dv))
        self.tied = model.get("tied_embeddings") or not (self.gated
                                                         or model.get("untied_embeddings"))
        moe = model.get("moe") or {}
        self.E, self.k, self.fe = moe.get("experts"), moe.get("topk"), moe.get("expert_ffn")
        self.shared, self.dense_layers = moe.get("shared", 0), moe.get("dense_layers", 0)
        self.etp = sw.get("expert_tp") or self.t
        self.mtp = 1 if row.get("mtp") else 0
        self.window = 1.0  # "a window takes its share"; of the causal pairs
        if text := model.get("sliding_window"):
            w = min(1, int(text.split()[0]) / self.s)
            share = w * (2 - w)
            self.window = (1 + share) / 2 if "alternate" in text else share
        # Software.
        self.cls = cls = sw.get("class") or {"Volta": "eager", "Ampere": "flash"}.get(gen, "te")
        self.V = model["vocab"] if cls == "torch" else -(-model["vocab"] // (128 * self.t)) * (
            128 * self.t)
        self.unfused = sw.get("attention") == "unfused"
        self.framework_ops = sw.get("attention_in_framework_ops", False)
        self.blocking = sw.get("launch_blocking")
        self.graphs = sw.get("full_cuda_graphs", cls == "jax")  # a compiled step is one
        self.core = cls in ("mcore", "te")  # Megatron-Core, or built on it
        self.g = sw.get("grad_reduce_bytes") or (4 if cls == "mcore" else 2)
        self.moment = sw.get("moment_bytes") or 4
        self.overlaps = cls in ("te", "torch", "jax")  # the gradient reduction, as usual of the class
        self.dp_overlap = sw.get("dp_overlap")
        self.plain_exchange = (sw.get("dispatcher") or ("alltoall" if cls == "mcore" else "deepep")
                               ) in ("alltoall", "allgather")
        self.dropless = sw.get("dropless", False)
        self.expert_overlap = sw.get("expert_overlap", False)
        self.fp8_attention = sw.get("fp8_attention", False)
        usual = "in_place" if cls == "jax" else "fused" if self.core else "unfused"
        self.loss = sw.get("loss") or usual
        self.loss = {"plain": "unfused", "fused_inplace": "in_place"}.get(self.loss, self.loss)
        self.loss_chunks = sw.get("loss_chunks") or 1
        self.offloaded = sw.get("cpu_offloading_num_layers") or 0
        self.fetched = sw.get("offload_optimizer_states", False)
        self.free_inputs = sw.get("free_stage_inputs", False)
        self.fp32_gradients = sw.get("fp32_grad_accumulation", False)
        self.ew = c["elementwise." + cls] * (c["unfused_norms"] if sw.get("fused_norms") is False
                                             else 1)
        self.host_time = c["host_time." + cls]
        if self.t > 1:
            self.host_time += c["host_time_tp.eager" if cls == "eager" else "host_time_tp"]
        zero = row.get("zero_stage_or_fsdp") or ""
        self.zero = (3 if "FSDP" in zero or "ZeRO-3" in zero or sw.get("shard_gpus")
                     else 2 if "ZeRO-2" in zero else 1 if "ZeRO-1" in zero else 0)
        self.shard = sw.get("shard_gpus") or self.d * self.cp
        self.gathers = 2 if sw.get("reshard_after_forward", True) else 1
        # ZeRO 1 within fewer GPUs: the largest divisor of the ranks that these hold.
        self.near = self.d * self.cp
        if self.zero == 1 and (gpus := sw.get("zero1_shard_gpus")):
            most = max(1, gpus // self.t)
            self.near = max(n for n in range(1, self.near + 1)
                            if self.near % n == 0 and n <= most)
            self.shard = self.near
        self.read_recomputation(row, sw)
        self.tp_overlap = sw.get("tp_overlap", cls in ("te", "jax"))
        # Rates.
        tflops = accelerator["datasheet_tflops"] | accelerator.get("silicon_tflops", {})
        precision = row.get("precision", "").lower()
        self.format = "fp4" if "fp4" in precision else "fp8" if "fp8" in precision else "bf16"
        self.bytes = {"fp4": 0.5, "fp8": 1, "bf16": 2}[self.format]
        self.q = 0 if self.format == "bf16" else 4
        ref = REFERENCE_POWER.get(gen)
        power = (accelerator["power_W"] / ref) ** c["power_exponent." + gen] if ref else 1.0
        peak16 = 1e12 * tflops["bf16" if "bf16" in tflops else "fp16"]
        peak = peak16 if self.format == "bf16" else 1e12 * tflops[self.format]
        e = c[f"gemm_efficiency.{self.format}.{gen}"] * (c["rowwise_fp8"] if "rowwise" in precision
                                                         else 1)
        reached = accelerator.get("gemm_TFLOPs", {})  # on this part, whatever the constants say
        most16 = 1e12 * reached.get("bf16", reached.get("fp16", math.inf))
        most = most16 if self.format == "bf16" else 1e12 * reached.get(self.format, math.inf)
        self.F = min(peak * min(0.9, e * power), most)
        self.F16 = min(peak16 * min(0.9, c["gemm_efficiency.bf16." + gen] * power), most16)
        if not self.unfused:  # Power and its limit of 0.9 hold here too
            kernel = "" if gen == "TPU" else sw.get("attention", "cudnn") + "."
            e = c[f"attention_efficiency.{kernel}{gen}"]
            self.attention_rate = peak16 * min(0.9, e * power) * (
                c["fp8_attention"] if self.fp8_attention else 1)
        self.BW = 1e9 * accelerator["hbm_bandwidth_GBps"] * c["hbm_efficiency"]
        self.nvl = 1e9 * (row.get("nvlink_gbs_per_dir") or 300) * c[
            "ici_efficiency" if gen == "TPU" else "nvlink_efficiency"]
        self.torus = row.get("torus")
        gbps = row.get("nic_gbps_per_gpu") or {"Volta": 100, "Ampere": 200}.get(gen, 400)
        self.nic = 1e9 / 8 * gbps * c["nic_efficiency"]
        self.memory = 1e9 * (row.get("gpu_mem_gb") or accelerator["hbm_GB"])
        self.K = usable_domain(row.get("nvlink_domain_gpus") or row.get("gpus_per_node") or 8,
                               (self.t, self.cp, self.d, self.p))
        # Experts' ranks: e in each of n domains; replicas of an expert.
        self.e = min(max(self.K // self.etp, 1), self.ep)
        self.n = self.ep / self.e
        self.expert_d = max(1, self.N / (self.p * self.ep * self.etp))
        # As many replicas of the experts as of the rest.
        self.expert_shard = max(1, self.expert_d * self.shard / (self.d * self.cp))

    def inside(self, n: float, apart: float) -> float:
        """What n ranks of a domain, so far apart, get of nvl: dimension by dimension in a torus"""
        if not self.torus or n <= 1:
            return self.nvl
        shape, ring_from = self.torus["shape"], ring_edge(self.torus)
        share = best_share(shape, ring_from, round(n), round(apart), 1 / len(shape))
        return self.nvl * (min(1.0, share) if share > 0 else 0.5 / len(shape))

    def exchanging(self, n: float) -> float:
        """What n ranks of a domain side by side get of nvl in an all-to-all: by the fullest link"""
        if not self.torus or n <= 1:
            return self.nvl
        shape, ring_from = self.torus["shape"], ring_edge(self.torus)
        n = round(n)
        fullest = least_fullest(shape, ring_from, n, 1, 1 / len(shape))
        if fullest == math.inf:  # a line of one dimension
            fullest = (n // 2) * ((n + 1) // 2) / n * 2 * len(shape)
        return self.nvl * (n - 1) / n / fullest

    def read_recomputation(self, row: Json, sw: Json) -> None:
        stated = row.get("recompute") or ""
        modules = set(sw.get("recompute_modules") or ())
        if not modules and stated.startswith("selective"):
            modules = {module for word, module in WORDS.items() if word in stated.lower()}
        self.unknown = stated.startswith("unknown") and not modules
        self.recompute = next((mode for mode in ("full", "selective") if stated.startswith(mode)),
                              "none")
        if stated.startswith("unknown") and modules:
            self.recompute = "selective"
        self.recomputed = 1.0  # share of the layers
        share, layers = sw.get("recompute_layer_share"), sw.get("recompute_num_layers")
        if share is None and layers and stated.startswith("partial"):
            share = min(1.0, layers * self.p * (row.get("vp") or 1) / self.L)
        if share is not None:
            self.recompute, self.recomputed = "full", share
        self.modules = modules if self.recompute == "selective" else set()


WORDS = {"mla_up_proj": "mla_up_proj", "mla up-proj": "mla_up_proj", "moe_act": "moe_act",
         "layernorm": "layernorm", "rmsnorm": "layernorm", "shared_experts": "shared_experts",
         "mlp": "mlp"}


def ring_edge(torus: Json) -> float:
    """Of what a dimension that closes is a multiple; of three, none closes unless all do"""
    shape, edge = torus["shape"], torus.get("ring_from", 1)
    if edge and len(shape) > 2 and any(extent % edge for extent in shape):
        return math.inf
    return edge


def best_share(shape: list[int], ring_from: float, n: int, apart: int, one: float) -> float:
    """Over all ways to lay n ranks, and the chips between them, along the dimensions"""
    if not shape:
        return 0.0 if n == apart == 1 else -math.inf
    best = -math.inf
    for here in (i for i in range(1, shape[0] + 1) if n % i == 0):
        for skipped in (i for i in range(1, shape[0] // here + 1) if apart % i == 0):
            if here == 1:
                got = 0.0
            elif ring_from == 0:  # all joined to one another
                got = one * (here - 1) / (shape[0] - 1)
            else:
                whole = here * skipped == shape[0]  # the closing link joins a dimension's ends
                ring = whole and shape[0] > 2 and shape[0] % ring_from == 0
                got = one * (1 if ring else 0.5) / skipped
            best = max(best, got + best_share(shape[1:], ring_from, n // here, apart // skipped,
                                              one))
    return best


def least_fullest(shape: list[int], ring_from: float, n: int, apart: int, one: float) -> float:
    """Of all ways to lay them, the least time of the fullest link under an all-to-all"""
    if not shape:
        return 0.0 if n == apart == 1 else math.inf
    best = math.inf
    for here in (i for i in range(1, shape[0] + 1) if n % i == 0):
        for skipped in (i for i in range(1, shape[0] // here + 1) if apart % i == 0):
            whole = here * skipped == shape[0]
            if here == 1:
                took = 0.0
            elif ring_from == 0:
                took = (shape[0] - 1) / here / one
            elif whole and shape[0] > 2 and shape[0] % ring_from == 0:
                took = skipped * (here * here - here % 2) / (4 * here * one)
            else:
                took = skipped * 2 * (here // 2) * ((here + 1) // 2) / (here * one)
            best = min(best, max(took, least_fullest(shape[1:], ring_from, n // here,
                                                     apart // skipped, one)))
    return best


def usable_domain(K: int, degrees: tuple[int, ...]) -> int:
    """Ranks lie t, cp, d, p, fastest first; the largest block of at most K that divides so"""
    best, inner = 1, 1
    for degree in degrees:
        best = max([best, *(inner * k for k in range(1, degree + 1)
                            if degree % k == 0 and inner * k <= K)])
        inner *= degree
    return best
