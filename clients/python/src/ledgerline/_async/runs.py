from __future__ import annotations

import inspect
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from ..errors import APIError, LedgerlineError, RunRequiresActionError, run_error_of
from ..io import async_io
from ..results import RunResult, input_of, result_of
from ..uploads import file_id_in
from .files import AsyncFiles
from .streams import AsyncRunStream
from .transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..generated import types
    from ..options import CallOptions, OrderOptions, WaitOptions
    from .api import AsyncApi

T = TypeVar("T")
_WAITING = ("on_event", "on_action", "timeout", "cancel_on_abort")


class AsyncRuns:
    """Runs: follow, answer, cancel and read them."""

    def __init__(self, transport: AsyncTransport, api: Callable[[], AsyncApi]) -> None:
        self._transport = transport
        self._api = api

    async def get(self, run_id: str) -> types.Run:
        return await self._api().get_runs_run_id(run_id)

    def list(self, **filters: Unpack[types.RunFilters]) -> AsyncIterator[types.Run]:
        """The runs that fit all filters, newest first, over all pages."""
        return self._api().iter_runs(**filters)

    def stream(self, run_id: str, *, starting_after: str | None = None, include: str | None = None) -> AsyncRunStream:
        """
        Follows a run. `starting_after` is the id of the last event that you have; `include` chooses groups of events,
        such as `"deltas,cost"`.
        """
        return AsyncRunStream(self._transport, run_id, starting_after, include)

    @overload
    async def wait(self, run_id: str, *, output_type: type[T], **options: Unpack[WaitOptions]) -> RunResult[T]: ...

    @overload
    async def wait(
        self, run_id: str, *, output_type: None = None, **options: Unpack[WaitOptions]
    ) -> RunResult[Any]: ...

    async def wait(
        self, run_id: str, *, output_type: type[Any] | None = None, **options: Unpack[WaitOptions]
    ) -> RunResult[Any]:
        """
        The result of a run, when it has completed. Raises `RunFailedError`, `RunCancelledError` or
        `RunLimitReachedError` when it ended otherwise, and `RunRequiresActionError` when it waits for an answer that
        `on_action` does not give.
        """
        try:
            run = await self._end_of(run_id, options)
        except BaseException as error:
            if options.get("cancel_on_abort") and not isinstance(error, Exception):
                # A cancellation that fails must not hide the interrupt.
                with async_io.shielded(), suppress(LedgerlineError):
                    await self.cancel(run_id)
            raise
        failure = run_error_of(run)
        if failure:
            raise failure
        return result_of(run, output_type)

    async def answer(
        self,
        run_id: str,
        *,
        text: str | None = None,
        data: Mapping[str, Any] | None = None,
        approve: bool | None = None,
        arguments: Mapping[str, Any] | None = None,
        reason: str | None = None,
        max_cost_usd: float | None = None,
        step_id: str | None = None,
        answers: Sequence[Mapping[str, Any]] | None = None,
    ) -> types.Run:
        """
        Answers what a run waits for: a question by `text`, a form by `data`, a tool's call by `approve` (with other
        `arguments`, or the `reason` of a refusal), a limit by `max_cost_usd`. `step_id` names one of several;
        `answers` gives several at once.
        """
        decision = {None: None, True: "approve", False: "refuse"}[approve]
        kinds: dict[str, Any] = {"text": text, "form": data, "tool_approval": decision, "raise_limit": max_cost_usd}
        kind = next((name for name, value in kinds.items() if value is not None), None)
        fields: dict[str, Any] = {"type": kind, "step_id": step_id, "text": text, "data": data, "decision": decision}
        fields.update(arguments=arguments, reason=reason, max_cost_usd=max_cost_usd)
        one = {name: value for name, value in fields.items() if value is not None}
        body = cast("types.RunAnswer", {"answers": list(answers)} if answers is not None else one)
        return await self._api().post_runs_run_id_input(run_id, body)

    async def cancel(self, run_id: str, *, reason: str | None = None) -> types.Run:
        """Ends a run within a second; its usage so far is paid. A run that has ended stays as it is."""
        return await self._api().post_runs_run_id_cancel(run_id, {"reason": reason} if reason else {})

    async def _end_of(self, run_id: str, options: WaitOptions) -> types.Run:
        on_event = options.get("on_event")
        async with AsyncRunStream(self._transport, run_id, timeout=options.get("timeout")) as stream:
            try:
                async for event in stream:
                    if on_event:
                        await _given(on_event(event))
                    if event["type"] == "run.requires_action":
                        await self._answer_actions(run_id, options.get("on_action"))
            except APIError as error:
                # Events are deleted some weeks after the end.
                if error.code != "event_expired":
                    raise
            # Without an event of its end, all were read before.
            return stream.run or await self.get(run_id)

    async def _answer_actions(self, run_id: str, on_action: Callable[[types.RunRequiredAction1], Any] | None) -> None:
        run = await self.get(run_id)
        if run["status"] != "requires_action":
            return  # An event of a question that has its answer.
        answers = [await _answer_to(action, on_action) for action in run["required_actions"]] if on_action else []
        given = [answer for answer in answers if answer is not None]
        if not given:
            raise RunRequiresActionError(run)
        await self.answer(run_id, answers=given)


class AsyncAgents:
    """Agents: order runs of them, and read about them."""

    def __init__(
        self, transport: AsyncTransport, api: Callable[[], AsyncApi], runs: AsyncRuns, files: AsyncFiles
    ) -> None:
        self._transport = transport
        self._api = api
        self._runs = runs
        self._files = files

    async def get(self, agent: str) -> types.Agent:
        """An agent by its name, such as `acme/poet`, with its schemas and prices."""
        namespace, _, slug = agent.partition("/")
        return await self._api().get_agents_namespace_slug(namespace, slug)

    def list(self, **filters: Unpack[types.AgentFilters]) -> AsyncIterator[types.Agent]:
        """The public agents that fit all filters, over all pages."""
        return self._api().iter_agents(**filters)

    async def start(self, agent: str, input: Any, **options: Unpack[OrderOptions]) -> types.Run:
        """
        Orders a run and returns it at once. `input` is a text, a list of items, or for a typed agent a dict or a
        pydantic model; `files` are ids, paths, or anything that `client.files.upload` takes. See `OrderOptions` for
        the rest.
        """
        body, key = await self._order_of(agent, input, options)
        return await self._api().post_runs(body, idempotency_key=key)

    async def _order_of(self, agent: str, input: Any, options: OrderOptions) -> tuple[types.RunOrder, str]:
        """An order and its idempotency key, once its files are there."""
        order: dict[str, Any] = dict(options)
        key, files = order.pop("idempotency_key", None), order.pop("files", ())
        file_ids = [file_id_in(file) or (await self._files.upload(file))["id"] for file in files]
        body = {"agent": agent, "input": input_of(input, file_ids), **order}
        return cast("types.RunOrder", body), key or str(uuid.uuid4())

    @overload
    async def run(
        self, agent: str, input: Any, *, output_type: type[T], **options: Unpack[CallOptions]
    ) -> RunResult[T]: ...

    @overload
    async def run(
        self, agent: str, input: Any, *, output_type: None = None, **options: Unpack[CallOptions]
    ) -> RunResult[Any]: ...

    async def run(
        self, agent: str, input: Any, *, output_type: type[Any] | None = None, **options: Unpack[CallOptions]
    ) -> RunResult[Any]:
        """
        Orders a run, follows it to its end, and returns its result: see `start` for the order, `client.runs.wait` for
        the end, and `CallOptions` for all options. `output_type`, a pydantic model or a TypedDict, is the type of the
        result's `data`.
        """
        order: Any = {name: value for name, value in options.items() if name not in _WAITING}
        waiting: Any = {name: value for name, value in options.items() if name in _WAITING}
        body, key = await self._order_of(agent, input, order)
        try:
            run = await self._api().post_runs(body, idempotency_key=key)
        except BaseException as error:
            if options.get("cancel_on_abort") and not isinstance(error, Exception):
                # The order may have arrived: the same key finds its run.
                with async_io.shielded(), suppress(LedgerlineError):
                    await self._runs.cancel((await self._api().post_runs(body, idempotency_key=key))["id"])
            raise
        return await self._runs.wait(run["id"], output_type=output_type, **waiting)


async def _answer_to(action: types.RunRequiredAction1, on_action: Callable[[types.RunRequiredAction1], Any]) -> Any:
    answer = await _given(on_action(action))
    return answer and {"step_id": action.get("step_id"), **answer}


async def _given(value: Any) -> Any:
    """What a callback returned: it may be a coroutine."""
    return await value if inspect.isawaitable(value) else value
