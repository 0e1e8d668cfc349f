"""Last lines of engines that did not start, and what is made of them.

Lines that begin with a process are vLLM 0.32.0's own, shortened, from starts that failed on a CPU.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

AFTER = (
    "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"
)


@dataclass(frozen=True)
class Kind:
    name: str
    lines: tuple[str, ...]
    why: str
    step: str
    change: dict[str, Any] = field(default_factory=dict)
    status: int = 1


KINDS = (
    Kind(
        "port taken",
        ("OSError: [Errno 98] error while attempting to bind on address ('127.0.0.1', 18777): address already in use",),
        "its port was taken by another program",
        "Start it again: another port is chosen.",
    ),
    Kind(
        "flag unknown",
        ("api_server.py: error: unrecognized arguments: --enable-warp-drive",),
        "this version of vLLM does not know the argument --enable-warp-drive",
        "Take it out of the profile, or install the vLLM that has it.",
        status=2,
    ),
    Kind(
        "flag refused",
        ("api_server.py: error: argument --max-num-batched-tokens: invalid human_readable_int value: 'many'",),
        "vLLM refused the argument --max-num-batched-tokens: invalid human_readable_int value: 'many'",
        "Correct it in the profile.",
        status=2,
    ),
    Kind(
        "model missing",
        (
            ("huggingface_hub.errors.HFValidationError: Repo id must be in the form 'repo_name' or "
            "'namespace/repo_name': '/nowhere/model'. Use `repo_type` argument if needed."),
        ),
        "there is no model under the name or in the folder that the profile names",
        "Correct the model's name, or choose the bundled model.",
    ),
    Kind(
        "model missing, and no hub",
        (
            ("huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached snapshot folder for "
            "the specified revision on the local disk and outgoing traffic has been disabled."),
        ),
        "the model is not on this machine and its hub cannot be reached",
        "Check the network, or choose the bundled model.",
    ),
    Kind(
        "model gated",
        (
            ("requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: "
            "https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct/resolve/main/config.json"),
            "OSError: You are trying to access a gated repo.",
        ),
        "the hub does not give this model without an accepted licence",
        "Accept the model's licence on the hub and set HF_TOKEN.",
    ),
    Kind(
        "weights damaged",
        (
            (
                "(Worker pid=12768) ERROR 11-30 19:04:01 [multiproc_executor.py:953] safetensors._safetensors_rust."
                "SafetensorError: Error while deserializing header: incomplete metadata, file not fully covered"
            ),
            "Exception: WorkerProc initialization failed due to an exception in a background process.",
            AFTER,
        ),
        "a file of the model is damaged or missing",
        "Fetch the model again: run ./dabba, or delete its folder first.",
    ),
    Kind(
        "model damaged",
        ("OSError: It looks like the config file at '/models/damaged/config.json' is not a valid JSON file.",),
        "a file of the model is damaged or missing",
        "Fetch the model again: run ./dabba, or delete its folder first.",
    ),
    Kind(
        "model without its tokenizer",
        (
            "ValueError: Couldn't instantiate the backend tokenizer from one of: ",
            "(1) a `tokenizers` library serialization file, ",
        ),
        "a file of the model is damaged or missing",
        "Fetch the model again: run ./dabba, or delete its folder first.",
    ),
    Kind(
        "no sleep on this platform",
        ("  Value error, Sleep mode is not supported on current platform. [type=value_error",),
        "its profile asks for sleep mode, which vLLM has on a GPU only",
        "Take --enable-sleep-mode out of the profile.",
    ),
    Kind(
        "too little memory for the KV space",
        (
            ("(EngineCore pid=2) ERROR 11-30 09:53:14 [core.py:1510] RuntimeError: Worker failed with error 'Available "
            "memory on node 0 (15.26/17.34 GiB) on kv cache allocation is less than requested memory for kv (500.0 "
            "GiB).'"),
            AFTER,
        ),
        "500.0 GiB of KV cache were asked for and 15.26 GiB of memory is free",
        "Choose a smaller KV space, or close other programs.",
        {"kv_space_gib": 12.2},
    ),
    Kind(
        "too little memory",
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", AFTER),
        "memory is missing",
        "Choose a smaller model, a shorter context or a smaller KV space.",
    ),
    Kind(
        "KV smaller than one request",
        (
            ("ValueError: To serve at least one request with the model's max seq len (8192), (0.18 GiB KV cache is "
            "needed, which is larger than the available KV cache memory (0.02 GiB). Based on the available memory, the "
            "estimated maximum model length is 640. Try increasing `gpu_memory_utilization`"),
            AFTER,
        ),
        "the KV space cannot hold one request of 8192 tokens: it holds one of 640",
        "Choose a shorter context or a larger KV space.",
        {"max_model_len": 640},
    ),
    Kind(
        "wrong Python",
        ("/usr/bin/python3: Error while finding module specification (ModuleNotFoundError: No module named 'vllm')",),
        "its Python lacks the package vllm",
        "Install the engine runtime again, or name another Python in the settings.",
        {"python": None},
    ),
    Kind(
        "disk full",
        ("OSError: [Errno 28] No space left on device: '/home/kitchen/.cache/vllm/torch_compile_cache'", AFTER),
        "the disk is full",
        "Free some space, then start it again.",
    ),
    Kind(
        "context longer than the model",
        (
            ("  Value error, User-specified max_model_len (999999) is greater than the derived max_model_len "
            "(max_position_embeddings=8192.0 or model_max_length=None in model's config.json). To allow overriding"),
        ),
        "a context of 999999 tokens was asked for and the model reads 8192",
        "Choose a shorter context.",
        {"max_model_len": 8192},
    ),
    Kind(
        "ended by itself",
        (),
        "it ended by itself with exit status 0",
        "Look at the log, then start it again.",
        status=0,
    ),
)  # fmt: skip
