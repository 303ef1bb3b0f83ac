"""The light context under load: 100,000 store/retrieve pairs from 8 threads on one context in memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import quantiles
from threading import Barrier
from time import perf_counter_ns

from anaphora.light import LightContext, Response

PAIRS = 100_000
THREADS = 8
BAR_MS = 1.0


def run() -> list[tuple[str, str, str]]:
    """What was measured, the figure, and the bar it has to meet."""
    light = LightContext()
    start_together = Barrier(THREADS)

    def work(thread: int) -> tuple[int, list[int]]:
        start_together.wait()
        return _pairs(light, thread, PAIRS // THREADS)

    with ThreadPoolExecutor(THREADS) as pool:
        outcomes = list(pool.map(work, range(THREADS)))
    errors = sum(count for count, _ in outcomes)
    durations = [duration for _, part in outcomes for duration in part]
    p99 = quantiles(durations, n=100)[98] / 1e6
    load = f"{PAIRS:,} store/retrieve pairs from {THREADS} threads in memory"
    return [
        (f"light context: errors in {load}", f"{errors}", "0"),
        (f"light context: p99 of one call in {load}", f"{p99:.3f} ms", f"<= {BAR_MS:g} ms"),
    ]


def _pairs(light: LightContext, thread: int, count: int) -> tuple[int, list[int]]:
    """How many calls went wrong, and the nanoseconds that each call took."""
    errors = 0
    durations: list[int] = []

    def timed(call: Callable[..., Response], *arguments: object) -> Response:
        begin = perf_counter_ns()
        response = call(*arguments)
        durations.append(perf_counter_ns() - begin)
        return response

    for number in range(count):
        mark = f"{thread}-{number}"
        stored = timed(light.store, mark, mark, [mark], mark)
        found = timed(light.retrieve)
        errors += not stored["success"] or not found["success"] or not _whole(found)
    return errors, durations


def _whole(response: Response) -> bool:
    """Whether all four fields come from one and the same store."""
    context = response["context"]
    marks = {context["last_intent"], context["last_task_id"], *context["pending_fields"], context["last_user_message"]}
    return len(marks) == 1


if __name__ == "__main__":
    for what, measured, bar in run():
        print(f"{what}: {measured} (bar: {bar})")
