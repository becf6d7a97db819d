"""A training step of a transformer by torch, timed: what `measure step` runs on GPUs. Sharded over
all ranks, one too, as torchtitan does it (fully_shard, bf16 products and reductions), AdamW, flash
attention."""

import os


def model_of(torch, shape, layers):
    """A decoder with the sizes of a model file: norms, grouped-query attention, an MLP."""
    nn, functional = torch.nn, torch.nn.functional
    hidden, heads = shape["hidden"], shape["heads"]
    kv, width = shape.get("kv_heads", heads), shape.get("head_dim", hidden // heads)
    ffn, gated = shape["ffn_hidden"], shape.get("gated_mlp", False)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.mlp_norm = nn.RMSNorm(hidden), nn.RMSNorm(hidden)
            self.qkv = nn.Linear(hidden, (heads + 2 * kv) * width, bias=False)
            self.out = nn.Linear(heads * width, hidden, bias=False)
            self.up = nn.Linear(hidden, ffn * (2 if gated else 1), bias=False)
            self.down = nn.Linear(ffn, hidden, bias=False)

        def forward(self, x):
            b, s, _ = x.shape
            q, k, v = self.qkv(self.norm(x)).split([heads * width, kv * width, kv * width], -1)

            def split(t, n):
                return t.view(b, s, n, width).transpose(1, 2)
            attended = functional.scaled_dot_product_attention(
                split(q, heads), split(k, kv), split(v, kv), is_causal=True, enable_gqa=kv != heads)
            x = x + self.out(attended.transpose(1, 2).reshape(b, s, heads * width))
            up = self.up(self.mlp_norm(x))
            if gated:
                gate, up = up.chunk(2, -1)
                return x + self.down(functional.silu(gate) * up)
            return x + self.down(functional.gelu(up))

    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(shape["vocab"], hidden)
            self.blocks = nn.ModuleList(Block() for _ in range(layers))
            self.norm = nn.RMSNorm(hidden)
            self.head = nn.Linear(hidden, shape["vocab"], bias=False)

        def forward(self, tokens):
            x = self.embedding(tokens)
            for block in self.blocks:
                x = block(x)
            return self.head(self.norm(x))

    return Decoder().cuda()


def run_of(shape, layers, world, options, gpu):
    """The row of the run, without its time."""
    model = {"name": shape.get("title", shape.get("name", "own")), "layers": layers,
             "hidden": shape["hidden"], "heads": shape["heads"],
             "kv_heads": shape.get("kv_heads", shape["heads"]),
             "head_dim": shape.get("head_dim", shape["hidden"] // shape["heads"]),
             "ffn_hidden": shape["ffn_hidden"], "gated_mlp": shape.get("gated_mlp", False),
             "vocab": shape["vocab"], "untied_embeddings": True, "seq": options.sequence}
    row = {"id": f"{options.source}-{shape.get('name', 'own')}-l{layers}-{world}x"
                 f"{options.micro_batch * options.accumulate}x{options.sequence}",
           "source_key": options.source, "source": "tools/measure step", "model": model,
           "gpu": options.gpu or gpu, "gpus": world,
           "gpus_per_node": int(os.environ.get("LOCAL_WORLD_SIZE", world)), "precision": "bf16",
           "tp": 1, "pp": 1, "cp": 1, "ep": 1, "dp": world,
           "zero_stage_or_fsdp": "FSDP (ZeRO-3)",
           "micro_batch": options.micro_batch,
           "global_batch": world * options.micro_batch * options.accumulate, "recompute": "none",
           "software": {"class": "torch", "attention": "flash2", "grad_reduce_bytes": 2}}
    if options.nic_gbps:
        row["nic_gbps_per_gpu"] = options.nic_gbps
    if options.hb_gbps:
        row["nvlink_gbs_per_dir"] = options.hb_gbps
    return row


def record(torch, recorder, file, shape, options, catalog_name):
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard  # noqa: PLC0415
    from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: PLC0415
    for kind in ("moe", "mla"):
        if shape.get(kind):
            raise SystemExit(f"error: a model with {kind} is not built here: time a run of your "
                             "own software and use --megatron")
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", 0)))
    if world > 1:
        torch.distributed.init_process_group("nccl")
    else:
        torch.distributed.init_process_group("nccl", store=torch.distributed.HashStore(), rank=0,
                                             world_size=1)
    layers = options.layers or shape["layers"]
    model = model_of(torch, shape, layers)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
    for block in model.blocks:
        fully_shard(block, mp_policy=policy)
    fully_shard(model, mp_policy=policy)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    tokens = torch.randint(shape["vocab"], (options.micro_batch, options.sequence + 1),
                           device="cuda")

    def step():
        for _ in range(options.accumulate):
            logits = model(tokens[:, :-1])
            torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(),
                                              tokens[:, 1:].flatten()).backward()
        optimizer.step()
        optimizer.zero_grad()

    name = catalog_name(torch.cuda.get_device_name())
    target = file if rank == 0 else os.devnull
    clock = recorder(torch, target, "step", run=run_of(shape, layers, world, options, name))
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        for _ in range(options.steps):
            clock.time(step, 1)
    clock.end(peak_bytes=torch.cuda.max_memory_allocated())
    torch.distributed.destroy_process_group()
    if rank != 0:
        raise SystemExit(0)
