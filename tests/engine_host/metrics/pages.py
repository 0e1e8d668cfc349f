"""Metrics pages as engines of different ages write them, made line by line."""

from __future__ import annotations

V0 = """
vllm:num_requests_running{model_name="m"} 3.0
vllm:num_requests_waiting{model_name="m"} 2.0
vllm:num_requests_swapped{model_name="m"} 0.0
vllm:gpu_cache_usage_perc{model_name="m"} 0.25
vllm:cache_config_info{block_size="16",num_gpu_blocks="400"} 1.0
vllm:prompt_tokens_total{model_name="m"} 90.0
vllm:generation_tokens_total{model_name="m"} 46.0
vllm:gpu_prefix_cache_queries_total{model_name="m"} 64.0
vllm:gpu_prefix_cache_hits_total{model_name="m"} 16.0
vllm:time_per_output_token_seconds_bucket{le="0.1",model_name="m"} 6.0
vllm:time_per_output_token_seconds_bucket{le="+Inf",model_name="m"} 8.0
vllm:time_per_output_token_seconds_count{model_name="m"} 8.0
vllm:time_per_output_token_seconds_sum{model_name="m"} 0.9
"""

V1_ENGINE = """
vllm:num_requests_running{{engine="{n}",model_name="m"}} 8.0
vllm:num_requests_waiting{{engine="{n}",model_name="m"}} {n}.0
vllm:num_requests_waiting_by_reason{{engine="{n}",model_name="m",reason="capacity"}} {n}.0
vllm:num_requests_waiting_by_reason{{engine="{n}",model_name="m",reason="deferred"}} 0.0
vllm:kv_cache_usage_perc{{engine="{n}",model_name="m"}} 0.{n}
vllm:cache_config_info{{block_size="128",engine="{n}",kv_cache_size_tokens="12800",num_gpu_blocks="100"}} 1.0
vllm:engine_sleep_state{{engine="{n}",model_name="m",sleep_state="awake"}} 1.0
vllm:engine_sleep_state{{engine="{n}",model_name="m",sleep_state="weights_offloaded"}} 0.0
vllm:prompt_tokens_total{{engine="{n}",model_name="m"}} 100.0
vllm:prompt_tokens_by_source_total{{engine="{n}",model_name="m",source="local_compute"}} 60.0
vllm:prompt_tokens_by_source_total{{engine="{n}",model_name="m",source="local_cache_hit"}} 40.0
vllm:prompt_tokens_cached_total{{engine="{n}",model_name="m"}} 40.0
vllm:request_success_total{{engine="{n}",finished_reason="stop",model_name="m"}} 4.0
vllm:request_success_total{{engine="{n}",finished_reason="abort",model_name="m"}} 1.0
vllm:request_queue_time_seconds_bucket{{engine="{n}",le="0.3",model_name="m"}} 2.0
vllm:request_queue_time_seconds_bucket{{engine="{n}",le="+Inf",model_name="m"}} 5.0
vllm:request_queue_time_seconds_count{{engine="{n}",model_name="m"}} 5.0
vllm:request_queue_time_seconds_sum{{engine="{n}",model_name="m"}} 2.5
"""

REJECTIONS = """
vllm:admission_rejections_total{model_name="m",reason="max_num_queued_reqs"} 3.0
vllm:admission_rejections_total{model_name="m",reason="max_num_queued_tokens"} 4.0
"""

HEADERS_ONLY = """
# HELP vllm:num_requests_running Number of requests currently running on GPU.
# TYPE vllm:num_requests_running gauge
# HELP vllm:num_requests_waiting Number of requests waiting to be processed.
# TYPE vllm:num_requests_waiting gauge
"""

OTHER_PROGRAM = """
python_info{implementation="CPython",major="3"} 1.0
process_start_time_seconds 1.7e9
"""

TWO_MODELS = """
vllm:num_requests_running{model_name="ours"} 3.0
vllm:num_requests_running{model_name="theirs"} 7.0
vllm:num_requests_waiting{model_name="ours"} 1.0
vllm:num_requests_waiting{model_name="theirs"} 1.0
vllm:kv_cache_usage_perc{model_name="ours"} 0.5
vllm:prompt_tokens_total{model_name="ours"} 50.0
"""


def v1(engines: int = 1) -> str:
    """A page of so many data-parallel engines; the n-th has n waiting and n tenths of its KV used."""
    return "".join(V1_ENGINE.format(n=number) for number in range(engines)) + REJECTIONS
