# Written from _async/api.py by clients/python/generate: change that one.
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, cast

from .streams import EventStream
from .transport import Transport

if TYPE_CHECKING:
    from ..generated import types as _t


class Api:
    """The plain calls: one method for each operation of /openapi.json, named by its method and path."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def post_chat_completions(
        self,
        body: _t.ChatCompletionRequest,
        *,
        x_ignored_parameters: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.ChatCompletion:
        """
        Answer a chat

        The name of a public agent in the place of a model, as in `"model": "acme/poet"`, or with a channel
        `acme/poet@beta`, starts a run of it, which costs what the run costs: at most the agent’s maximum, or
        `metadata.max_cost_usd`. The header `location` names the run. A caller that disconnects cancels it, and pays
        for what it consumed. `metadata.session_id` continues a session. What the publisher decides (`temperature`,
        `tools` and the like) is refused, unless it has OpenAI’s default. Of a typed agent the answer is its data as
        JSON. Files and pictures are sent as data: URLs; those that the agent has made are in `run.files` of a whole
        answer. Refused with 400 `unsupported_parameter` when sent and not null: `audio`, `prediction`,
        `web_search_options`, `functions`, `function_call`, and `modalities` other than `["text"]`.
        """
        return cast("_t.ChatCompletion", (self._transport.send("POST", "/v1/chat/completions", json=body, headers={"x-ignored-parameters": x_ignored_parameters}, idempotency_key=idempotency_key)).data)

    def post_completions(self, body: _t.CompletionRequest, *, idempotency_key: str | None = None) -> _t.Completion:
        """Continue a text"""
        return cast("_t.Completion", (self._transport.send("POST", "/v1/completions", json=body, idempotency_key=idempotency_key)).data)

    def post_responses(
        self,
        body: _t.ResponseRequest,
        *,
        x_ignored_parameters: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.Response:
        """
        Create a response

        The name of a public agent in the place of a model, as in `"model": "acme/poet"`, or with a channel
        `acme/poet@beta`, starts a run of it, which costs what the run costs: at most the agent’s maximum, or
        `metadata.max_cost_usd`. The header `location` names the run. A caller that disconnects cancels it, and pays
        for what it consumed. `metadata.session_id` continues a session. What the publisher decides (`temperature`,
        `tools` and the like) is refused, unless it has OpenAI’s default. Of a typed agent the answer is its data as
        JSON. Files and pictures are sent as data: URLs; those that the agent has made are in `run.files` of a whole
        answer. Each request carries its history: send earlier output back as input, or refer to its items. Refused
        with 400 `unsupported_parameter` when sent and not null: `previous_response_id`, `conversation`, `background`,
        `background_options`, `multi_agent`, `prompt_cache_key`, `prompt`, `context_management`, `access_programs`,
        `image`, `moderation`, `n`, `best_of`, `audio`, `modalities`, `prediction`, `web_search_options`. `background`
        may be false.
        """
        return cast("_t.Response", (self._transport.send("POST", "/v1/responses", json=body, headers={"x-ignored-parameters": x_ignored_parameters}, idempotency_key=idempotency_key)).data)

    def post_responses_input_tokens(
        self,
        body: _t.ResponseRequest,
        *,
        x_ignored_parameters: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.ResponseInputTokens:
        """
        Count a request's input tokens

        Calls no model, and costs nothing.
        """
        return cast("_t.ResponseInputTokens", (self._transport.send("POST", "/v1/responses/input_tokens", json=body, headers={"x-ignored-parameters": x_ignored_parameters}, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_responses_response_id(
        self,
        response_id: str,
        *,
        include: Any | None = None,
        include_: Any | None = None,
        include_obfuscation: Any | None = None,
        stream: str | None = None,
        starting_after: str | None = None,
    ) -> _t.Response:
        """
        Read a response

        Responses are kept for 24 hours, unless `store` is false.
        """
        return cast("_t.Response", (self._transport.send("GET", self._transport.path("/v1/responses/{response_id}", response_id=response_id), query={"include": include, "include[]": include_, "include_obfuscation": include_obfuscation, "stream": stream, "starting_after": starting_after})).data)

    def delete_responses_response_id(self, response_id: str) -> _t.Deleted:
        """
        Delete a response

        Deletes what is kept of it: the response, its input and its output items.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/responses/{response_id}", response_id=response_id))).data)

    def get_responses_response_id_input_items(
        self,
        response_id: str,
        *,
        limit: int | None = None,
        order: Literal["asc", "desc"] | None = None,
        after: str | None = None,
        include: Any | None = None,
        include_: Any | None = None,
    ) -> _t.ResponseInputItems:
        """
        List a response's input

        The items, the last one first: as they were sent, with the members that may be left out. A reference is read
        as its item, while that is kept.
        """
        return cast("_t.ResponseInputItems", (self._transport.send("GET", self._transport.path("/v1/responses/{response_id}/input_items", response_id=response_id), query={"limit": limit, "order": order, "after": after, "include": include, "include[]": include_})).data)

    def iter_responses_response_id_input_items(
        self,
        response_id: str,
        *,
        limit: int | None = None,
        order: Literal["asc", "desc"] | None = None,
        include: Any | None = None,
        include_: Any | None = None,
    ) -> Iterator[_t.ResponseInputItemsItem]:
        """List a response's input: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/responses/{response_id}/input_items", response_id=response_id), "data", "after", "last_id", query={"limit": limit, "order": order, "include": include, "include[]": include_})

    def post_embeddings(self, body: _t.EmbeddingsRequest, *, idempotency_key: str | None = None) -> _t.Embeddings:
        """Embed texts"""
        return cast("_t.Embeddings", (self._transport.send("POST", "/v1/embeddings", json=body, idempotency_key=idempotency_key)).data)

    def post_audio_speech(
        self,
        body: _t.SpeechRequest,
        *,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Speak a text

        Sends sound while it is made; with `stream_format: "sse"` as events `speech.audio.delta` and
        `speech.audio.done`. Billed by the characters of the text. When the balance does not cover the text: 402; with
        `x-allow-partial: true` the beginning is spoken, `x-truncated` is set, and `character-cost` is the number of
        spoken characters.
        """
        return cast("bytes", (self._transport.send("POST", "/v1/audio/speech", json=body, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, expect="bytes")).data)

    def post_audio_transcriptions(
        self,
        body: _t.TranscriptionForm,
        *,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> _t.Transcription:
        """
        Transcribe sound

        Up to 100 MB and 4 hours, of any common type, which is detected from the content. Billed by the decoded
        duration, to the millisecond. The formats `text`, `srt` and `vtt` answer with text. A form without a file, or
        with a missing or wrong field, is 422.
        """
        return cast("_t.Transcription", (self._transport.send("POST", "/v1/audio/transcriptions", form=body, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key)).data)

    def post_audio_transcriptions_as(
        self,
        body: _t.TranscriptionForm,
        *,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Transcribe sound

        Up to 100 MB and 4 hours, of any common type, which is detected from the content. Billed by the decoded
        duration, to the millisecond. The formats `text`, `srt` and `vtt` answer with text. A form without a file, or
        with a missing or wrong field, is 422.
        """
        return cast("bytes", (self._transport.send("POST", "/v1/audio/transcriptions", form=body, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, expect="bytes")).data)

    def post_audio_translations(
        self,
        body: _t.TranslationForm,
        *,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> _t.Transcription:
        """
        Transcribe sound in English

        Like a transcription; speech in another language is translated into English where the model supports it.
        """
        return cast("_t.Transcription", (self._transport.send("POST", "/v1/audio/translations", form=body, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key)).data)

    def post_audio_translations_as(
        self,
        body: _t.TranslationForm,
        *,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Transcribe sound in English

        Like a transcription; speech in another language is translated into English where the model supports it.
        """
        return cast("bytes", (self._transport.send("POST", "/v1/audio/translations", form=body, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, expect="bytes")).data)

    def get_models(self) -> _t.ModelList:
        """
        List the models

        Public agents come after the models, as the `kind` `agent`, for keys that may run agents.
        """
        return cast("_t.ModelList", (self._transport.send("GET", "/v1/models")).data)

    def get_models_id(self, id: str) -> _t.Model:
        """
        Read a model

        Also an agent: `<namespace>/<slug>`.
        """
        return cast("_t.Model", (self._transport.send("GET", self._transport.path("/v1/models/{id}", id=id))).data)

    def get_models_namespace_slug(self, namespace: str, slug: str) -> _t.Model:
        """
        Read a model whose id has a slash

        The same as with a percent-encoded slash, as the official clients send it.
        """
        return cast("_t.Model", (self._transport.send("GET", self._transport.path("/v1/models/{namespace}/{slug}", namespace=namespace, slug=slug))).data)

    def post_realtime_client_secrets(self, body: _t.ClientSecretRequest, *, idempotency_key: str | None = None) -> _t.ClientSecret:
        """
        Create a client secret

        For a browser or an app, which must not have the key. The secret opens realtime sockets alone, with this
        session, and in the name of the key: its scopes, spend limit, addresses and rate limits count, and its
        revocation ends the sessions. What is set here, neither updates nor responses change. An expired secret, and
        one that has opened `max_sessions`, is refused with 401; one whose `spend_limit_usd` is reached with 402.
        Calls hold their money within `spend_limit_usd`, so sessions never spend more together; one that gets no more
        ends with `client_secret_spend_limit_reached`.
        """
        return cast("_t.ClientSecret", (self._transport.send("POST", "/v1/realtime/client_secrets", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_realtime_sessions(self, body: _t.OlderSessionRequest, *, idempotency_key: str | None = None) -> _t.OlderSession:
        """
        Create a client secret, with the older names

        As clients with `OpenAI-Beta: realtime=v1` send it. The secret opens realtime sockets alone, with this
        session, and in the name of the key: its scopes, spend limit, addresses and rate limits count, and its
        revocation ends the sessions. What is set here, neither updates nor responses change. An expired secret, and
        one that has opened `max_sessions`, is refused with 401; one whose `spend_limit_usd` is reached with 402.
        Calls hold their money within `spend_limit_usd`, so sessions never spend more together; one that gets no more
        ends with `client_secret_spend_limit_reached`.
        """
        return cast("_t.OlderSession", (self._transport.send("POST", "/v1/realtime/sessions", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_platform_key(self) -> _t.InspectedKey:
        """Inspect the calling key"""
        return cast("_t.InspectedKey", (self._transport.send("GET", "/platform/v1/key")).data)

    def get_platform_keys(self) -> _t.KeyList:
        """List the keys of the workspace"""
        return cast("_t.KeyList", (self._transport.send("GET", "/platform/v1/keys")).data)

    def post_platform_keys_derive(self, body: _t.DerivedKeyOrder, *, idempotency_key: str | None = None) -> _t.DerivedKey:
        """
        Make a narrower key of the calling key

        For a program, a customer or an agent that may do less: some of the scopes, a budget, a time, some agents.
        What is left out is as the calling key has it. What the new key spends counts against its own limit and
        against those of all keys above it, exactly; with the calling key revoked, it ends within a second, and its
        runs and sockets with it. New keys may make others, four levels deep.
        """
        return cast("_t.DerivedKey", (self._transport.send("POST", "/platform/v1/keys/derive", json=body, idempotency_key=idempotency_key)).data)

    def delete_platform_keys_key_id(self, key_id: str) -> _t.Deleted:
        """
        Revoke a key that the calling key has made

        Directly or through others; with all keys that it has made. Also the calling key itself, as a program does
        that signs out.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/platform/v1/keys/{key_id}", key_id=key_id))).data)

    def get_platform_requests(
        self,
        *,
        model: str | None = None,
        key: str | None = None,
        status: str | None = None,
        route: str | None = None,
        product: Literal["text", "embeddings", "speech", "transcription", "voice_conversion", "realtime", "batch", "agents"] | None = None,
        member: str | None = None,
        code: str | None = None,
        content: Literal["true", "false"] | None = None,
        project: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> _t.RequestPage:
        """
        List the requests of the workspace

        Calls that have ended, the last one first. Calls that were refused before anything ran are listed for 7 days
        with their `error`; they cost nothing. Send `next_cursor` as `cursor` for the next page. `format=csv` has them
        all in one file.
        """
        return cast("_t.RequestPage", (self._transport.send("GET", "/platform/v1/requests", query={"model": model, "key": key, "status": status, "route": route, "product": product, "member": member, "code": code, "content": content, "project": project, "from": from_, "to": to, "limit": limit, "cursor": cursor})).data)

    def get_platform_requests_as(
        self,
        *,
        model: str | None = None,
        key: str | None = None,
        status: str | None = None,
        route: str | None = None,
        product: Literal["text", "embeddings", "speech", "transcription", "voice_conversion", "realtime", "batch", "agents"] | None = None,
        member: str | None = None,
        code: str | None = None,
        content: Literal["true", "false"] | None = None,
        project: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        format: Literal["json", "csv"],
    ) -> bytes:
        """
        List the requests of the workspace

        Calls that have ended, the last one first. Calls that were refused before anything ran are listed for 7 days
        with their `error`; they cost nothing. Send `next_cursor` as `cursor` for the next page. `format=csv` has them
        all in one file.
        """
        return cast("bytes", (self._transport.send("GET", "/platform/v1/requests", query={"model": model, "key": key, "status": status, "route": route, "product": product, "member": member, "code": code, "content": content, "project": project, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format}, expect="bytes")).data)

    def iter_platform_requests(
        self,
        *,
        model: str | None = None,
        key: str | None = None,
        status: str | None = None,
        route: str | None = None,
        product: Literal["text", "embeddings", "speech", "transcription", "voice_conversion", "realtime", "batch", "agents"] | None = None,
        member: str | None = None,
        code: str | None = None,
        content: Literal["true", "false"] | None = None,
        project: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
    ) -> Iterator[_t.EndedRequest]:
        """List the requests of the workspace: all items, over all pages."""
        return self._transport.iterate("/platform/v1/requests", "data", "cursor", "next_cursor", query={"model": model, "key": key, "status": status, "route": route, "product": product, "member": member, "code": code, "content": content, "project": project, "from": from_, "to": to, "limit": limit})

    def get_platform_requests_totals(
        self,
        *,
        model: str | None = None,
        key: str | None = None,
        status: str | None = None,
        route: str | None = None,
        product: Literal["text", "embeddings", "speech", "transcription", "voice_conversion", "realtime", "batch", "agents"] | None = None,
        member: str | None = None,
        code: str | None = None,
        content: Literal["true", "false"] | None = None,
        project: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> _t.RequestTotals:
        """
        Count the requests of the workspace, and sum up their cost

        Of the same entries as the list has with the same filters.
        """
        return cast("_t.RequestTotals", (self._transport.send("GET", "/platform/v1/requests/totals", query={"model": model, "key": key, "status": status, "route": route, "product": product, "member": member, "code": code, "content": content, "project": project, "from": from_, "to": to})).data)

    def get_platform_requests_request_id(self, request_id: str) -> _t.EndedRequest:
        """
        Read what a request was and what it cost

        There from the moment the answer ended, also of a call that was refused: then `error` says why; 409
        `request_not_ended` while a stream still runs, or is still ending because its client has just left. The id is
        the answer’s `x-request-id`, or the `id` in its body (`chatcmpl-…`, `cmpl-…`, `resp_…`).
        """
        return cast("_t.EndedRequest", (self._transport.send("GET", self._transport.path("/platform/v1/requests/{request_id}", request_id=request_id))).data)

    def stream_platform_requests_request_id(self, request_id: str, *, starting_after: str | None = None) -> EventStream[_t.ChatCompletionChunk]:
        """
        Resume the stream of a request

        The events of a stream of chat/completions, completions or responses, for ten minutes after they were sent:
        from the first one, or after the one with the number in `Last-Event-ID` or `starting_after`. Events are
        numbered from 1 in the order of the stream, so the number is how many you have; here each carries it as its
        `id`. A stream that is still produced is followed to its end. When its client has disconnected, the generation
        waits a moment for a reader and then goes on, with one bill. A client that has everything gets 204. A stream
        above 8 MiB is not kept. Resuming costs nothing.
        """
        return EventStream(self._transport, self._transport.path("/platform/v1/requests/{request_id}/stream", request_id=request_id), starting_after=starting_after)

    def get_platform_overview(self) -> _t.Overview:
        """
        Read what the workspace has, spends and does

        Balance and how long it lasts, spending by day and of this month beside the last, the last hour, and what
        needs attention.
        """
        return cast("_t.Overview", (self._transport.send("GET", "/platform/v1/overview")).data)

    def get_platform_models_performance(self) -> _t.ModelPerformanceList:
        """
        Read how fast the models are

        All models, as they answered everyone in the last hour; in fewer minutes on a busy installation. Calls in test
        mode, refused calls and calls whose clients left are not counted. Figures of fewer than 5 calls are null.
        """
        return cast("_t.ModelPerformanceList", (self._transport.send("GET", "/platform/v1/models/performance")).data)

    def get_platform_models_id_prices(self, id: str) -> _t.ModelPriceList:
        """
        List the prices of a model

        What it costs, has cost and will cost, the newest first. A call costs what held when it started; a price never
        changes backwards. Percent-encode a slash in an id.
        """
        return cast("_t.ModelPriceList", (self._transport.send("GET", self._transport.path("/platform/v1/models/{id}/prices", id=id))).data)

    def get_platform_search(self, *, query: str) -> _t.SearchResults:
        """
        Find something by its id or name

        Takes any id of the workspace: of a request or its answer (`chatcmpl-…`, `resp_…`), a run, a session, a batch,
        a file, a payment, an invoice, a key, a project, an agent, a schedule, a webhook endpoint, a ledger entry, an
        event. Invoices are also found by their number, keys by the beginning of their secret, and keys, own agents,
        schedules and endpoints by a part of their names. Has what the key’s scopes allow to read, at most five of a
        kind.
        """
        return cast("_t.SearchResults", (self._transport.send("GET", "/platform/v1/search", query={"query": query})).data)

    def get_platform_explain_explained_id(self, explained_id: str) -> _t.Explanation:
        """
        Explain what something cost

        Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, of an entry of
        the ledger (`le_…`) or of an event (`evt_…`). Answers each part of the bill with its price, the rounding, and
        the entries that charged it. The total is what was charged in the end.
        """
        return cast("_t.Explanation", (self._transport.send("GET", self._transport.path("/platform/v1/explain/{explained_id}", explained_id=explained_id))).data)

    def get_platform_usage(
        self,
        *,
        group_by: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key: str | None = None,
        project: str | None = None,
    ) -> _t.UsageReport:
        """
        Read what was used, grouped

        Calls and runs of all products. An entry has a member for each group, null where the group does not apply: a
        run has no model, a call no agent. The total is the sum of the ledger’s debits, refunds and corrections of the
        same time, to the nano-USD. The meter `rounding` is what remains of bills after their units: rounding,
        refunds, and amounts above a hold that were not charged. Tokens are among the units: `input_tokens`,
        `output_tokens`, and `cached_input_tokens` where a model has a price for them. Without `from`, the last 30
        days; by minute, the last hour.
        """
        return cast("_t.UsageReport", (self._transport.send("GET", "/platform/v1/usage", query={"group_by": group_by, "from": from_, "to": to, "model": model, "key": key, "project": project})).data)

    def get_platform_usage_as(
        self,
        *,
        group_by: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key: str | None = None,
        project: str | None = None,
        format: Literal["json", "csv"],
    ) -> bytes:
        """
        Read what was used, grouped

        Calls and runs of all products. An entry has a member for each group, null where the group does not apply: a
        run has no model, a call no agent. The total is the sum of the ledger’s debits, refunds and corrections of the
        same time, to the nano-USD. The meter `rounding` is what remains of bills after their units: rounding,
        refunds, and amounts above a hold that were not charged. Tokens are among the units: `input_tokens`,
        `output_tokens`, and `cached_input_tokens` where a model has a price for them. Without `from`, the last 30
        days; by minute, the last hour.
        """
        return cast("bytes", (self._transport.send("GET", "/platform/v1/usage", query={"group_by": group_by, "from": from_, "to": to, "model": model, "key": key, "project": project, "format": format}, expect="bytes")).data)

    def get_platform_usage_export(self, *, month: str) -> bytes:
        """
        Download the calls of a month as Parquet

        One row for each ended call (by `settled_at`), compressed with Zstandard: for DuckDB, pandas, ClickHouse,
        BigQuery and others. Times are UTC, amounts are nano-USD; each unit has a column `units_…`. A bill that is
        changed after the end of its month stays as it was, and the change is a row of the month in which it was
        booked, with the `kind` `refund` or `correction`: a month sums up to the calls of its statement. A key that is
        limited to projects gets their calls. Runs are in the usage report, and refused calls in the list of requests.
        """
        return cast("bytes", (self._transport.send("GET", "/platform/v1/usage/export", query={"month": month}, expect="bytes")).data)

    def get_platform_usage_latency(
        self,
        *,
        group_by: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key: str | None = None,
        project: str | None = None,
    ) -> _t.LatencyReport:
        """
        Read how long calls took, grouped

        The median and the 95th percentile of calls that succeeded, exact: each is the time of a call. An entry has a
        member for each group; the total is of all calls of the range. Without `from`, the last 30 days; by minute,
        the last hour.
        """
        return cast("_t.LatencyReport", (self._transport.send("GET", "/platform/v1/usage/latency", query={"group_by": group_by, "from": from_, "to": to, "model": model, "key": key, "project": project})).data)

    def get_platform_usage_errors(
        self,
        *,
        group_by: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key: str | None = None,
        project: str | None = None,
    ) -> _t.ErrorReport:
        """
        Read how many calls were refused or failed, grouped

        An entry has a member for each group. Calls whose clients disconnected are none of these. Without `from`, the
        last 30 days; by minute, the last hour.
        """
        return cast("_t.ErrorReport", (self._transport.send("GET", "/platform/v1/usage/errors", query={"group_by": group_by, "from": from_, "to": to, "model": model, "key": key, "project": project})).data)

    def get_platform_billing_balance(self) -> _t.Balance:
        """Read the balance"""
        return cast("_t.Balance", (self._transport.send("GET", "/platform/v1/billing/balance")).data)

    def get_platform_billing_ledger(
        self,
        *,
        kind: str | None = None,
        key: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> _t.LedgerPage:
        """
        List the entries of the ledger

        Newest first. Send `next_cursor` as `cursor` for the next page. `format=csv` has them all in one file.
        """
        return cast("_t.LedgerPage", (self._transport.send("GET", "/platform/v1/billing/ledger", query={"kind": kind, "key": key, "from": from_, "to": to, "limit": limit, "cursor": cursor})).data)

    def get_platform_billing_ledger_as(
        self,
        *,
        kind: str | None = None,
        key: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        format: Literal["json", "csv"],
    ) -> bytes:
        """
        List the entries of the ledger

        Newest first. Send `next_cursor` as `cursor` for the next page. `format=csv` has them all in one file.
        """
        return cast("bytes", (self._transport.send("GET", "/platform/v1/billing/ledger", query={"kind": kind, "key": key, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format}, expect="bytes")).data)

    def iter_platform_billing_ledger(
        self,
        *,
        kind: str | None = None,
        key: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
    ) -> Iterator[_t.LedgerPageItem]:
        """List the entries of the ledger: all items, over all pages."""
        return self._transport.iterate("/platform/v1/billing/ledger", "data", "cursor", "next_cursor", query={"kind": kind, "key": key, "from": from_, "to": to, "limit": limit})

    def get_platform_billing_ledger_totals(
        self,
        *,
        kind: str | None = None,
        key: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> _t.LedgerTotals:
        """
        Count the entries of the ledger, and sum them up

        Of the same entries as the list has with the same filters.
        """
        return cast("_t.LedgerTotals", (self._transport.send("GET", "/platform/v1/billing/ledger/totals", query={"kind": kind, "key": key, "from": from_, "to": to})).data)

    def get_platform_requests_request_id_content(self, request_id: str) -> _t.RequestContent:
        """
        Read what a request was asked and answered

        Kept only for keys with `log_days`, for that many days (at most 90), encrypted. Text calls, speech and
        transcriptions are kept; realtime sessions, runs of agents and batches are not: runs and batches have their
        own input and output. Each reading is in the audit. The scope `contents` is given to no key by default.
        """
        return cast("_t.RequestContent", (self._transport.send("GET", self._transport.path("/platform/v1/requests/{request_id}/content", request_id=request_id))).data)

    def delete_platform_requests_request_id_content(self, request_id: str) -> _t.DeletedContent:
        """
        Delete what a request was asked and answered

        The request itself stays, with its cost.
        """
        return cast("_t.DeletedContent", (self._transport.send("DELETE", self._transport.path("/platform/v1/requests/{request_id}/content", request_id=request_id))).data)

    def delete_platform_keys_key_id_contents(self, key_id: str) -> _t.DeletedContents:
        """
        Delete all contents of a key

        What the calls of a key were asked and answered until now. Later calls are kept as its `log_days` says.
        """
        return cast("_t.DeletedContents", (self._transport.send("DELETE", self._transport.path("/platform/v1/keys/{key_id}/contents", key_id=key_id))).data)

    def get_platform_audit_log(
        self,
        *,
        action: str | None = None,
        subject: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> _t.AuditLogPage:
        """
        Read the audit log

        What was done in the workspace, newest first: keys, members, roles, sign-ins by the identity provider, limits,
        money. The webhook event `audit.entry_recorded` has each entry as it happens.
        """
        return cast("_t.AuditLogPage", (self._transport.send("GET", "/platform/v1/audit_log", query={"action": action, "subject": subject, "from": from_, "to": to, "limit": limit, "cursor": cursor})).data)

    def iter_platform_audit_log(
        self,
        *,
        action: str | None = None,
        subject: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
    ) -> Iterator[_t.AuditEntry]:
        """Read the audit log: all items, over all pages."""
        return self._transport.iterate("/platform/v1/audit_log", "data", "cursor", "next_cursor", query={"action": action, "subject": subject, "from": from_, "to": to, "limit": limit})

    def get_platform_audit_log_download(
        self,
        *,
        action: str | None = None,
        subject: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> bytes:
        """
        Download the audit log

        The same entries as JSON lines, one in each line, oldest first.
        """
        return cast("bytes", (self._transport.send("GET", "/platform/v1/audit_log/download", query={"action": action, "subject": subject, "from": from_, "to": to}, expect="bytes")).data)

    def get_platform_audit_log_audit_entry_id(self, audit_entry_id: str) -> _t.AuditEntry:
        """
        Read an entry of the audit log

        As the list has it.
        """
        return cast("_t.AuditEntry", (self._transport.send("GET", self._transport.path("/platform/v1/audit_log/{audit_entry_id}", audit_entry_id=audit_entry_id))).data)

    def get_platform_workspace(self) -> _t.Workspace:
        """
        Read the workspace of the key

        A test workspace has the name and the logo of its live one.
        """
        return cast("_t.Workspace", (self._transport.send("GET", "/platform/v1/workspace")).data)

    def patch_platform_workspace(self, body: _t.WorkspaceChange) -> _t.Workspace:
        """
        Rename the workspace, or change its logo

        Changes what is sent, for the live workspace and its test workspace. Namespaces and the addresses of published
        agents do not change with the name. Needs a live key.
        """
        return cast("_t.Workspace", (self._transport.send("PATCH", "/platform/v1/workspace", json=body)).data)

    def get_platform_billing_details(self) -> _t.BillingDetails:
        """
        Read the billing details

        What the next invoice says about the workspace.
        """
        return cast("_t.BillingDetails", (self._transport.send("GET", "/platform/v1/billing/details")).data)

    def patch_platform_billing_details(self, body: _t.BillingDetailsChange) -> _t.BillingDetails:
        """
        Change the billing details

        Changes what is sent; null removes it. Invoices that were issued before keep what they say.
        """
        return cast("_t.BillingDetails", (self._transport.send("PATCH", "/platform/v1/billing/details", json=body)).data)

    def get_platform_billing_invoices(self, *, limit: int | None = None, cursor: str | None = None) -> _t.InvoicePage:
        """
        List invoices

        Newest first. Send `next_cursor` as `cursor` for the next page. After each month (UTC) in which the balance
        changed, the workspace gets one: its payments with their tax, which are paid already, and what the credit was
        used for. Its sums are those of the statement. It is never changed, its event is `invoice.issued`, and it is
        mailed to the `email` of the billing details.
        """
        return cast("_t.InvoicePage", (self._transport.send("GET", "/platform/v1/billing/invoices", query={"limit": limit, "cursor": cursor})).data)

    def iter_platform_billing_invoices(self, *, limit: int | None = None) -> Iterator[_t.InvoicePageItem]:
        """List invoices: all items, over all pages."""
        return self._transport.iterate("/platform/v1/billing/invoices", "data", "cursor", "next_cursor", query={"limit": limit})

    def get_platform_billing_invoices_invoice_id(self, invoice_id: str) -> _t.Invoice:
        """Read an invoice"""
        return cast("_t.Invoice", (self._transport.send("GET", self._transport.path("/platform/v1/billing/invoices/{invoice_id}", invoice_id=invoice_id))).data)

    def get_platform_billing_invoices_invoice_id_pdf(self, invoice_id: str) -> bytes:
        """
        Download an invoice

        A PDF.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/platform/v1/billing/invoices/{invoice_id}/pdf", invoice_id=invoice_id), expect="bytes")).data)

    def get_platform_alerts(self) -> _t.AlertList:
        """
        List alerts

        Budgets and warnings of how long the balance lasts, each with what it watches now.
        """
        return cast("_t.AlertList", (self._transport.send("GET", "/platform/v1/alerts")).data)

    def post_platform_alerts(self, body: _t.NewAlert, *, idempotency_key: str | None = None) -> _t.Alert:
        """
        Create an alert

        `spend` watches a budget of the workspace or of a key, `runway` how long the balance lasts. An alert stops
        nothing: the `spend_limit` of a key does. It is checked once a minute, and each percentage is told of once in
        a period: by the events `alert.spend_reached` and `alert.runway_short`, and by mail. At most 50 for each
        workspace.
        """
        return cast("_t.Alert", (self._transport.send("POST", "/platform/v1/alerts", json=body, idempotency_key=idempotency_key)).data)

    def get_platform_alerts_alert_id(self, alert_id: str) -> _t.Alert:
        """Read an alert"""
        return cast("_t.Alert", (self._transport.send("GET", self._transport.path("/platform/v1/alerts/{alert_id}", alert_id=alert_id))).data)

    def patch_platform_alerts_alert_id(self, alert_id: str, body: _t.AlertChange) -> _t.Alert:
        """
        Change an alert

        Changes what is sent. What was told in this period is not told again, unless it has to be reached anew.
        """
        return cast("_t.Alert", (self._transport.send("PATCH", self._transport.path("/platform/v1/alerts/{alert_id}", alert_id=alert_id), json=body)).data)

    def delete_platform_alerts_alert_id(self, alert_id: str) -> _t.DeletedAlert:
        """Delete an alert"""
        return cast("_t.DeletedAlert", (self._transport.send("DELETE", self._transport.path("/platform/v1/alerts/{alert_id}", alert_id=alert_id))).data)

    def get_platform_flow_rules(self) -> _t.FlowRuleList:
        """
        List flow rules

        What the workspace wants of its runs of an agent: how many at once, and how many in a period.
        """
        return cast("_t.FlowRuleList", (self._transport.send("GET", "/platform/v1/flow-rules")).data)

    def post_platform_flow_rules(self, body: _t.NewFlowRule, *, idempotency_key: str | None = None) -> _t.FlowRule:
        """
        Create a flow rule

        It holds for runs ordered from now on, by every door and by schedules. Runs that an agent starts by
        `call_agent` belong to the run above them. One for each agent, at most 100 for each workspace.
        """
        return cast("_t.FlowRule", (self._transport.send("POST", "/platform/v1/flow-rules", json=body, idempotency_key=idempotency_key)).data)

    def get_platform_flow_rules_flow_rule_id(self, flow_rule_id: str) -> _t.FlowRule:
        """Read a flow rule"""
        return cast("_t.FlowRule", (self._transport.send("GET", self._transport.path("/platform/v1/flow-rules/{flow_rule_id}", flow_rule_id=flow_rule_id))).data)

    def patch_platform_flow_rules_flow_rule_id(self, flow_rule_id: str, body: _t.FlowRuleChange) -> _t.FlowRule:
        """
        Change a flow rule

        Replaces what is sent. A new limit or period holds at once, also for runs that wait; a new key for runs
        ordered from now on.
        """
        return cast("_t.FlowRule", (self._transport.send("PATCH", self._transport.path("/platform/v1/flow-rules/{flow_rule_id}", flow_rule_id=flow_rule_id), json=body)).data)

    def delete_platform_flow_rules_flow_rule_id(self, flow_rule_id: str) -> _t.DeletedFlowRule:
        """
        Delete a flow rule

        Runs that wait only for it start.
        """
        return cast("_t.DeletedFlowRule", (self._transport.send("DELETE", self._transport.path("/platform/v1/flow-rules/{flow_rule_id}", flow_rule_id=flow_rule_id))).data)

    def get_platform_projects(self) -> _t.ProjectList:
        """
        List projects

        The default project, then the others, the oldest first. A key of a project, and a member who is limited to
        projects, see those alone: also of keys, requests, usage and runs.
        """
        return cast("_t.ProjectList", (self._transport.send("GET", "/platform/v1/projects")).data)

    def post_platform_projects(self, body: _t.NewProject, *, idempotency_key: str | None = None) -> _t.Project:
        """
        Create a project

        A part of the workspace with keys, usage and a ceiling of its own. A key belongs to one project, and each call
        to the project that its key had when it was made. The balance stays that of the workspace. At most 500 for
        each workspace, archived ones included; test mode has its own.
        """
        return cast("_t.Project", (self._transport.send("POST", "/platform/v1/projects", json=body, idempotency_key=idempotency_key)).data)

    def get_platform_projects_project_id(self, project_id: str) -> _t.Project:
        """Read a project"""
        return cast("_t.Project", (self._transport.send("GET", self._transport.path("/platform/v1/projects/{project_id}", project_id=project_id))).data)

    def patch_platform_projects_project_id(self, project_id: str, body: _t.ProjectChange) -> _t.Project:
        """
        Change, archive or restore a project

        Changes what is sent. With `status` `archived`, its keys are refused within a second: 401 `project_archived`.
        What it used stays readable, and `active` restores it. Projects are never deleted.
        """
        return cast("_t.Project", (self._transport.send("PATCH", self._transport.path("/platform/v1/projects/{project_id}", project_id=project_id), json=body)).data)

    def get_platform_test_clock(self) -> _t.TestClock:
        """Read the clock of the test workspace"""
        return cast("_t.TestClock", (self._transport.send("GET", "/platform/v1/test_clock")).data)

    def post_platform_test_clock_advance(self, body: _t.ClockBody, *, idempotency_key: str | None = None) -> _t.TestClock:
        """
        Move the clock of the test workspace ahead

        By `seconds`, or `to` a time; never back. The days and months of spend limits, the expiry of keys, files,
        quotes and client secrets, the windows of batches, the waits of runs, the attempts of webhooks, schedules, the
        notice of more expensive versions and the steps of rollouts follow it. When nothing is due until then, the
        answer is `ready`. Otherwise it is `advancing`: the clock goes from one due time to the next, and waits at
        each until the runs and deliveries that it has woken are done. Answers, calls, runs, payments, ledger entries
        and events have its times, and statements, usage and the overview its months and days. The root of a day is
        signed once the real day is over.
        """
        return cast("_t.TestClock", (self._transport.send("POST", "/platform/v1/test_clock/advance", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_platform_billing_checkout(self, body: _t.CheckoutBody, *, idempotency_key: str | None = None) -> _t.CheckoutSession:
        """
        Pay into the balance

        Answers with the address of a payment page. The credit is on the balance when the payment has cleared: with a
        card at once, with a bank transfer days later. With a test key it is paid at once with test money; amounts
        that end with .02, .41 or .51 are declined (402 `card_declined`). Where the installation adds tax, the page
        asks for the address and the tax number, and the balance gets the amount without the tax.
        """
        return cast("_t.CheckoutSession", (self._transport.send("POST", "/platform/v1/billing/checkout", json=body, idempotency_key=idempotency_key)).data)

    def post_platform_billing_card(self, body: _t.CardBody | None = None, *, idempotency_key: str | None = None) -> _t.CardSession:
        """
        Save a card for later payments

        Answers with the address of a page that saves a card for the workspace. With `auto_topup` the card pays by
        itself when the balance is low: one payment at a time, never above the cap of a month. It is set when the card
        is saved; until then nothing changes. A card that is declined is asked again after 1, 6, 24 and 72 hours, then
        no more.
        """
        return cast("_t.CardSession", (self._transport.send("POST", "/platform/v1/billing/card", json=body, idempotency_key=idempotency_key)).data)

    def post_platform_billing_stripe_webhook(self, *, idempotency_key: str | None = None) -> _t.WebhookAnswer:
        """
        Receive an event of Stripe

        For Stripe alone, which signs it. Subscribe the endpoint to checkout.session.completed,
        checkout.session.async_payment_succeeded, checkout.session.async_payment_failed, checkout.session.expired,
        payment_intent.succeeded, payment_intent.payment_failed, payment_intent.canceled, charge.succeeded,
        charge.updated, charge.refunded, refund.created, refund.updated, refund.failed, charge.dispute.created,
        charge.dispute.updated, charge.dispute.closed, charge.dispute.funds_withdrawn,
        charge.dispute.funds_reinstated, setup_intent.succeeded, payment_method.detached, customer.deleted.
        """
        return cast("_t.WebhookAnswer", (self._transport.send("POST", "/platform/v1/billing/stripe/webhook", idempotency_key=idempotency_key, repeatable=False)).data)

    def get_platform_billing_statement(self, *, month: str | None = None) -> _t.AccountStatement:
        """
        Read the statement of a month

        How the balance moved in a month (UTC), and the spend by product: exact, as the ledger has it. As JSON, CSV or
        PDF; or as lines of JSON with every entry, the hashes and the signed roots, which `statements.verify` of the
        clients checks offline.
        """
        return cast("_t.AccountStatement", (self._transport.send("GET", "/platform/v1/billing/statement", query={"month": month})).data)

    def get_platform_billing_statement_as(self, *, month: str | None = None, format: Literal["json", "csv", "pdf", "jsonl"]) -> bytes:
        """
        Read the statement of a month

        How the balance moved in a month (UTC), and the spend by product: exact, as the ledger has it. As JSON, CSV or
        PDF; or as lines of JSON with every entry, the hashes and the signed roots, which `statements.verify` of the
        clients checks offline.
        """
        return cast("bytes", (self._transport.send("GET", "/platform/v1/billing/statement", query={"month": month, "format": format}, expect="bytes")).data)

    def get_platform_receipts_request_id(self, request_id: str) -> _t.Receipt:
        """
        Prove what something cost

        Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, or of an entry
        of the ledger (`le_…`). Each entry comes with the proof that it is in the ledger’s signed root of its day,
        which is due five minutes after midnight (UTC). `receipts.verify` of the clients checks it offline.
        """
        return cast("_t.Receipt", (self._transport.send("GET", self._transport.path("/platform/v1/receipts/{request_id}", request_id=request_id))).data)

    def get_platform_billing_topups(self, *, limit: int | None = None, cursor: str | None = None) -> _t.TopupPage:
        """
        List payments into the balance

        Newest first, with what was refunded or disputed of each, and its receipt.
        """
        return cast("_t.TopupPage", (self._transport.send("GET", "/platform/v1/billing/topups", query={"limit": limit, "cursor": cursor})).data)

    def iter_platform_billing_topups(self, *, limit: int | None = None) -> Iterator[_t.TopupPageItem]:
        """List payments into the balance: all items, over all pages."""
        return self._transport.iterate("/platform/v1/billing/topups", "data", "cursor", "next_cursor", query={"limit": limit})

    def get_platform_billing_auto_topup(self) -> _t.AutoTopup:
        """Read the automatic top-up"""
        return cast("_t.AutoTopup", (self._transport.send("GET", "/platform/v1/billing/auto_topup")).data)

    def patch_platform_billing_auto_topup(self, body: _t.AutoTopupChange) -> _t.AutoTopup:
        """
        Change or stop the automatic top-up

        Changes what is sent; `enabled: false` stops it. Earlier declines are forgotten. 409 `no_card` before a card
        is saved: `POST /platform/v1/billing/card`. Where tax is added, 409 `billing_details_required` before the
        billing details have a country.
        """
        return cast("_t.AutoTopup", (self._transport.send("PATCH", "/platform/v1/billing/auto_topup", json=body)).data)

    def stream_platform_events(self, *, types: str | list[str] | None = None, starting_after: str | None = None) -> EventStream[_t.Event]:
        """
        Follow the events of the workspace

        A stream of server-sent events: those that webhooks deliver, each once and in order, with the same bodies,
        within about a second. It begins with what happens after the request, or after the event with the id in the
        header `Last-Event-ID`, without a gap, for 30 days; `0` is before the oldest one kept. It does not end by
        itself: reconnect with the last id when the connection is lost. At most 50 streams of a workspace at each
        process of the API, and as many of a key as its concurrency limit: 429 names the limit.
        """
        return EventStream(self._transport, "/platform/v1/events/stream", query={"types": types}, starting_after=starting_after)

    def get_platform_events_event_id(self, event_id: str) -> _t.Event:
        """
        Read an event

        Kept for 30 days. With the scope `manage` any event, with `publisher` those of agents and payouts, with
        `agents` those of runs.
        """
        return cast("_t.Event", (self._transport.send("GET", self._transport.path("/platform/v1/events/{event_id}", event_id=event_id))).data)

    def get_platform_webhook_endpoints(self, *, limit: int | None = None, cursor: str | None = None) -> _t.WebhookEndpointPage:
        """List webhook endpoints"""
        return cast("_t.WebhookEndpointPage", (self._transport.send("GET", "/platform/v1/webhook_endpoints", query={"limit": limit, "cursor": cursor})).data)

    def iter_platform_webhook_endpoints(self, *, limit: int | None = None) -> Iterator[_t.WebhookEndpoint]:
        """List webhook endpoints: all items, over all pages."""
        return self._transport.iterate("/platform/v1/webhook_endpoints", "data", "cursor", "next_cursor", query={"limit": limit})

    def post_platform_webhook_endpoints(self, body: _t.NewWebhookEndpoint, *, idempotency_key: str | None = None) -> _t.CreatedWebhookEndpoint:
        """
        Create a webhook endpoint

        Events are posted to it as JSON, signed as Standard Webhooks say; the body is at most 256 KiB. The secret is
        in this answer and nowhere else. At most 20 for each workspace. `run.requires_action`: A run waits for an
        answer or a higher limit. `run.completed`: A run ended with its result. `run.failed`: A run failed.
        `run.cancelled`: A run was cancelled. `run.limit_reached`: A run ended at one of its limits.
        `schedule.paused`: The platform paused a schedule, because its runs cannot be created. `batch.completed`: A
        batch ended, and its output is ready. `batch.failed`: The input of a batch was not valid. `batch.expired`: A
        batch did not end within its completion window; what was ready is in its output. `batch.cancelled`: A batch
        was cancelled; what was ready is in its output. `deployment.approved`: A submission was approved and is
        public, or `scheduled` until the notice of its price is over. `deployment.changes_requested`: A reviewer asks
        for changes. `deployment.rejected`: A submission was rejected. `deployment.withdrawn`: A submission was
        withdrawn. `deployment.suspended`: A public version was suspended. `deployment.reinstated`: A suspended
        version is public again. `deployment.rollout_advanced`: A version that is rolled out has passed a step: more
        new sessions get it. `deployment.rollout_completed`: A version that was rolled out is what runs get that name
        no version. `deployment.rolled_back`: A version that was rolled out was taken back, or a former version is
        public again. `agent.failing`: An agent of the workspace fails, by an alert that its publisher set.
        `agent.recovered`: An agent that failed by an alert does so no longer. `agent.run_shared`: A caller lets the
        publisher read a run of its agent. `agent.price_increase`: An agent that the workspace ran lately gets a more
        expensive version. `agent.channel_moved`: A channel of an agent of the workspace points at another version, or
        will. `agent.taken_down`: An agent that the workspace ran lately was taken down: new orders are refused.
        `agent.deprecated`: An agent that the workspace ran lately will stop taking orders. `agent.restored`: An agent
        that was taken down or deprecated takes orders again. `payout.sent`: A transfer of earnings was sent.
        `payout.rejected`: A transfer of earnings was rejected: the money is among the earnings again. `balance.low`:
        The balance fell below the threshold. `balance.depleted`: The balance is used up: calls are refused.
        `alert.spend_reached`: A workspace or a key has spent a part of a budget that someone set.
        `alert.runway_short`: The balance lasts less long than someone wants to be told of. `invoice.issued`: The
        invoice of a month was issued. `topup.succeeded`: A payment is on the balance. `topup.failed`: A payment was
        declined: an automatic one, or one that a bank had still to make. `audit.entry_recorded`: Something was done
        that the audit of the workspace keeps: recorded while an endpoint names this type.
        `workspace.erasure_ordered`: The workspace will be erased: its keys have ended. `workspace.erasure_cancelled`:
        The workspace is not erased: the keys that the order ended work again. `key.created`: A key was made.
        `key.revoked`: A key was revoked. `key.spend_threshold`: A key has spent 80 % of its limit in this period.
        `key.limit_reached`: A key has reached its spend limit: its calls are refused until the period ends.
        """
        return cast("_t.CreatedWebhookEndpoint", (self._transport.send("POST", "/platform/v1/webhook_endpoints", json=body, idempotency_key=idempotency_key)).data)

    def get_platform_webhook_endpoints_endpoint_id(self, endpoint_id: str) -> _t.WebhookEndpoint:
        """Read a webhook endpoint"""
        return cast("_t.WebhookEndpoint", (self._transport.send("GET", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}", endpoint_id=endpoint_id))).data)

    def patch_platform_webhook_endpoints_endpoint_id(self, endpoint_id: str, body: _t.WebhookEndpointChange) -> _t.WebhookEndpoint:
        """
        Change a webhook endpoint

        Changes what is sent. Disabling it ends its waiting deliveries; enabling it does not send them.
        """
        return cast("_t.WebhookEndpoint", (self._transport.send("PATCH", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}", endpoint_id=endpoint_id), json=body)).data)

    def delete_platform_webhook_endpoints_endpoint_id(self, endpoint_id: str) -> _t.DeletedWebhookEndpoint:
        """
        Delete a webhook endpoint

        Its waiting deliveries end.
        """
        return cast("_t.DeletedWebhookEndpoint", (self._transport.send("DELETE", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}", endpoint_id=endpoint_id))).data)

    def post_platform_webhook_endpoints_endpoint_id_rotate_secret(self, endpoint_id: str, *, idempotency_key: str | None = None) -> _t.RotatedWebhookEndpoint:
        """
        Rotate the secret of a webhook endpoint

        The new secret is in this answer and nowhere else. For 24 hours each delivery has a signature of the earlier
        one too, so that a receiver can change it without a gap.
        """
        return cast("_t.RotatedWebhookEndpoint", (self._transport.send("POST", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}/rotate_secret", endpoint_id=endpoint_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_platform_webhook_endpoints_endpoint_id_test(self, endpoint_id: str, *, idempotency_key: str | None = None) -> _t.Event:
        """
        Send a test event to a webhook endpoint

        Answers with the event, which is sent once. Its delivery is in the list of deliveries.
        """
        return cast("_t.Event", (self._transport.send("POST", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}/test", endpoint_id=endpoint_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def get_platform_webhook_endpoints_endpoint_id_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        event_id: str | None = None,
        status: Literal["pending", "delivered", "failed", "cancelled"] | None = None,
    ) -> _t.WebhookDeliveryPage:
        """
        List the deliveries of a webhook endpoint

        Newest first, with each attempt and its answer. Kept for 30 days.
        """
        return cast("_t.WebhookDeliveryPage", (self._transport.send("GET", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}/deliveries", endpoint_id=endpoint_id), query={"limit": limit, "cursor": cursor, "event_id": event_id, "status": status})).data)

    def iter_platform_webhook_endpoints_endpoint_id_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        event_id: str | None = None,
        status: Literal["pending", "delivered", "failed", "cancelled"] | None = None,
    ) -> Iterator[_t.ListedWebhookDelivery]:
        """List the deliveries of a webhook endpoint: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}/deliveries", endpoint_id=endpoint_id), "data", "cursor", "next_cursor", query={"limit": limit, "event_id": event_id, "status": status})

    def get_platform_webhook_endpoints_endpoint_id_deliveries_delivery_id(self, endpoint_id: str, delivery_id: str) -> _t.ListedWebhookDelivery:
        """
        Read a delivery of a webhook endpoint

        With each attempt and its answer, as the list has it.
        """
        return cast("_t.ListedWebhookDelivery", (self._transport.send("GET", self._transport.path("/platform/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}", endpoint_id=endpoint_id, delivery_id=delivery_id))).data)

    def get_platform_events(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        type: Literal["run.requires_action", "run.completed", "run.failed", "run.cancelled", "run.limit_reached", "schedule.paused", "batch.completed", "batch.failed", "batch.expired", "batch.cancelled", "deployment.approved", "deployment.changes_requested", "deployment.rejected", "deployment.withdrawn", "deployment.suspended", "deployment.reinstated", "deployment.rollout_advanced", "deployment.rollout_completed", "deployment.rolled_back", "agent.failing", "agent.recovered", "agent.run_shared", "agent.price_increase", "agent.channel_moved", "agent.taken_down", "agent.deprecated", "agent.restored", "payout.sent", "payout.rejected", "balance.low", "balance.depleted", "alert.spend_reached", "alert.runway_short", "invoice.issued", "topup.succeeded", "topup.failed", "audit.entry_recorded", "workspace.erasure_ordered", "workspace.erasure_cancelled", "key.created", "key.revoked", "key.spend_threshold", "key.limit_reached"] | Literal["webhook_endpoint.test"] | None = None,
    ) -> _t.WorkspaceEventPage:
        """
        List events

        Those that webhooks deliver, newest first. Kept for 30 days.
        """
        return cast("_t.WorkspaceEventPage", (self._transport.send("GET", "/platform/v1/events", query={"limit": limit, "cursor": cursor, "type": type})).data)

    def iter_platform_events(
        self,
        *,
        limit: int | None = None,
        type: Literal["run.requires_action", "run.completed", "run.failed", "run.cancelled", "run.limit_reached", "schedule.paused", "batch.completed", "batch.failed", "batch.expired", "batch.cancelled", "deployment.approved", "deployment.changes_requested", "deployment.rejected", "deployment.withdrawn", "deployment.suspended", "deployment.reinstated", "deployment.rollout_advanced", "deployment.rollout_completed", "deployment.rolled_back", "agent.failing", "agent.recovered", "agent.run_shared", "agent.price_increase", "agent.channel_moved", "agent.taken_down", "agent.deprecated", "agent.restored", "payout.sent", "payout.rejected", "balance.low", "balance.depleted", "alert.spend_reached", "alert.runway_short", "invoice.issued", "topup.succeeded", "topup.failed", "audit.entry_recorded", "workspace.erasure_ordered", "workspace.erasure_cancelled", "key.created", "key.revoked", "key.spend_threshold", "key.limit_reached"] | Literal["webhook_endpoint.test"] | None = None,
    ) -> Iterator[_t.Event]:
        """List events: all items, over all pages."""
        return self._transport.iterate("/platform/v1/events", "data", "cursor", "next_cursor", query={"limit": limit, "type": type})

    def post_platform_events_event_id_redeliver(self, event_id: str, body: _t.Redelivery | None = None, *, idempotency_key: str | None = None) -> _t.WebhookDeliveryList:
        """
        Deliver an event again

        Also one that was delivered before. It has the same id. Answers with the deliveries that begin: several
        requests at once may be one attempt, of which `merged` tells.
        """
        return cast("_t.WebhookDeliveryList", (self._transport.send("POST", self._transport.path("/platform/v1/events/{event_id}/redeliver", event_id=event_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_runs(self, body: _t.RunOrder, *, prefer: str | None = None, idempotency_key: str | None = None) -> _t.Run:
        """
        Start a run of an agent

        Answers 202 with the run and where to follow it. With `Prefer: wait=30` it waits for the end, at most 60
        seconds, and answers 200 when it came; with `stream` it answers with the run’s events. The most that the run
        can cost is set aside until it ends. Send an `Idempotency-Key` to be able to try again without starting a
        second run.
        """
        return cast("_t.Run", (self._transport.send("POST", "/v1/runs", json=body, headers={"Prefer": prefer}, idempotency_key=idempotency_key)).data)

    def get_runs(
        self,
        *,
        agent: str | None = None,
        version: str | None = None,
        session_id: str | None = None,
        schedule_id: str | None = None,
        parent_run_id: str | None = None,
        source: Literal["api", "chat", "workstream", "schedule", "agent", "test"] | None = None,
        user: str | None = None,
        status: Literal["queued", "in_progress", "requires_action", "cancelling", "completed", "limit_reached", "cancelled", "failed"] | None = None,
        fault: Literal["platform", "provider", "agent", "caller"] | None = None,
        error_code: str | None = None,
        error: str | None = None,
        metadata: dict[str, Any] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> _t.RunPage:
        """
        List the workspace’s runs

        Newest first. Send `next_cursor` as `cursor` for the next page.
        """
        return cast("_t.RunPage", (self._transport.send("GET", "/v1/runs", query={"agent": agent, "version": version, "session_id": session_id, "schedule_id": schedule_id, "parent_run_id": parent_run_id, "source": source, "user": user, "status": status, "fault": fault, "error_code": error_code, "error": error, "metadata": metadata, "from": from_, "to": to, "limit": limit, "cursor": cursor})).data)

    def iter_runs(
        self,
        *,
        agent: str | None = None,
        version: str | None = None,
        session_id: str | None = None,
        schedule_id: str | None = None,
        parent_run_id: str | None = None,
        source: Literal["api", "chat", "workstream", "schedule", "agent", "test"] | None = None,
        user: str | None = None,
        status: Literal["queued", "in_progress", "requires_action", "cancelling", "completed", "limit_reached", "cancelled", "failed"] | None = None,
        fault: Literal["platform", "provider", "agent", "caller"] | None = None,
        error_code: str | None = None,
        error: str | None = None,
        metadata: dict[str, Any] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
    ) -> Iterator[_t.Run]:
        """List the workspace’s runs: all items, over all pages."""
        return self._transport.iterate("/v1/runs", "data", "cursor", "next_cursor", query={"agent": agent, "version": version, "session_id": session_id, "schedule_id": schedule_id, "parent_run_id": parent_run_id, "source": source, "user": user, "status": status, "fault": fault, "error_code": error_code, "error": error, "metadata": metadata, "from": from_, "to": to, "limit": limit})

    def post_runs_quote(self, body: _t.RunOrder, *, idempotency_key: str | None = None) -> _t.RunQuote:
        """
        Ask what a run will cost

        Takes the body of `POST /v1/runs`, and starts nothing. Answers half and nine tenths of what earlier runs would
        cost at today’s price, and the most that this one may cost. The price list holds for 15 minutes: `POST
        /v1/runs` with the quote’s id as `quote_id` runs the same version at it, also when a more expensive one has
        gone live. Runs of other workspaces count only together with those of enough others.
        """
        return cast("_t.RunQuote", (self._transport.send("POST", "/v1/runs/quote", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_runs_totals(
        self,
        *,
        agent: str | None = None,
        version: str | None = None,
        session_id: str | None = None,
        schedule_id: str | None = None,
        parent_run_id: str | None = None,
        source: Literal["api", "chat", "workstream", "schedule", "agent", "test"] | None = None,
        user: str | None = None,
        status: Literal["queued", "in_progress", "requires_action", "cancelling", "completed", "limit_reached", "cancelled", "failed"] | None = None,
        fault: Literal["platform", "provider", "agent", "caller"] | None = None,
        error_code: str | None = None,
        error: str | None = None,
        metadata: dict[str, Any] | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> _t.RunTotals:
        """
        Count the workspace’s runs, and sum up their cost

        Of the same runs as the list has with the same filters.
        """
        return cast("_t.RunTotals", (self._transport.send("GET", "/v1/runs/totals", query={"agent": agent, "version": version, "session_id": session_id, "schedule_id": schedule_id, "parent_run_id": parent_run_id, "source": source, "user": user, "status": status, "fault": fault, "error_code": error_code, "error": error, "metadata": metadata, "from": from_, "to": to})).data)

    def get_runs_run_id(self, run_id: str) -> _t.Run:
        """
        Read a run

        With the answer’s `ETag` in `If-None-Match`, a run that has not moved answers 304.
        """
        return cast("_t.Run", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}", run_id=run_id))).data)

    def delete_runs_run_id(self, run_id: str) -> _t.Deleted:
        """
        Delete a run that has ended

        Deletes its input, output, steps, events and feedback. Its bill stays, and so do the files of its session.
        Without this they are deleted 30 days after the run has ended; until then nothing is. A run that has not ended
        answers 409 `run_not_terminal`.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/runs/{run_id}", run_id=run_id))).data)

    def get_runs_run_id_events(
        self,
        run_id: str,
        *,
        starting_after: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        include: str | None = None,
    ) -> _t.EventPage | None:
        """
        Follow what happens in a run

        A stream of server-sent events until the run has ended: from the first one, or after the id in the header
        `Last-Event-ID` or in `starting_after`. A reader that has the last event already is answered 204. Closing the
        stream does not stop the run.
        """
        return cast("_t.EventPage | None", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}/events", run_id=run_id), query={"starting_after": starting_after, "cursor": cursor, "limit": limit, "include": include})).data)

    def get_runs_run_id_steps(self, run_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.RunStepPage:
        """
        List the steps of a run

        In order: each call of the model, and each use of a tool, with its arguments, state, attempt, times, tokens,
        cost and the beginning of its result. A step that waits for its next attempt has `retry_at`.
        """
        return cast("_t.RunStepPage", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}/steps", run_id=run_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_runs_run_id_steps(self, run_id: str, *, limit: int | None = None) -> Iterator[_t.RunStepPageItem]:
        """List the steps of a run: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/runs/{run_id}/steps", run_id=run_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def get_runs_run_id_steps_step_id(self, run_id: str, step_id: str) -> _t.RunStep:
        """
        Read a step of a run

        With its whole arguments and result. The workspace that published the agent also sees the instructions of its
        model.
        """
        return cast("_t.RunStep", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}/steps/{step_id}", run_id=run_id, step_id=step_id))).data)

    def post_runs_replay_quote(self, body: _t.ReplayOrder, *, idempotency_key: str | None = None) -> _t.ReplayQuote:
        """
        Ask what repeating failed runs will cost

        Takes the body of `POST /v1/runs/replay`, and starts nothing.
        """
        return cast("_t.ReplayQuote", (self._transport.send("POST", "/v1/runs/replay/quote", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_runs_replay(self, body: _t.ReplayOrder, *, idempotency_key: str | None = None) -> _t.Replay:
        """
        Repeat failed runs

        Repeats ended runs that fit the filters from their start, the newest first, up to `limit` in one call: with
        their input, metadata, limits and webhook, at today’s price. Each run is repeated once, however often this is
        called: go on with `next_cursor` until `has_more` is false. Runs that other runs have started are repeated by
        those. Ask for a quote first.
        """
        return cast("_t.Replay", (self._transport.send("POST", "/v1/runs/replay", json=body, idempotency_key=idempotency_key)).data)

    def post_runs_run_id_rerun(
        self,
        run_id: str,
        body: _t.RerunOrder,
        *,
        prefer: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.Run:
        """
        Run again from a step

        A new run that reuses the results of the steps before `from_step`, and runs the others anew, also with another
        input or version of the agent. Reused steps cost nothing, unless the repeated run failed and so was not
        billed: then the new run pays for them when it begins, shows them from then on, and needs a `max_cost_usd`
        above their cost, and no cheaper version. The run that is repeated must have ended; it stays as it is. The new
        run works in a copy of its session: the conversation before it, and the files with the contents that they had
        before that step, under their present names. A run that has not ended answers 409 `run_not_terminal`; one
        whose content or session was deleted, 410 `content_deleted`. Otherwise as `POST /v1/runs`.
        """
        return cast("_t.Run", (self._transport.send("POST", self._transport.path("/v1/runs/{run_id}/rerun", run_id=run_id), json=body, headers={"Prefer": prefer}, idempotency_key=idempotency_key)).data)

    def get_runs_run_id_compare(self, run_id: str, *, with_: str | None = None) -> _t.RunComparison:
        """
        Compare two runs

        The steps of both side by side, paired by model and tool: `same`, `changed`, or in one of them only. With
        their outputs, tokens, costs and times. For example a rerun beside the run that it repeats.
        """
        return cast("_t.RunComparison", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}/compare", run_id=run_id), query={"with": with_})).data)

    def post_runs_run_id_cancel(self, run_id: str, body: _t.RunCancellation | None = None, *, idempotency_key: str | None = None) -> _t.Run:
        """
        Cancel a run

        A run that has not begun costs nothing; another one is billed for what it consumed. 202; 200 when it was
        cancelled before.
        """
        return cast("_t.Run", (self._transport.send("POST", self._transport.path("/v1/runs/{run_id}/cancel", run_id=run_id), json=body, idempotency_key=idempotency_key)).data)

    def post_sessions_session_id_cancel(
        self,
        session_id: str,
        body: _t.RunCancellation | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> _t.RunPage:
        """
        Cancel every run of a session

        202 with the runs that had not ended.
        """
        return cast("_t.RunPage", (self._transport.send("POST", self._transport.path("/v1/sessions/{session_id}/cancel", session_id=session_id), json=body, idempotency_key=idempotency_key)).data)

    def post_runs_run_id_input(self, run_id: str, body: _t.RunAnswer, *, idempotency_key: str | None = None) -> _t.Run:
        """
        Answer what a run waits for

        For a run in `requires_action`: a text or a form for its question, the decision about a tool’s call, or a
        higher limit so that it goes on. Several actions can be answered together, by `answers`, or one after the
        other; the run goes on when none is open. The same answer to the same `step_id` again changes nothing. A run
        that waits for what a plugin needs goes on when it is given: `required_action` has the way.
        """
        return cast("_t.Run", (self._transport.send("POST", self._transport.path("/v1/runs/{run_id}/input", run_id=run_id), json=body, idempotency_key=idempotency_key)).data)

    def get_runs_run_id_feedback(self, run_id: str) -> _t.RunFeedback:
        """
        Read your feedback on a run

        Null when there is none.
        """
        return cast("_t.RunFeedback", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}/feedback", run_id=run_id))).data)

    def put_runs_run_id_feedback(self, run_id: str, body: _t.FeedbackOrder) -> _t.RunFeedback:
        """Give feedback on a run"""
        return cast("_t.RunFeedback", (self._transport.send("PUT", self._transport.path("/v1/runs/{run_id}/feedback", run_id=run_id), json=body)).data)

    def delete_runs_run_id_feedback(self, run_id: str) -> None:
        """Take your feedback back"""
        self._transport.send("DELETE", self._transport.path("/v1/runs/{run_id}/feedback", run_id=run_id))

    def get_usage(self, *, range: Literal["7d", "30d", "90d"] | None = None) -> _t.WorkspaceUsage:
        """Read what the workspace’s runs cost"""
        return cast("_t.WorkspaceUsage", (self._transport.send("GET", "/v1/usage", query={"range": range})).data)

    def get_runs_run_id_share(self, run_id: str) -> _t.RunShare:
        """Read whether a run is shared"""
        return cast("_t.RunShare", (self._transport.send("GET", self._transport.path("/v1/runs/{run_id}/share", run_id=run_id))).data)

    def post_runs_run_id_share(self, run_id: str, body: _t.RunShareOrder, *, idempotency_key: str | None = None) -> _t.RunShare:
        """
        Share a run with its agent’s publisher

        Without it, a publisher sees status, times, tokens and cost of a run, and nothing that you sent or got. With
        it they read the input, the output and the steps of this run, for some days: not the files, and no other run.
        It can be revoked, is in the audit, and does not name you. For an ended run of another workspace’s agent;
        again, it counts the days anew.
        """
        return cast("_t.RunShare", (self._transport.send("POST", self._transport.path("/v1/runs/{run_id}/share", run_id=run_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def delete_runs_run_id_share(self, run_id: str) -> _t.RunShare:
        """Stop sharing a run"""
        return cast("_t.RunShare", (self._transport.send("DELETE", self._transport.path("/v1/runs/{run_id}/share", run_id=run_id))).data)

    def post_schedules(self, body: _t.NewSchedule, *, idempotency_key: str | None = None) -> _t.Schedule:
        """
        Create a schedule of runs

        Each firing creates a run as POST /v1/runs does, paid by the key that made the schedule. A firing that cannot
        create its run is in `recent` with the reason. The service pauses a schedule, with the event
        `schedule.paused`, when its key is revoked, its agent is not available, or the balance did not cover
        `pause_after_misses` firings in a row. At most 100 for each workspace.
        """
        return cast("_t.Schedule", (self._transport.send("POST", "/v1/schedules", json=body, idempotency_key=idempotency_key)).data)

    def get_schedules(self, *, limit: int | None = None, cursor: str | None = None) -> _t.SchedulePage:
        """
        List schedules

        Newest first.
        """
        return cast("_t.SchedulePage", (self._transport.send("GET", "/v1/schedules", query={"limit": limit, "cursor": cursor})).data)

    def iter_schedules(self, *, limit: int | None = None) -> Iterator[_t.Schedule]:
        """List schedules: all items, over all pages."""
        return self._transport.iterate("/v1/schedules", "data", "cursor", "next_cursor", query={"limit": limit})

    def get_schedules_schedule_id(self, schedule_id: str) -> _t.Schedule:
        """Read a schedule"""
        return cast("_t.Schedule", (self._transport.send("GET", self._transport.path("/v1/schedules/{schedule_id}", schedule_id=schedule_id))).data)

    def patch_schedules_schedule_id(self, schedule_id: str, body: _t.ScheduleChange) -> _t.Schedule:
        """
        Change a schedule

        Changes what is sent; `run` is replaced as a whole. `cron` replaces `every_seconds`, and the reverse. A
        limited key changes, resumes and fires only schedules of its own and of the keys below it: 403
        `schedule_of_another_key`.
        """
        return cast("_t.Schedule", (self._transport.send("PATCH", self._transport.path("/v1/schedules/{schedule_id}", schedule_id=schedule_id), json=body)).data)

    def delete_schedules_schedule_id(self, schedule_id: str) -> _t.Deleted:
        """
        Delete a schedule

        Its runs go on.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/schedules/{schedule_id}", schedule_id=schedule_id))).data)

    def post_schedules_schedule_id_pause(self, schedule_id: str, body: _t.SchedulePause | None = None, *, idempotency_key: str | None = None) -> _t.Schedule:
        """
        Pause a schedule

        It does not fire until it is resumed; runs go on.
        """
        return cast("_t.Schedule", (self._transport.send("POST", self._transport.path("/v1/schedules/{schedule_id}/pause", schedule_id=schedule_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_schedules_schedule_id_resume(
        self,
        schedule_id: str,
        body: _t.ScheduleResumption | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> _t.Schedule:
        """Resume a schedule"""
        return cast("_t.Schedule", (self._transport.send("POST", self._transport.path("/v1/schedules/{schedule_id}/resume", schedule_id=schedule_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_schedules_schedule_id_trigger(self, schedule_id: str, *, idempotency_key: str | None = None) -> _t.Schedule:
        """
        Fire a schedule now

        Also a paused one; the overlap policy applies, and it counts as one of `remaining_runs`. The run is in
        `recent` a moment later. 503 while Temporal does not answer.
        """
        return cast("_t.Schedule", (self._transport.send("POST", self._transport.path("/v1/schedules/{schedule_id}/trigger", schedule_id=schedule_id), idempotency_key=idempotency_key)).data)

    def get_schedules_schedule_id_runs(self, schedule_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.RunPage:
        """
        List the runs of a schedule

        Newest first.
        """
        return cast("_t.RunPage", (self._transport.send("GET", self._transport.path("/v1/schedules/{schedule_id}/runs", schedule_id=schedule_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_schedules_schedule_id_runs(self, schedule_id: str, *, limit: int | None = None) -> Iterator[_t.Run]:
        """List the runs of a schedule: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/schedules/{schedule_id}/runs", schedule_id=schedule_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def post_voiceapi_text_to_speech_voice_id(
        self,
        voice_id: str,
        body: _t.VoiceSpeechRequest,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Speak a text with a voice

        Sends sound while it is made, in any `output_format`. Billed by characters. Headers: `request-id`,
        `history-item-id`, `character-cost`, `x-cost-usd`. When the balance does not cover the text: 402; with
        `x-allow-partial: true` the beginning is spoken.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/text-to-speech/{voice_id}", voice_id=voice_id), json=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def post_voiceapi_text_to_speech_voice_id_stream(
        self,
        voice_id: str,
        body: _t.VoiceSpeechRequest,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """Speak a text with a voice, as a stream"""
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/text-to-speech/{voice_id}/stream", voice_id=voice_id), json=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def post_voiceapi_text_to_speech_voice_id_with_timestamps(
        self,
        voice_id: str,
        body: _t.VoiceSpeechRequest,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> _t.TimedSpeech:
        """Speak a text, with the times of its characters"""
        return cast("_t.TimedSpeech", (self._transport.send("POST", self._transport.path("/voiceapi/v1/text-to-speech/{voice_id}/with-timestamps", voice_id=voice_id), json=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_voiceapi_text_to_speech_voice_id_stream_with_timestamps(
        self,
        voice_id: str,
        body: _t.VoiceSpeechRequest,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Speak a text, with times, as JSON lines

        After ten seconds of silence comes an empty line: skip it, as ElevenLabs’ clients do.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/text-to-speech/{voice_id}/stream/with-timestamps", voice_id=voice_id), json=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def post_voiceapi_speech_to_text(
        self,
        body: _t.HearingForm,
        *,
        enable_logging: Literal["true", "false"] | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> _t.HeardText:
        """
        Transcribe sound, word by word

        Billed by the decoded minutes. `diarize`, unless it is false, and `num_speakers` are refused.
        """
        return cast("_t.HeardText", (self._transport.send("POST", "/voiceapi/v1/speech-to-text", form=body, query={"enable_logging": enable_logging}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_voiceapi_speech_to_speech_voice_id(
        self,
        voice_id: str,
        body: _t.ConversionForm,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Convert speech to another voice

        Billed by the decoded seconds.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/speech-to-speech/{voice_id}", voice_id=voice_id), form=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def post_voiceapi_speech_to_speech_voice_id_stream(
        self,
        voice_id: str,
        body: _t.ConversionForm,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Convert speech to another voice

        Billed by the decoded seconds.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/speech-to-speech/{voice_id}/stream", voice_id=voice_id), form=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def post_voiceapi_voice_changer_voice_id(
        self,
        voice_id: str,
        body: _t.ConversionForm,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Convert speech to another voice

        Billed by the decoded seconds.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/voice-changer/{voice_id}", voice_id=voice_id), form=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def post_voiceapi_voice_changer_voice_id_stream(
        self,
        voice_id: str,
        body: _t.ConversionForm,
        *,
        output_format: Literal["mp3_22050_32", "mp3_24000_48", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192", "opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192", "pcm_8000", "wav_8000", "pcm_16000", "wav_16000", "pcm_22050", "wav_22050", "pcm_24000", "wav_24000", "pcm_32000", "wav_32000", "pcm_44100", "wav_44100", "pcm_48000", "wav_48000", "ulaw_8000", "alaw_8000"] | None = None,
        enable_logging: Literal["true", "false"] | None = None,
        optimize_streaming_latency: int | None = None,
        x_allow_partial: Literal["true", "false"] | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Convert speech to another voice

        Billed by the decoded seconds.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/voiceapi/v1/voice-changer/{voice_id}/stream", voice_id=voice_id), form=body, query={"output_format": output_format, "enable_logging": enable_logging, "optimize_streaming_latency": optimize_streaming_latency}, headers={"x-allow-partial": x_allow_partial}, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def get_voiceapi_voices(self) -> _t.VoiceList:
        """List the voices"""
        return cast("_t.VoiceList", (self._transport.send("GET", "/voiceapi/v1/voices")).data)

    def get_voiceapi_v2_voices(
        self,
        *,
        page_size: int | None = None,
        next_page_token: str | None = None,
        search: str | None = None,
        category: Literal["premade", "cloned", "generated", "professional", "famous", "high_quality"] | None = None,
        voice_type: Literal["personal", "community", "default", "workspace", "non-default", "non-community", "saved"] | None = None,
        voice_ids: str | list[str] | None = None,
        gender: str | None = None,
        accent: str | None = None,
        age: str | None = None,
        language: str | list[str] | None = None,
        use_cases: str | list[str] | None = None,
        sort: Literal["created_at_unix", "name"] | None = None,
        sort_direction: Literal["asc", "desc"] | None = None,
        include_total_count: Literal["true", "false"] | None = None,
        collection_id: str | None = None,
        fine_tuning_state: Literal["draft", "not_verified", "not_started", "queued", "fine_tuning", "fine_tuned", "failed", "delayed"] | None = None,
        high_quality: Literal["true", "false"] | None = None,
        include_custom_rates: Literal["true", "false"] | None = None,
        include_live_moderated: Literal["true", "false"] | None = None,
    ) -> _t.VoicePage:
        """
        Search the voices

        `voice_ids` may be OpenAI or ElevenLabs ids; the answer keeps the requested ids.
        """
        return cast("_t.VoicePage", (self._transport.send("GET", "/voiceapi/v2/voices", query={"page_size": page_size, "next_page_token": next_page_token, "search": search, "category": category, "voice_type": voice_type, "voice_ids": voice_ids, "gender": gender, "accent": accent, "age": age, "language": language, "use_cases": use_cases, "sort": sort, "sort_direction": sort_direction, "include_total_count": include_total_count, "collection_id": collection_id, "fine_tuning_state": fine_tuning_state, "high_quality": high_quality, "include_custom_rates": include_custom_rates, "include_live_moderated": include_live_moderated})).data)

    def iter_voiceapi_v2_voices(
        self,
        *,
        page_size: int | None = None,
        search: str | None = None,
        category: Literal["premade", "cloned", "generated", "professional", "famous", "high_quality"] | None = None,
        voice_type: Literal["personal", "community", "default", "workspace", "non-default", "non-community", "saved"] | None = None,
        voice_ids: str | list[str] | None = None,
        gender: str | None = None,
        accent: str | None = None,
        age: str | None = None,
        language: str | list[str] | None = None,
        use_cases: str | list[str] | None = None,
        sort: Literal["created_at_unix", "name"] | None = None,
        sort_direction: Literal["asc", "desc"] | None = None,
        include_total_count: Literal["true", "false"] | None = None,
        collection_id: str | None = None,
        fine_tuning_state: Literal["draft", "not_verified", "not_started", "queued", "fine_tuning", "fine_tuned", "failed", "delayed"] | None = None,
        high_quality: Literal["true", "false"] | None = None,
        include_custom_rates: Literal["true", "false"] | None = None,
        include_live_moderated: Literal["true", "false"] | None = None,
    ) -> Iterator[_t.Voice]:
        """Search the voices: all items, over all pages."""
        return self._transport.iterate("/voiceapi/v2/voices", "voices", "next_page_token", "next_page_token", query={"page_size": page_size, "search": search, "category": category, "voice_type": voice_type, "voice_ids": voice_ids, "gender": gender, "accent": accent, "age": age, "language": language, "use_cases": use_cases, "sort": sort, "sort_direction": sort_direction, "include_total_count": include_total_count, "collection_id": collection_id, "fine_tuning_state": fine_tuning_state, "high_quality": high_quality, "include_custom_rates": include_custom_rates, "include_live_moderated": include_live_moderated})

    def post_voiceapi_voices_add(self, body: _t.NewVoiceForm, *, idempotency_key: str | None = None) -> _t.NewVoice:
        """
        Clone a voice from samples

        Free, but refused with 402 while the balance is zero or the spend limit is reached. The embedded engine
        imitates the pitch and brightness of the samples, not the voice itself. An ElevenLabs upstream that serves
        cloned voices gets the voice too. `labels` that are not a JSON object of texts: 422 `invalid_labels`; more
        voices than `voice_limit` of the subscription: 400 `voice_limit_reached`.
        """
        return cast("_t.NewVoice", (self._transport.send("POST", "/voiceapi/v1/voices/add", form=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_voiceapi_voices_settings_default(self) -> _t.VoiceSettings:
        """Read the default voice settings"""
        return cast("_t.VoiceSettings", (self._transport.send("GET", "/voiceapi/v1/voices/settings/default")).data)

    def get_voiceapi_voices_voice_id(self, voice_id: str) -> _t.Voice:
        """Read a voice"""
        return cast("_t.Voice", (self._transport.send("GET", self._transport.path("/voiceapi/v1/voices/{voice_id}", voice_id=voice_id))).data)

    def delete_voiceapi_voices_voice_id(self, voice_id: str) -> _t.VoiceDone:
        """Remove a cloned voice"""
        return cast("_t.VoiceDone", (self._transport.send("DELETE", self._transport.path("/voiceapi/v1/voices/{voice_id}", voice_id=voice_id))).data)

    def get_voiceapi_voices_voice_id_samples_sample_id_audio(self, voice_id: str, sample_id: str) -> bytes:
        """
        Download a sample of a cloned voice

        As it was sent.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/voiceapi/v1/voices/{voice_id}/samples/{sample_id}/audio", voice_id=voice_id, sample_id=sample_id), expect="bytes")).data)

    def post_voiceapi_voices_voice_id_edit(self, voice_id: str, body: _t.VoiceChangeForm, *, idempotency_key: str | None = None) -> _t.VoiceDone:
        """
        Change a cloned voice

        Replaces the sent members. New samples are added, and the voice is measured again from them.
        """
        return cast("_t.VoiceDone", (self._transport.send("POST", self._transport.path("/voiceapi/v1/voices/{voice_id}/edit", voice_id=voice_id), form=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_voiceapi_voices_voice_id_settings(self, voice_id: str) -> _t.VoiceSettings:
        """Read the settings of a voice"""
        return cast("_t.VoiceSettings", (self._transport.send("GET", self._transport.path("/voiceapi/v1/voices/{voice_id}/settings", voice_id=voice_id))).data)

    def post_voiceapi_voices_voice_id_settings_edit(self, voice_id: str, body: _t.VoiceSettingsRequest, *, idempotency_key: str | None = None) -> _t.VoiceDone:
        """Change the settings of a cloned voice"""
        return cast("_t.VoiceDone", (self._transport.send("POST", self._transport.path("/voiceapi/v1/voices/{voice_id}/settings/edit", voice_id=voice_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_voiceapi_models(self) -> _t.VoiceModels:
        """List the voice models"""
        return cast("_t.VoiceModels", (self._transport.send("GET", "/voiceapi/v1/models")).data)

    def get_voiceapi_user(self) -> _t.VoiceUser:
        """Read the user of the key"""
        return cast("_t.VoiceUser", (self._transport.send("GET", "/voiceapi/v1/user")).data)

    def get_voiceapi_user_subscription(self) -> _t.VoiceSubscription:
        """Read the balance as a subscription"""
        return cast("_t.VoiceSubscription", (self._transport.send("GET", "/voiceapi/v1/user/subscription")).data)

    def get_voiceapi_history(
        self,
        *,
        page_size: int | None = None,
        start_after_history_item_id: str | None = None,
        voice_id: str | None = None,
        model_id: str | None = None,
        source: Literal["TTS", "STS"] | None = None,
        search: str | None = None,
        date_after_unix: int | None = None,
        date_before_unix: int | None = None,
        sort_direction: Literal["asc", "desc"] | None = None,
    ) -> _t.SpeechHistory:
        """List the speech history"""
        return cast("_t.SpeechHistory", (self._transport.send("GET", "/voiceapi/v1/history", query={"page_size": page_size, "start_after_history_item_id": start_after_history_item_id, "voice_id": voice_id, "model_id": model_id, "source": source, "search": search, "date_after_unix": date_after_unix, "date_before_unix": date_before_unix, "sort_direction": sort_direction})).data)

    def iter_voiceapi_history(
        self,
        *,
        page_size: int | None = None,
        voice_id: str | None = None,
        model_id: str | None = None,
        source: Literal["TTS", "STS"] | None = None,
        search: str | None = None,
        date_after_unix: int | None = None,
        date_before_unix: int | None = None,
        sort_direction: Literal["asc", "desc"] | None = None,
    ) -> Iterator[_t.SpeechHistoryItem]:
        """List the speech history: all items, over all pages."""
        return self._transport.iterate("/voiceapi/v1/history", "history", "start_after_history_item_id", "last_history_item_id", query={"page_size": page_size, "voice_id": voice_id, "model_id": model_id, "source": source, "search": search, "date_after_unix": date_after_unix, "date_before_unix": date_before_unix, "sort_direction": sort_direction})

    def post_voiceapi_history_download(self, body: _t.HistoryDownload, *, idempotency_key: str | None = None) -> bytes:
        """
        Download the sound of items

        The sound of one item, or a ZIP archive with that of several, named by their ids.
        """
        return cast("bytes", (self._transport.send("POST", "/voiceapi/v1/history/download", json=body, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def get_voiceapi_history_item_id(self, item_id: str) -> _t.SpeechHistoryItem:
        """Read an item of the history"""
        return cast("_t.SpeechHistoryItem", (self._transport.send("GET", self._transport.path("/voiceapi/v1/history/{item_id}", item_id=item_id))).data)

    def delete_voiceapi_history_item_id(self, item_id: str) -> _t.VoiceDone:
        """Remove an item and its sound"""
        return cast("_t.VoiceDone", (self._transport.send("DELETE", self._transport.path("/voiceapi/v1/history/{item_id}", item_id=item_id))).data)

    def get_voiceapi_history_item_id_audio(self, item_id: str) -> bytes:
        """Download the sound of an item"""
        return cast("bytes", (self._transport.send("GET", self._transport.path("/voiceapi/v1/history/{item_id}/audio", item_id=item_id), expect="bytes")).data)

    def post_files(self, body: _t.FileForm, *, idempotency_key: str | None = None) -> _t.File:
        """
        Upload a file for agents

        Up to 25 MiB, for `batch` 200 MiB, for `agent_icon` and `workspace_logo` 1 MiB and 2048 × 2048 pixels: text,
        XLSX, DOCX, PPTX, PDF, images and sound. It is kept until it is deleted or expires; a batch’s file after 30
        days. With an `Idempotency-Key` a retry creates no second file; without one it does, as at OpenAI.
        """
        return cast("_t.File", (self._transport.send("POST", "/v1/files", form=body, idempotency_key=idempotency_key)).data)

    def get_files(
        self,
        *,
        purpose: str | None = None,
        limit: int | None = None,
        order: Literal["asc", "desc"] | None = None,
        after: str | None = None,
        cursor: str | None = None,
    ) -> _t.FileList:
        """
        List files, those of agents too

        Newest first. Files of sessions are listed with their session.
        """
        return cast("_t.FileList", (self._transport.send("GET", "/v1/files", query={"purpose": purpose, "limit": limit, "order": order, "after": after, "cursor": cursor})).data)

    def iter_files(
        self,
        *,
        purpose: str | None = None,
        limit: int | None = None,
        order: Literal["asc", "desc"] | None = None,
        cursor: str | None = None,
    ) -> Iterator[_t.File]:
        """List files, those of agents too: all items, over all pages."""
        return self._transport.iterate("/v1/files", "data", "after", "last_id", query={"purpose": purpose, "limit": limit, "order": order, "cursor": cursor})

    def get_files_file_id(self, file_id: str) -> _t.File:
        """Read a file, those of agents too"""
        return cast("_t.File", (self._transport.send("GET", self._transport.path("/v1/files/{file_id}", file_id=file_id))).data)

    def delete_files_file_id(self, file_id: str) -> _t.Deleted:
        """
        Delete a file

        It is removed from sessions too.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/files/{file_id}", file_id=file_id))).data)

    def get_files_file_id_content(self, file_id: str) -> bytes:
        """
        Download a file

        With `Range` a part of it: 206. With its `ETag` in `If-None-Match`: 304.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/v1/files/{file_id}/content", file_id=file_id), expect="bytes")).data)

    def post_uploads(self, body: _t.UploadRequest, *, idempotency_key: str | None = None) -> _t.Upload:
        """
        Begin an upload in parts

        For large files and unsteady connections. The parts may arrive at once and in any order, within an hour.
        """
        return cast("_t.Upload", (self._transport.send("POST", "/v1/uploads", json=body, idempotency_key=idempotency_key)).data)

    def post_uploads_upload_id_parts(self, upload_id: str, body: _t.UploadPartForm, *, idempotency_key: str | None = None) -> _t.UploadPart:
        """
        Send a part of a file

        Up to 64 MiB.
        """
        return cast("_t.UploadPart", (self._transport.send("POST", self._transport.path("/v1/uploads/{upload_id}/parts", upload_id=upload_id), form=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_uploads_upload_id_complete(self, upload_id: str, body: _t.UploadCompletion, *, idempotency_key: str | None = None) -> _t.Upload:
        """
        Make the file of its parts

        With the parts in their order. Their sizes must sum up to the announced one. Repeated, it answers with the
        same file.
        """
        return cast("_t.Upload", (self._transport.send("POST", self._transport.path("/v1/uploads/{upload_id}/complete", upload_id=upload_id), json=body, idempotency_key=idempotency_key)).data)

    def post_uploads_upload_id_cancel(self, upload_id: str, *, idempotency_key: str | None = None) -> _t.Upload:
        """
        Cancel an upload in parts

        Its parts are deleted.
        """
        return cast("_t.Upload", (self._transport.send("POST", self._transport.path("/v1/uploads/{upload_id}/cancel", upload_id=upload_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_batches(self, body: _t.BatchRequest, *, idempotency_key: str | None = None) -> _t.Batch:
        """
        Run a file of calls

        Runs up to 50,000 calls within 24 hours, at the batch price of their models. The file is checked first: with
        errors the batch is `failed`, and no line runs. Each line is billed once, when it is answered; what fails is
        not billed. When the money is used up, the remaining lines are in the error file as `insufficient_balance`.
        Lines do not count against the key’s requests a minute. A workspace has at most 100 batches that have not
        ended. Results are stored although the workspace has become full meanwhile; a full workspace begins no other
        batch.
        """
        return cast("_t.Batch", (self._transport.send("POST", "/v1/batches", json=body, idempotency_key=idempotency_key)).data)

    def get_batches(self, *, after: str | None = None, limit: int | None = None) -> _t.BatchList:
        """
        List batches

        Newest first.
        """
        return cast("_t.BatchList", (self._transport.send("GET", "/v1/batches", query={"after": after, "limit": limit})).data)

    def iter_batches(self, *, limit: int | None = None) -> Iterator[_t.Batch]:
        """List batches: all items, over all pages."""
        return self._transport.iterate("/v1/batches", "data", "after", "last_id", query={"limit": limit})

    def get_batches_batch_id(self, batch_id: str) -> _t.Batch:
        """
        Read a batch

        `request_counts` and `usage` move while it runs.
        """
        return cast("_t.Batch", (self._transport.send("GET", self._transport.path("/v1/batches/{batch_id}", batch_id=batch_id))).data)

    def post_batches_batch_id_cancel(self, batch_id: str, *, idempotency_key: str | None = None) -> _t.Batch:
        """
        Cancel a batch

        Lines that run are finished and billed; the others are in the error file as `batch_cancelled`. The batch is
        `cancelling` until its files are written.
        """
        return cast("_t.Batch", (self._transport.send("POST", self._transport.path("/v1/batches/{batch_id}/cancel", batch_id=batch_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_sessions(self, body: _t.NewSession, *, idempotency_key: str | None = None) -> _t.Session:
        """
        Open a session

        Runs of one session share its conversation and files. A run without a session opens one.
        """
        return cast("_t.Session", (self._transport.send("POST", "/v1/sessions", json=body, idempotency_key=idempotency_key)).data)

    def get_sessions(self, *, limit: int | None = None, cursor: str | None = None) -> _t.SessionPage:
        """
        List sessions

        Newest first. Send `next_cursor` as `cursor` for the next page.
        """
        return cast("_t.SessionPage", (self._transport.send("GET", "/v1/sessions", query={"limit": limit, "cursor": cursor})).data)

    def iter_sessions(self, *, limit: int | None = None) -> Iterator[_t.Session]:
        """List sessions: all items, over all pages."""
        return self._transport.iterate("/v1/sessions", "data", "cursor", "next_cursor", query={"limit": limit})

    def get_sessions_session_id(self, session_id: str) -> _t.Session:
        """Read a session"""
        return cast("_t.Session", (self._transport.send("GET", self._transport.path("/v1/sessions/{session_id}", session_id=session_id))).data)

    def delete_sessions_session_id(self, session_id: str) -> _t.Deleted:
        """Delete a session and its files"""
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/sessions/{session_id}", session_id=session_id))).data)

    def get_sessions_session_id_files(
        self,
        session_id: str,
        *,
        parent_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> _t.SessionFileList:
        """
        List the files of a session

        One directory, by name. Send `next_cursor` as `cursor` for the next page.
        """
        return cast("_t.SessionFileList", (self._transport.send("GET", self._transport.path("/v1/sessions/{session_id}/files", session_id=session_id), query={"parent_id": parent_id, "cursor": cursor, "limit": limit})).data)

    def iter_sessions_session_id_files(self, session_id: str, *, parent_id: str | None = None, limit: int | None = None) -> Iterator[_t.SessionFile]:
        """List the files of a session: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/sessions/{session_id}/files", session_id=session_id), "data", "cursor", "next_cursor", query={"parent_id": parent_id, "limit": limit})

    def post_sessions_session_id_files(
        self,
        session_id: str,
        body: _t.NewSessionFile | _t.SessionFileForm,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.SessionFile:
        """
        Add a file or a directory to a session

        A form with a file; or JSON that names a file that was uploaded before, or makes a directory. With `If-Match`
        nothing is changed if the files have changed since: 412.
        """
        return cast("_t.SessionFile", (self._transport.send("POST", self._transport.path("/v1/sessions/{session_id}/files", session_id=session_id), form=body, headers={"If-Match": if_match}, idempotency_key=idempotency_key)).data)

    def get_sessions_session_id_files_entry_id_revisions(self, session_id: str, entry_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.SessionFileRevisionPage:
        """
        List the revisions of a file

        The contents that a file has had, newest first. A run that writes a file again leaves its earlier content
        readable for 30 days.
        """
        return cast("_t.SessionFileRevisionPage", (self._transport.send("GET", self._transport.path("/v1/sessions/{session_id}/files/{entry_id}/revisions", session_id=session_id, entry_id=entry_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_sessions_session_id_files_entry_id_revisions(self, session_id: str, entry_id: str, *, limit: int | None = None) -> Iterator[_t.SessionFileRevisionPageItem]:
        """List the revisions of a file: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/sessions/{session_id}/files/{entry_id}/revisions", session_id=session_id, entry_id=entry_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def patch_sessions_session_id_files_entry_id(self, session_id: str, entry_id: str, body: _t.SessionFileChange, *, if_match: str | None = None) -> _t.SessionFile:
        """Rename or move a file or a directory"""
        return cast("_t.SessionFile", (self._transport.send("PATCH", self._transport.path("/v1/sessions/{session_id}/files/{entry_id}", session_id=session_id, entry_id=entry_id), json=body, headers={"If-Match": if_match})).data)

    def delete_sessions_session_id_files_entry_id(self, session_id: str, entry_id: str, *, if_match: str | None = None) -> _t.Deleted:
        """Delete a file, or a directory with its content"""
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/sessions/{session_id}/files/{entry_id}", session_id=session_id, entry_id=entry_id), headers={"If-Match": if_match})).data)

    def get_sessions_session_id_state(self, session_id: str, *, version: int | None = None) -> _t.SessionState:
        """
        Read the state of a session

        A JSON object that stays from run to run. Tools of agents (`get_state`, `set_state`) and callers read and
        change it, also while a run works or waits. Before its first change it is `{}`, version 0.
        """
        return cast("_t.SessionState", (self._transport.send("GET", self._transport.path("/v1/sessions/{session_id}/state", session_id=session_id), query={"version": version})).data)

    def put_sessions_session_id_state(self, session_id: str, body: _t.SessionStateReplacement, *, if_match: str | None = None) -> _t.SessionState:
        """
        Replace the state of a session

        At most 64000 bytes as JSON. With `If-Match` nothing is changed when the state has changed since: 412 names
        its version. Without it the last change wins.
        """
        return cast("_t.SessionState", (self._transport.send("PUT", self._transport.path("/v1/sessions/{session_id}/state", session_id=session_id), json=body, headers={"If-Match": if_match})).data)

    def patch_sessions_session_id_state(self, session_id: str, body: _t.SessionStatePatch, *, if_match: str | None = None) -> _t.SessionState:
        """
        Change the state of a session

        A JSON Merge Patch (RFC 7396) of `state`: what is not in it stays. A run that waits (`requires_action`) goes
        on with the changed state. With `If-Match` nothing is changed when the state has changed since: 412 names its
        version. Without it the last change wins.
        """
        return cast("_t.SessionState", (self._transport.send("PATCH", self._transport.path("/v1/sessions/{session_id}/state", session_id=session_id), json=body, headers={"If-Match": if_match})).data)

    def get_sessions_session_id_state_versions(self, session_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.SessionStateVersionPage:
        """
        List the versions of the state of a session

        Newest first: the last 100, and who made them. `GET …/state?version=` reads one.
        """
        return cast("_t.SessionStateVersionPage", (self._transport.send("GET", self._transport.path("/v1/sessions/{session_id}/state/versions", session_id=session_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_sessions_session_id_state_versions(self, session_id: str, *, limit: int | None = None) -> Iterator[_t.SessionStateVersionPageItem]:
        """List the versions of the state of a session: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/sessions/{session_id}/state/versions", session_id=session_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def get_memories(
        self,
        *,
        agent: str | None = None,
        user: str | None = None,
        query: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> _t.MemoryPage:
        """
        List memories

        What agents remember of your end users, newest first. A run with `user` lets an agent remember, if its version
        has the tools `remember`, `recall` and `forget`: at most 500 for each user and agent. They belong to your
        workspace: the agent’s publisher cannot read them.
        """
        return cast("_t.MemoryPage", (self._transport.send("GET", "/v1/memories", query={"agent": agent, "user": user, "query": query, "limit": limit, "cursor": cursor})).data)

    def iter_memories(
        self,
        *,
        agent: str | None = None,
        user: str | None = None,
        query: str | None = None,
        limit: int | None = None,
    ) -> Iterator[_t.Memory]:
        """List memories: all items, over all pages."""
        return self._transport.iterate("/v1/memories", "data", "cursor", "next_cursor", query={"agent": agent, "user": user, "query": query, "limit": limit})

    def delete_memories(self, *, user: str, agent: str | None = None) -> _t.DeletedMemories:
        """
        Delete the memories of a user

        All that agents remember of this user, or one agent. The audit has the number of deleted memories.
        """
        return cast("_t.DeletedMemories", (self._transport.send("DELETE", "/v1/memories", query={"user": user, "agent": agent})).data)

    def get_memories_memory_id(self, memory_id: str) -> _t.Memory:
        """Read a memory"""
        return cast("_t.Memory", (self._transport.send("GET", self._transport.path("/v1/memories/{memory_id}", memory_id=memory_id))).data)

    def delete_memories_memory_id(self, memory_id: str) -> _t.DeletedMemory:
        """Delete a memory"""
        return cast("_t.DeletedMemory", (self._transport.send("DELETE", self._transport.path("/v1/memories/{memory_id}", memory_id=memory_id))).data)

    def get_plugins_plugin_id_secrets(self, plugin_id: str) -> _t.PluginSecretPage:
        """
        List the secrets that a plugin needs of you

        Values are never shown.
        """
        return cast("_t.PluginSecretPage", (self._transport.send("GET", self._transport.path("/v1/plugins/{plugin_id}/secrets", plugin_id=plugin_id))).data)

    def put_plugins_plugin_id_secrets(self, plugin_id: str, body: _t.PluginSecretValues) -> _t.PluginSecretPage:
        """
        Set your secrets for a plugin

        Runs of your workspace then call the plugin with them, in agents of any publisher; those that wait for them go
        on. They are sealed: only workers can read them, and neither agents nor their publishers see them.
        """
        return cast("_t.PluginSecretPage", (self._transport.send("PUT", self._transport.path("/v1/plugins/{plugin_id}/secrets", plugin_id=plugin_id), json=body)).data)

    def delete_plugins_plugin_id_secrets(self, plugin_id: str) -> _t.PluginSecretPage:
        """Delete your secrets for a plugin"""
        return cast("_t.PluginSecretPage", (self._transport.send("DELETE", self._transport.path("/v1/plugins/{plugin_id}/secrets", plugin_id=plugin_id))).data)

    def get_plugins(self) -> _t.CallerPluginPage:
        """
        List the plugins that need something of you

        Secrets and sign-ins of your workspace, which are never shown.
        """
        return cast("_t.CallerPluginPage", (self._transport.send("GET", "/v1/plugins")).data)

    def get_plugins_plugin_id_sign_in(self, plugin_id: str) -> _t.PluginSignIn:
        """Read your sign-in to a plugin"""
        return cast("_t.PluginSignIn", (self._transport.send("GET", self._transport.path("/v1/plugins/{plugin_id}/sign-in", plugin_id=plugin_id))).data)

    def delete_plugins_plugin_id_sign_in(self, plugin_id: str) -> _t.PluginSignIn:
        """
        Disconnect a plugin

        Your sign-in is useless at once, and its tokens are revoked at the authorization server.
        """
        return cast("_t.PluginSignIn", (self._transport.send("DELETE", self._transport.path("/v1/plugins/{plugin_id}/sign-in", plugin_id=plugin_id))).data)

    def get_agents(
        self,
        *,
        search: str | None = None,
        category: str | None = None,
        max_cost_usd: float | None = None,
        sort: Literal["newest", "popular", "price", "name"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> _t.AgentPage:
        """
        Find agents

        Public agents, filtered by words of the name and description, category and the most that one run may cost.
        """
        return cast("_t.AgentPage", (self._transport.send("GET", "/v1/agents", query={"search": search, "category": category, "max_cost_usd": max_cost_usd, "sort": sort, "limit": limit, "cursor": cursor})).data)

    def iter_agents(
        self,
        *,
        search: str | None = None,
        category: str | None = None,
        max_cost_usd: float | None = None,
        sort: Literal["newest", "popular", "price", "name"] | None = None,
        limit: int | None = None,
    ) -> Iterator[_t.Agent]:
        """Find agents: all items, over all pages."""
        return self._transport.iterate("/v1/agents", "data", "cursor", "next_cursor", query={"search": search, "category": category, "max_cost_usd": max_cost_usd, "sort": sort, "limit": limit})

    def get_agents_namespace_slug(self, namespace: str, slug: str) -> _t.Agent:
        """
        Read an agent

        Its published version, inputs and outputs, prices and data policy; of a channel, as
        `/v1/agents/acme/poet@beta`, those of its version.
        """
        return cast("_t.Agent", (self._transport.send("GET", self._transport.path("/v1/agents/{namespace}/{slug}", namespace=namespace, slug=slug))).data)

    def get_agents_namespace_slug_quality(self, namespace: str, slug: str) -> _t.AgentQuality:
        """
        Read the quality of an agent

        From the runs of the last 30 days that have ended. It counts runs that callers started: no trials and tests,
        no reruns, none of the publisher’s own workspace, none that another agent started, and none with the rehearsal
        model.
        """
        return cast("_t.AgentQuality", (self._transport.send("GET", self._transport.path("/v1/agents/{namespace}/{slug}/quality", namespace=namespace, slug=slug))).data)

    def post_mcp(self, body: _t.McpMessage, *, idempotency_key: str | None = None) -> _t.McpAnswer:
        """
        Use agents as the tools of an MCP server

        Streamable HTTP of the Model Context Protocol, without sessions: give an MCP client this address and your key.
        Each public agent is a tool `<namespace>__<slug>` that takes `input`, `session_id` and `max_cost_usd`. A call
        is a run: it is held and billed like one, and cancelled when the call is, or when its client closes the
        connection. Refusals are answered as errors of the tool. A client whose `accept` names no event stream gets
        JSON.
        """
        return cast("_t.McpAnswer", (self._transport.send("POST", "/v1/mcp", json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_tools(self) -> _t.ToolPage:
        """
        List the tools that agents may use

        With what they consume. A draft names them in `tools`.
        """
        return cast("_t.ToolPage", (self._transport.send("GET", "/v1/publisher/tools")).data)

    def get_publisher_plugins(self) -> _t.PluginPage:
        """
        List the plugins that agents may use

        Tool servers (MCP) that operators have registered, by version. A draft names them in `plugins`.
        """
        return cast("_t.PluginPage", (self._transport.send("GET", "/v1/publisher/plugins")).data)

    def post_publisher_agents(self, body: _t.NewAgent, *, idempotency_key: str | None = None) -> _t.PublisherAgent:
        """
        Create an agent

        A namespace belongs to the first workspace that uses it. The draft may be incomplete. The ETag is that of the
        draft: `"draft-<revision>"`.
        """
        return cast("_t.PublisherAgent", (self._transport.send("POST", "/v1/publisher/agents", json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_agents(self, *, limit: int | None = None, cursor: str | None = None) -> _t.PublisherAgentPage:
        """
        List the agents of the workspace

        Newest first.
        """
        return cast("_t.PublisherAgentPage", (self._transport.send("GET", "/v1/publisher/agents", query={"limit": limit, "cursor": cursor})).data)

    def iter_publisher_agents(self, *, limit: int | None = None) -> Iterator[_t.PublisherAgent]:
        """List the agents of the workspace: all items, over all pages."""
        return self._transport.iterate("/v1/publisher/agents", "data", "cursor", "next_cursor", query={"limit": limit})

    def get_publisher_agents_agent_id(self, agent_id: str) -> _t.PublisherAgent:
        """
        Read an agent of the workspace

        The ETag is that of the draft: `"draft-<revision>"`.
        """
        return cast("_t.PublisherAgent", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}", agent_id=agent_id))).data)

    def delete_publisher_agents_agent_id(self, agent_id: str) -> _t.Deleted:
        """
        Delete an agent that was never public

        Its draft is gone and its name is free. 409 `agent_published` for one that was public: take it down.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/publisher/agents/{agent_id}", agent_id=agent_id))).data)

    def get_publisher_agents_agent_id_feedback(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.AgentFeedbackPage:
        """
        Read what callers said about an agent

        Their feedback on runs, newest first: outcome, reason, source and version, without who they are.
        """
        return cast("_t.AgentFeedbackPage", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/feedback", agent_id=agent_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_publisher_agents_agent_id_feedback(self, agent_id: str, *, limit: int | None = None) -> Iterator[_t.AgentFeedbackPageItem]:
        """Read what callers said about an agent: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/publisher/agents/{agent_id}/feedback", agent_id=agent_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def get_publisher_agents_agent_id_draft(self, agent_id: str) -> _t.Configuration:
        """
        Read a draft

        The ETag is that of the draft: `"draft-<revision>"`.
        """
        return cast("_t.Configuration", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/draft", agent_id=agent_id))).data)

    def patch_publisher_agents_agent_id_draft(self, agent_id: str, body: _t.DraftChange, *, if_match: str) -> _t.PublisherAgent:
        """
        Change a draft

        Members that are sent replace those that were there. `If-Match` names the draft that was seen.
        """
        return cast("_t.PublisherAgent", (self._transport.send("PATCH", self._transport.path("/v1/publisher/agents/{agent_id}/draft", agent_id=agent_id), json=body, headers={"If-Match": if_match})).data)

    def post_publisher_agents_agent_id_test_runs(
        self,
        agent_id: str,
        body: _t.TestRunOrder,
        *,
        prefer: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.Run:
        """
        Run a draft

        The workspace pays what the platform charges for the model and the sandbox, up to the draft’s
        `maximum_cost_usd`. The draft becomes a version, unless the newest version is that draft. The run has the
        source `test`, and counts in no public statistic.
        """
        return cast("_t.Run", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/test-runs", agent_id=agent_id), json=body, headers={"Prefer": prefer}, idempotency_key=idempotency_key)).data)

    def post_publisher_agents_agent_id_estimate(self, agent_id: str, body: _t.EstimateOrder, *, idempotency_key: str | None = None) -> _t.PublisherEstimate:
        """
        Estimate what a run costs and earns

        Prices a run of the draft as its bill would: the meters, the network fee, the minimum and the maximum. A
        maximum of 0 is not set yet, and limits nothing. Stores nothing.
        """
        return cast("_t.PublisherEstimate", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/estimate", agent_id=agent_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_publisher_agents_agent_id_versions(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.AgentVersionPage:
        """List the versions of an agent"""
        return cast("_t.AgentVersionPage", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/versions", agent_id=agent_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_publisher_agents_agent_id_versions(self, agent_id: str, *, limit: int | None = None) -> Iterator[_t.AgentVersion]:
        """List the versions of an agent: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/publisher/agents/{agent_id}/versions", agent_id=agent_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def get_publisher_agents_agent_id_versions_a_diff_b(self, agent_id: str, a: str, b: str) -> _t.AgentVersionDiff:
        """Compare two versions"""
        return cast("_t.AgentVersionDiff", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/versions/{a}/diff/{b}", agent_id=agent_id, a=a, b=b))).data)

    def post_publisher_agents_agent_id_deploy_private(self, agent_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> _t.Deployment:
        """
        Use the draft in the own workspace

        Freezes it into a new version that runs with `visibility: private`, without a review.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/deploy-private", agent_id=agent_id), headers={"If-Match": if_match}, idempotency_key=idempotency_key)).data)

    def post_publisher_agents_agent_id_submit_public(
        self,
        agent_id: str,
        *,
        if_match: str,
        x_test_review: Literal["approve", "reject", "changes", "wait"] | None = None,
        idempotency_key: str | None = None,
    ) -> _t.Deployment:
        """
        Submit the draft for public review

        Freezes the draft that `If-Match` names into a new version and starts its review. What is public stays so
        until the version is approved. In a test workspace, `x-test-review` is the outcome, or `wait`, and what is
        approved is public for that workspace alone.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/submit-public", agent_id=agent_id), headers={"If-Match": if_match, "x-test-review": x_test_review}, idempotency_key=idempotency_key)).data)

    def post_publisher_agents_agent_id_rollback(self, agent_id: str, body: _t.Rollback, *, idempotency_key: str | None = None) -> _t.Deployment:
        """Make a former version public again"""
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/rollback", agent_id=agent_id), json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_statement(self, *, month: str | None = None) -> _t.PublisherStatement:
        """
        Read what the agents earned and were paid in a month

        By day, agent and version, apart for callers and the own workspace, with the payouts and what is owed; with
        `format=csv` as a table, in which each row has what is owed after it, and `own` marks own runs. Its sums are
        those of the ledger, to the nano-dollar.
        """
        return cast("_t.PublisherStatement", (self._transport.send("GET", "/v1/publisher/statement", query={"month": month})).data)

    def get_publisher_statement_as(self, *, month: str | None = None, format: Literal["json", "csv"]) -> bytes:
        """
        Read what the agents earned and were paid in a month

        By day, agent and version, apart for callers and the own workspace, with the payouts and what is owed; with
        `format=csv` as a table, in which each row has what is owed after it, and `own` marks own runs. Its sums are
        those of the ledger, to the nano-dollar.
        """
        return cast("bytes", (self._transport.send("GET", "/v1/publisher/statement", query={"month": month, "format": format}, expect="bytes")).data)

    def post_publisher_payouts(self, body: _t.PayoutOrder, *, idempotency_key: str | None = None) -> _t.Payout:
        """
        Pay out earnings

        To the workspace’s own prepaid balance at once, or as a transfer that an operator makes outside of the
        platform. Earnings mature for `mature_days` of the statement; a transfer leaves what a negative balance lacks.
        409 `earnings_too_small` when what may be paid out now does not cover it, and `live_mode_only` in a test
        workspace.
        """
        return cast("_t.Payout", (self._transport.send("POST", "/v1/publisher/payouts", json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_payouts(self, *, limit: int | None = None, cursor: str | None = None) -> _t.PayoutPage:
        """
        List the payouts of the workspace

        Newest first.
        """
        return cast("_t.PayoutPage", (self._transport.send("GET", "/v1/publisher/payouts", query={"limit": limit, "cursor": cursor})).data)

    def iter_publisher_payouts(self, *, limit: int | None = None) -> Iterator[_t.Payout]:
        """List the payouts of the workspace: all items, over all pages."""
        return self._transport.iterate("/v1/publisher/payouts", "data", "cursor", "next_cursor", query={"limit": limit})

    def get_publisher_namespaces_name(self, name: str) -> _t.Namespace:
        """
        Read a namespace of the workspace

        What its agents show as their `provider`.
        """
        return cast("_t.Namespace", (self._transport.send("GET", self._transport.path("/v1/publisher/namespaces/{name}", name=name))).data)

    def patch_publisher_namespaces_name(self, name: str, body: _t.NamespaceChange) -> _t.Namespace:
        """
        Change what agents show of their provider

        An earlier verification by an operator is reset.
        """
        return cast("_t.Namespace", (self._transport.send("PATCH", self._transport.path("/v1/publisher/namespaces/{name}", name=name), json=body)).data)

    def get_publisher_agent_versions_version_id(self, version_id: str) -> _t.AgentVersion:
        """
        Read a version

        A version never changes.
        """
        return cast("_t.AgentVersion", (self._transport.send("GET", self._transport.path("/v1/publisher/agent-versions/{version_id}", version_id=version_id))).data)

    def delete_publisher_agent_versions_version_id(self, version_id: str) -> _t.Deleted:
        """
        Delete a version that was never submitted

        It leaves the list. Runs that used it keep it.
        """
        return cast("_t.Deleted", (self._transport.send("DELETE", self._transport.path("/v1/publisher/agent-versions/{version_id}", version_id=version_id))).data)

    def get_publisher_agents_agent_id_http_tools_secret(self, agent_id: str) -> _t.HttpToolSecret:
        """
        Read when the secret of HTTP tools was made

        Of the secret that signs the calls of an agent’s HTTP tools, without the secret.
        """
        return cast("_t.HttpToolSecret", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/http_tools/secret", agent_id=agent_id))).data)

    def post_publisher_agents_agent_id_http_tools_secret(self, agent_id: str, *, idempotency_key: str | None = None) -> _t.NewHttpToolSecret:
        """
        Make or rotate the secret of HTTP tools

        One secret signs the calls of all HTTP tools of the agent, as Standard Webhooks say. It is in this answer and
        nowhere else. For 24 hours each call has a signature of the earlier one too.
        """
        return cast("_t.NewHttpToolSecret", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/http_tools/secret", agent_id=agent_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_publisher_agents_agent_id_http_tools_test(self, agent_id: str, body: _t.HttpToolTestOrder, *, idempotency_key: str | None = None) -> _t.HttpToolTest:
        """
        Test an HTTP tool

        Sends one signed call with these arguments to an HTTP tool of the saved draft, and answers with what was sent
        and received. It is not billed and not retried, waits at most 20 seconds, and has `"mode": "test"`. At most 20
        in a minute.
        """
        return cast("_t.HttpToolTest", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/http_tools/test", agent_id=agent_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_publisher_agents_agent_id_channels(self, agent_id: str) -> _t.AgentChannelList:
        """
        List the channels of an agent

        `stable`, the default version, first.
        """
        return cast("_t.AgentChannelList", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/channels", agent_id=agent_id))).data)

    def put_publisher_agents_agent_id_channels_channel(self, agent_id: str, channel: str, body: _t.ChannelMove) -> _t.AgentChannel:
        """
        Point a channel at a version

        Creates it when it is new. Callers order it as `<namespace>/<slug>@<channel>`, at every door. It takes
        versions that were approved. A version that costs more than the channel’s present one is `scheduled`: it waits
        14 days, and the channel’s callers are told by `agent.price_increase`. An agent has at most 20 channels;
        `stable` moves by reviews and rollouts.
        """
        return cast("_t.AgentChannel", (self._transport.send("PUT", self._transport.path("/v1/publisher/agents/{agent_id}/channels/{channel}", agent_id=agent_id, channel=channel), json=body)).data)

    def delete_publisher_agents_agent_id_channels_channel(self, agent_id: str, channel: str) -> _t.DeletedChannel:
        """
        Remove a channel

        Orders that name it are refused with 404 `agent_not_found`.
        """
        return cast("_t.DeletedChannel", (self._transport.send("DELETE", self._transport.path("/v1/publisher/agents/{agent_id}/channels/{channel}", agent_id=agent_id, channel=channel))).data)

    def post_publisher_agents_agent_id_take_down(self, agent_id: str, body: _t.TakeDown, *, idempotency_key: str | None = None) -> _t.PublisherAgent:
        """
        Take an agent down

        New orders are refused with 409 `agent_taken_down` and the message, at every door; runs that have begun end as
        usual. Schedules of it are paused, and callers are told once by `agent.taken_down` and by mail. Private runs
        and tests go on.
        """
        return cast("_t.PublisherAgent", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/take-down", agent_id=agent_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_publisher_agents_agent_id_restore(self, agent_id: str, *, idempotency_key: str | None = None) -> _t.PublisherAgent:
        """
        Restore an agent that was taken down

        It takes orders again. Owners of its schedules are told by `agent.restored`, and resume them.
        """
        return cast("_t.PublisherAgent", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/restore", agent_id=agent_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_publisher_agents_agent_id_deprecate(self, agent_id: str, body: _t.AgentDeprecation, *, idempotency_key: str | None = None) -> _t.PublisherAgent:
        """
        Deprecate an agent

        Answers to its callers have the headers `deprecation`, `sunset` and `link` from now on, and callers are told
        by `agent.deprecated`. From the date on, new orders are refused with 409 `agent_retired`, which names the
        successor. A repetition changes it.
        """
        return cast("_t.PublisherAgent", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/deprecate", agent_id=agent_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_publisher_agents_agent_id_undeprecate(self, agent_id: str, *, idempotency_key: str | None = None) -> _t.PublisherAgent:
        """End the deprecation of an agent"""
        return cast("_t.PublisherAgent", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/undeprecate", agent_id=agent_id), idempotency_key=idempotency_key, repeatable=False)).data)

    def get_publisher_deployments_deployment_id(self, deployment_id: str) -> _t.Deployment:
        """Read a deployment"""
        return cast("_t.Deployment", (self._transport.send("GET", self._transport.path("/v1/publisher/deployments/{deployment_id}", deployment_id=deployment_id))).data)

    def post_publisher_deployments_deployment_id_promote(self, deployment_id: str, *, idempotency_key: str | None = None) -> _t.Deployment:
        """
        Make a version that is rolled out the default

        409 `deployment_state` when it is not rolled out, `notice_period` for a more expensive version whose notice is
        not over.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/deployments/{deployment_id}/promote", deployment_id=deployment_id), idempotency_key=idempotency_key)).data)

    def post_publisher_deployments_deployment_id_roll_back(self, deployment_id: str, *, idempotency_key: str | None = None) -> _t.Deployment:
        """
        Take back a version that is rolled out

        Runs that name no version get the former one. Callers may still name this one.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/deployments/{deployment_id}/roll-back", deployment_id=deployment_id), idempotency_key=idempotency_key)).data)

    def post_publisher_deployments_deployment_id_rollout(self, deployment_id: str, body: _t.RolloutPlan, *, idempotency_key: str | None = None) -> _t.Deployment:
        """
        Plan the steps of a rollout

        Of a submission, for its approval, unless the operator names others; of an open rollout the steps that have
        not begun. Each takes a larger share of new sessions, and needs its least number of finished runs and its
        least time. 409 `deployment_state` when there is nothing to plan.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/deployments/{deployment_id}/rollout", deployment_id=deployment_id), json=body, idempotency_key=idempotency_key)).data)

    def post_publisher_deployments_deployment_id_withdraw(self, deployment_id: str, *, idempotency_key: str | None = None) -> _t.Deployment:
        """
        Withdraw a submission

        Bills its trials to the workspace, as an `adjustment`: 402 `insufficient_balance` when the balance does not
        cover them. A submission that is decided costs nothing.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/deployments/{deployment_id}/withdraw", deployment_id=deployment_id), idempotency_key=idempotency_key)).data)

    def post_publisher_deployments_deployment_id_test_review(self, deployment_id: str, body: _t.TestReview, *, idempotency_key: str | None = None) -> _t.Deployment:
        """
        End a review of a test workspace

        In the place of an operator, for a submission whose `x-test-review` was `wait`.
        """
        return cast("_t.Deployment", (self._transport.send("POST", self._transport.path("/v1/publisher/deployments/{deployment_id}/test_review", deployment_id=deployment_id), json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_deployments_deployment_id_trials(self, deployment_id: str) -> _t.ReviewTrialList:
        """
        Read the trials of a submission

        The review runs each example prompt with the submitted version and, beside it, with the public one: answer,
        files, steps, cost and duration of both. The platform pays for them, unless the submission is withdrawn.
        """
        return cast("_t.ReviewTrialList", (self._transport.send("GET", self._transport.path("/v1/publisher/deployments/{deployment_id}/trials", deployment_id=deployment_id))).data)

    def get_publisher_deployments_deployment_id_trials_files_file_id_content(self, deployment_id: str, file_id: str) -> bytes:
        """
        Read a file that a trial has written

        With `Range` a part of it: 206. With its `ETag` in `If-None-Match`: 304.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/v1/publisher/deployments/{deployment_id}/trials/files/{file_id}/content", deployment_id=deployment_id, file_id=file_id), expect="bytes")).data)

    def get_publisher_deployments_deployment_id_comments(self, deployment_id: str) -> _t.DeploymentCommentPage:
        """List the comments on a submission"""
        return cast("_t.DeploymentCommentPage", (self._transport.send("GET", self._transport.path("/v1/publisher/deployments/{deployment_id}/comments", deployment_id=deployment_id))).data)

    def post_publisher_deployments_deployment_id_comments(self, deployment_id: str, body: _t.NewComment, *, idempotency_key: str | None = None) -> _t.DeploymentComment:
        """Comment on a submission"""
        return cast("_t.DeploymentComment", (self._transport.send("POST", self._transport.path("/v1/publisher/deployments/{deployment_id}/comments", deployment_id=deployment_id), json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_agents_agent_id_runs(
        self,
        agent_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        whose: Literal["callers", "own", "all"] | None = None,
        status: Literal["completed", "limit_reached", "cancelled", "failed"] | None = None,
        error_code: str | None = None,
        fault: Literal["agent", "caller", "platform", "provider"] | None = None,
        version_id: str | None = None,
        caller_id: str | None = None,
        shared: Literal["true", "false"] | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> _t.PublishedRunPage:
        """
        List the runs of an agent

        Runs that have ended, the last one first. What callers send and get, the names of their files, and who they
        are, stay with them, unless a caller shares the run: `POST /v1/runs/{run_id}/share`.
        """
        return cast("_t.PublishedRunPage", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/runs", agent_id=agent_id), query={"limit": limit, "cursor": cursor, "whose": whose, "status": status, "error_code": error_code, "fault": fault, "version_id": version_id, "caller_id": caller_id, "shared": shared, "from": from_, "to": to})).data)

    def iter_publisher_agents_agent_id_runs(
        self,
        agent_id: str,
        *,
        limit: int | None = None,
        whose: Literal["callers", "own", "all"] | None = None,
        status: Literal["completed", "limit_reached", "cancelled", "failed"] | None = None,
        error_code: str | None = None,
        fault: Literal["agent", "caller", "platform", "provider"] | None = None,
        version_id: str | None = None,
        caller_id: str | None = None,
        shared: Literal["true", "false"] | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[_t.PublishedRunPageItem]:
        """List the runs of an agent: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/publisher/agents/{agent_id}/runs", agent_id=agent_id), "data", "cursor", "next_cursor", query={"limit": limit, "whose": whose, "status": status, "error_code": error_code, "fault": fault, "version_id": version_id, "caller_id": caller_id, "shared": shared, "from": from_, "to": to})

    def get_publisher_agents_agent_id_runs_run_id(self, agent_id: str, run_id: str) -> _t.PublishedRun:
        """
        Read a run of an agent

        What callers send and get, the names of their files, and who they are, stay with them, unless a caller shares
        the run: `POST /v1/runs/{run_id}/share`.
        """
        return cast("_t.PublishedRun", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/runs/{run_id}", agent_id=agent_id, run_id=run_id))).data)

    def get_publisher_agents_agent_id_runs_run_id_steps(self, agent_id: str, run_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.PublishedStepPage:
        """
        List the steps of an agent’s run

        Kinds, names, attempts, times, tokens and cost; with the beginning of their content where it is shared.
        """
        return cast("_t.PublishedStepPage", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/runs/{run_id}/steps", agent_id=agent_id, run_id=run_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_publisher_agents_agent_id_runs_run_id_steps(self, agent_id: str, run_id: str, *, limit: int | None = None) -> Iterator[_t.PublishedStepPageItem]:
        """List the steps of an agent’s run: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/publisher/agents/{agent_id}/runs/{run_id}/steps", agent_id=agent_id, run_id=run_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def get_publisher_agents_agent_id_runs_run_id_steps_step_id(self, agent_id: str, run_id: str, step_id: str) -> _t.PublishedStep:
        """Read a step of an agent’s run"""
        return cast("_t.PublishedStep", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/runs/{run_id}/steps/{step_id}", agent_id=agent_id, run_id=run_id, step_id=step_id))).data)

    def get_publisher_agents_agent_id_metrics(
        self,
        agent_id: str,
        *,
        whose: Literal["callers", "own", "all"] | None = None,
        interval: Literal["hour", "day"] | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> _t.AgentMetrics:
        """
        Read how the runs of an agent end

        Numbers by status and error, durations, cost and refunds of the runs that ended in a range, in total, by
        version and over time. Without `from`: 30 days.
        """
        return cast("_t.AgentMetrics", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/metrics", agent_id=agent_id), query={"whose": whose, "interval": interval, "from": from_, "to": to})).data)

    def get_publisher_alerts(self, *, agent_id: str | None = None) -> _t.PublisherAlertList:
        """
        List alerts on agents

        Each with what it watches now.
        """
        return cast("_t.PublisherAlertList", (self._transport.send("GET", "/v1/publisher/alerts", query={"agent_id": agent_id})).data)

    def post_publisher_alerts(self, body: _t.NewPublisherAlert, *, idempotency_key: str | None = None) -> _t.PublisherAlert:
        """
        Create an alert on an agent

        Callers’ runs of the agent are checked once a minute. When too many have failed, the event `agent.failing` and
        a mail tell of it, with the most frequent errors; `agent.recovered` when they are below four fifths of the
        threshold again. At most 100 for each workspace.
        """
        return cast("_t.PublisherAlert", (self._transport.send("POST", "/v1/publisher/alerts", json=body, idempotency_key=idempotency_key)).data)

    def get_publisher_alerts_agent_alert_id(self, agent_alert_id: str) -> _t.PublisherAlert:
        """Read an alert on an agent"""
        return cast("_t.PublisherAlert", (self._transport.send("GET", self._transport.path("/v1/publisher/alerts/{agent_alert_id}", agent_alert_id=agent_alert_id))).data)

    def patch_publisher_alerts_agent_alert_id(self, agent_alert_id: str, body: _t.PublisherAlertChange) -> _t.PublisherAlert:
        """
        Change an alert on an agent

        Changes what is sent.
        """
        return cast("_t.PublisherAlert", (self._transport.send("PATCH", self._transport.path("/v1/publisher/alerts/{agent_alert_id}", agent_alert_id=agent_alert_id), json=body)).data)

    def delete_publisher_alerts_agent_alert_id(self, agent_alert_id: str) -> _t.DeletedPublisherAlert:
        """Delete an alert on an agent"""
        return cast("_t.DeletedPublisherAlert", (self._transport.send("DELETE", self._transport.path("/v1/publisher/alerts/{agent_alert_id}", agent_alert_id=agent_alert_id))).data)

    def get_publisher_agents_agent_id_evaluation_set(self, agent_id: str) -> _t.EvaluationSet:
        """
        Read the evaluation set of an agent

        Inputs with checks of what a run does with them. An agent without a set has no cases, and the revision 0.
        """
        return cast("_t.EvaluationSet", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-set", agent_id=agent_id))).data)

    def put_publisher_agents_agent_id_evaluation_set(self, agent_id: str, body: _t.NewEvaluationSet) -> _t.EvaluationSet:
        """
        Store the evaluation set of an agent

        Replaces all cases, at most 100. Checks: string_check, json_schema, score_model (a model scores the output by
        a rubric), tool_called, cost and latency. A case passes when all of its checks do.
        """
        return cast("_t.EvaluationSet", (self._transport.send("PUT", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-set", agent_id=agent_id), json=body)).data)

    def delete_publisher_agents_agent_id_evaluation_set(self, agent_id: str) -> _t.DeletedEvaluationSet:
        """
        Delete the evaluation set of an agent

        Its runs stay.
        """
        return cast("_t.DeletedEvaluationSet", (self._transport.send("DELETE", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-set", agent_id=agent_id))).data)

    def post_publisher_agents_agent_id_evaluation_set_quote(self, agent_id: str, body: _t.EvaluationQuoteOrder, *, idempotency_key: str | None = None) -> _t.EvaluationQuote:
        """
        Quote a run of the evaluation set

        What it probably costs and what it can cost at most. Stores nothing.
        """
        return cast("_t.EvaluationQuote", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-set/quote", agent_id=agent_id), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_publisher_agents_agent_id_evaluation_runs(
        self,
        agent_id: str,
        body: _t.EvaluationRunOrder,
        *,
        prefer: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.EvaluationRun:
        """
        Run the evaluation set

        Each case is a test run of the version, at the platform’s costs, paid by the key; models that judge are calls
        at their price. All together never cost more than `max_cost_usd`. The newest 100 runs of an agent are kept,
        and 5 of a workspace may be open.
        """
        return cast("_t.EvaluationRun", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-runs", agent_id=agent_id), json=body, headers={"Prefer": prefer}, idempotency_key=idempotency_key)).data)

    def get_publisher_agents_agent_id_evaluation_runs(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None) -> _t.EvaluationRunPage:
        """
        List the runs of the evaluation set

        Newest first, without their cases.
        """
        return cast("_t.EvaluationRunPage", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-runs", agent_id=agent_id), query={"limit": limit, "cursor": cursor})).data)

    def iter_publisher_agents_agent_id_evaluation_runs(self, agent_id: str, *, limit: int | None = None) -> Iterator[_t.EvaluationRunPageItem]:
        """List the runs of the evaluation set: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-runs", agent_id=agent_id), "data", "cursor", "next_cursor", query={"limit": limit})

    def get_publisher_agents_agent_id_evaluation_runs_evaluation_run_id(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        against: Literal["live"] | str | None = None,
        prefer: str | None = None,
    ) -> _t.EvaluationRun:
        """
        Read a run of the evaluation set

        The results of its cases and checks, with `against` beside those of the public version. In CI, ask with
        `Prefer: wait=60` until `status` is passed, failed or cancelled.
        """
        return cast("_t.EvaluationRun", (self._transport.send("GET", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}", agent_id=agent_id, evaluation_run_id=evaluation_run_id), query={"against": against}, headers={"Prefer": prefer})).data)

    def post_publisher_agents_agent_id_evaluation_runs_evaluation_run_id_cancel(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        prefer: str | None = None,
        idempotency_key: str | None = None,
    ) -> _t.EvaluationRun:
        """
        Cancel a run of the evaluation set

        Its running cases are cancelled; their usage so far is paid.
        """
        return cast("_t.EvaluationRun", (self._transport.send("POST", self._transport.path("/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}/cancel", agent_id=agent_id, evaluation_run_id=evaluation_run_id), headers={"Prefer": prefer}, idempotency_key=idempotency_key)).data)

    def get_publisher_deployments_deployment_id_evaluation(self, deployment_id: str) -> _t.DeploymentEvaluation:
        """
        Read what the evaluation set says about a submission

        The newest run with exactly the configuration of this version, beside the newest one of the public version. It
        is part of the review.
        """
        return cast("_t.DeploymentEvaluation", (self._transport.send("GET", self._transport.path("/v1/publisher/deployments/{deployment_id}/evaluation", deployment_id=deployment_id))).data)

    def post_platform_device_codes(self, body: _t.DeviceCodesOrder | None = None, *, idempotency_key: str | None = None) -> _t.DeviceCodes:
        """
        Begin a device login

        For a program without a browser, as in RFC 8628: it shows `user_code` and the address, and asks for the key
        every `interval` seconds until a person has approved it in the console. Needs no key.
        """
        return cast("_t.DeviceCodes", (self._transport.send("POST", "/platform/v1/device/codes", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_platform_device_token(self, body: _t.DeviceTokenOrder, *, idempotency_key: str | None = None) -> _t.DeviceKey:
        """
        Fetch the key of a device login

        Until a person has decided: 400 `authorization_pending`, or `slow_down` when `interval` is not over: then wait
        5 seconds more from now on. 400 `access_denied`: the person said no, or may not make this key. 400
        `expired_token`: the code is unknown, its ten minutes are over, or its key was fetched. The key is made by
        this request and is in this answer alone. Needs no key.
        """
        return cast("_t.DeviceKey", (self._transport.send("POST", "/platform/v1/device/token", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def get_agents_namespace_slug_icon(self, namespace: str, slug: str) -> bytes:
        """
        Load an agent’s icon

        A PNG, JPEG, WebP or GIF image, for pages. Needs no key.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/v1/agents/{namespace}/{slug}/icon", namespace=namespace, slug=slug), expect="bytes")).data)

    def get_logos_logo_id(self, logo_id: str) -> bytes:
        """
        Load a logo

        The image of a `logo_url`. Needs no key.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/v1/logos/{logo_id}", logo_id=logo_id), expect="bytes")).data)

    def get_voiceapi_voices_voice_id_preview(self, voice_id: str) -> bytes:
        """
        Hear a preset voice

        A sentence as MP3, free and without a key: the `preview_url` of a preset. 404 `preview_not_found` where only a
        vendor speaks it.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/voiceapi/v1/voices/{voice_id}/preview", voice_id=voice_id), expect="bytes")).data)

    def get_well_known_agent_card_json(self) -> _t.AgentCard:
        """
        Read the platform’s A2A card

        The public agents as skills of one agent. Needs no key.
        """
        return cast("_t.AgentCard", (self._transport.send("GET", "/.well-known/agent-card.json")).data)

    def get_agents_namespace_slug_card(self, namespace: str, slug: str) -> _t.AgentCard:
        """
        Read an agent’s A2A card

        The AgentCard of the A2A protocol, version 1.0, for agents that discover other agents. Needs no key.
        """
        return cast("_t.AgentCard", (self._transport.send("GET", self._transport.path("/v1/agents/{namespace}/{slug}/card", namespace=namespace, slug=slug))).data)

    def get_a2a_namespace_slug_well_known_agent_card_json(self, namespace: str, slug: str) -> _t.AgentCard:
        """
        Read an agent’s A2A card

        The AgentCard of the A2A protocol, version 1.0, for agents that discover other agents. Needs no key.
        """
        return cast("_t.AgentCard", (self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/.well-known/agent-card.json", namespace=namespace, slug=slug))).data)

    def post_a2a(self, body: _t.A2aRpcRequest, *, idempotency_key: str | None = None) -> _t.A2aRpcAnswer:
        """
        Use agents over A2A (JSON-RPC)

        The JSON-RPC binding of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask,
        SubscribeToTask. A task is a run, held and billed like one; its `messageId` makes a message idempotent. Push
        notifications are refused: register a webhook endpoint.
        """
        return cast("_t.A2aRpcAnswer", (self._transport.send("POST", "/a2a", json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_a2a_message_send(self, send: str, body: _t.A2aMessageRequest, *, idempotency_key: str | None = None) -> _t.A2aSendAnswer:
        """
        Send a message over A2A

        Answers when the task has ended or requires input, or at once with configuration.returnImmediately. Errors
        have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aSendAnswer", (self._transport.send("POST", self._transport.path("/a2a/message:send", send=send), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_a2a_message_stream(self, stream: str, body: _t.A2aMessageRequest, *, idempotency_key: str | None = None) -> bytes:
        """
        Send a message over A2A and stream its task

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/a2a/message:stream", stream=stream), json=body, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def get_a2a_tasks(
        self,
        *,
        context_id: str | None = None,
        status: Literal["", "TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"] | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        history_length: int | None = None,
        status_timestamp_after: str | None = None,
        include_artifacts: Any | None = None,
    ) -> _t.A2aTaskPage:
        """
        List tasks over A2A

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aTaskPage", (self._transport.send("GET", "/a2a/tasks", query={"contextId": context_id, "status": status, "pageSize": page_size, "pageToken": page_token, "historyLength": history_length, "statusTimestampAfter": status_timestamp_after, "includeArtifacts": include_artifacts})).data)

    def iter_a2a_tasks(
        self,
        *,
        context_id: str | None = None,
        status: Literal["", "TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"] | None = None,
        page_size: int | None = None,
        history_length: int | None = None,
        status_timestamp_after: str | None = None,
        include_artifacts: Any | None = None,
    ) -> Iterator[_t.A2aTask]:
        """List tasks over A2A: all items, over all pages."""
        return self._transport.iterate("/a2a/tasks", "tasks", "pageToken", "nextPageToken", query={"contextId": context_id, "status": status, "pageSize": page_size, "historyLength": history_length, "statusTimestampAfter": status_timestamp_after, "includeArtifacts": include_artifacts})

    def get_a2a_tasks_run_id_subscribe(self, run_id: str, subscribe: str) -> bytes:
        """
        Follow a task over A2A

        From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/a2a/tasks/{run_id}:subscribe", run_id=run_id, subscribe=subscribe), expect="bytes")).data)

    def post_a2a_tasks_run_id_subscribe(self, run_id: str, subscribe: str, *, idempotency_key: str | None = None) -> bytes:
        """
        Follow a task over A2A

        From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/a2a/tasks/{run_id}:subscribe", run_id=run_id, subscribe=subscribe), idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def get_a2a_tasks_run_id(self, run_id: str, *, history_length: int | None = None) -> _t.A2aTask:
        """
        Read a task over A2A

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aTask", (self._transport.send("GET", self._transport.path("/a2a/tasks/{run_id}", run_id=run_id), query={"historyLength": history_length})).data)

    def post_a2a_tasks_run_id_cancel(self, run_id: str, cancel: str, *, idempotency_key: str | None = None) -> _t.A2aTask:
        """
        Cancel a task over A2A

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aTask", (self._transport.send("POST", self._transport.path("/a2a/tasks/{run_id}:cancel", run_id=run_id, cancel=cancel), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_a2a_tasks_run_id_push_notification_configs(self, run_id: str, *, idempotency_key: str | None = None) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("POST", self._transport.path("/a2a/tasks/{run_id}/pushNotificationConfigs", run_id=run_id), idempotency_key=idempotency_key, repeatable=False)

    def get_a2a_tasks_run_id_push_notification_configs(self, run_id: str) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("GET", self._transport.path("/a2a/tasks/{run_id}/pushNotificationConfigs", run_id=run_id))

    def get_a2a_tasks_run_id_push_notification_configs_config_id(self, run_id: str, config_id: str) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("GET", self._transport.path("/a2a/tasks/{run_id}/pushNotificationConfigs/{config_id}", run_id=run_id, config_id=config_id))

    def delete_a2a_tasks_run_id_push_notification_configs_config_id(self, run_id: str, config_id: str) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("DELETE", self._transport.path("/a2a/tasks/{run_id}/pushNotificationConfigs/{config_id}", run_id=run_id, config_id=config_id))

    def get_a2a_extended_agent_card(self) -> None:
        """
        Extended cards over A2A: refused

        The card without a key is the whole card. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("GET", "/a2a/extendedAgentCard")

    def post_a2a_namespace_slug(self, namespace: str, slug: str, body: _t.A2aRpcRequest, *, idempotency_key: str | None = None) -> _t.A2aRpcAnswer:
        """
        Use agents over A2A (JSON-RPC)

        The JSON-RPC binding of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask,
        SubscribeToTask. A task is a run, held and billed like one; its `messageId` makes a message idempotent. Push
        notifications are refused: register a webhook endpoint.
        """
        return cast("_t.A2aRpcAnswer", (self._transport.send("POST", self._transport.path("/a2a/{namespace}/{slug}", namespace=namespace, slug=slug), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_a2a_namespace_slug_message_send(
        self,
        namespace: str,
        slug: str,
        send: str,
        body: _t.A2aMessageRequest,
        *,
        idempotency_key: str | None = None,
    ) -> _t.A2aSendAnswer:
        """
        Send a message over A2A

        Answers when the task has ended or requires input, or at once with configuration.returnImmediately. Errors
        have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aSendAnswer", (self._transport.send("POST", self._transport.path("/a2a/{namespace}/{slug}/message:send", namespace=namespace, slug=slug, send=send), json=body, idempotency_key=idempotency_key, repeatable=False)).data)

    def post_a2a_namespace_slug_message_stream(
        self,
        namespace: str,
        slug: str,
        stream: str,
        body: _t.A2aMessageRequest,
        *,
        idempotency_key: str | None = None,
    ) -> bytes:
        """
        Send a message over A2A and stream its task

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/a2a/{namespace}/{slug}/message:stream", namespace=namespace, slug=slug, stream=stream), json=body, idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def get_a2a_namespace_slug_tasks(
        self,
        namespace: str,
        slug: str,
        *,
        context_id: str | None = None,
        status: Literal["", "TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"] | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        history_length: int | None = None,
        status_timestamp_after: str | None = None,
        include_artifacts: Any | None = None,
    ) -> _t.A2aTaskPage:
        """
        List tasks over A2A

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aTaskPage", (self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/tasks", namespace=namespace, slug=slug), query={"contextId": context_id, "status": status, "pageSize": page_size, "pageToken": page_token, "historyLength": history_length, "statusTimestampAfter": status_timestamp_after, "includeArtifacts": include_artifacts})).data)

    def iter_a2a_namespace_slug_tasks(
        self,
        namespace: str,
        slug: str,
        *,
        context_id: str | None = None,
        status: Literal["", "TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"] | None = None,
        page_size: int | None = None,
        history_length: int | None = None,
        status_timestamp_after: str | None = None,
        include_artifacts: Any | None = None,
    ) -> Iterator[_t.A2aTask]:
        """List tasks over A2A: all items, over all pages."""
        return self._transport.iterate(self._transport.path("/a2a/{namespace}/{slug}/tasks", namespace=namespace, slug=slug), "tasks", "pageToken", "nextPageToken", query={"contextId": context_id, "status": status, "pageSize": page_size, "historyLength": history_length, "statusTimestampAfter": status_timestamp_after, "includeArtifacts": include_artifacts})

    def get_a2a_namespace_slug_tasks_run_id_subscribe(self, namespace: str, slug: str, run_id: str, subscribe: str) -> bytes:
        """
        Follow a task over A2A

        From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}:subscribe", namespace=namespace, slug=slug, run_id=run_id, subscribe=subscribe), expect="bytes")).data)

    def post_a2a_namespace_slug_tasks_run_id_subscribe(self, namespace: str, slug: str, run_id: str, subscribe: str, *, idempotency_key: str | None = None) -> bytes:
        """
        Follow a task over A2A

        From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("bytes", (self._transport.send("POST", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}:subscribe", namespace=namespace, slug=slug, run_id=run_id, subscribe=subscribe), idempotency_key=idempotency_key, repeatable=False, expect="bytes")).data)

    def get_a2a_namespace_slug_tasks_run_id(self, namespace: str, slug: str, run_id: str, *, history_length: int | None = None) -> _t.A2aTask:
        """
        Read a task over A2A

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aTask", (self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}", namespace=namespace, slug=slug, run_id=run_id), query={"historyLength": history_length})).data)

    def post_a2a_namespace_slug_tasks_run_id_cancel(self, namespace: str, slug: str, run_id: str, cancel: str, *, idempotency_key: str | None = None) -> _t.A2aTask:
        """
        Cancel a task over A2A

        Errors have the protocol’s own form, `google.rpc.Status`.
        """
        return cast("_t.A2aTask", (self._transport.send("POST", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}:cancel", namespace=namespace, slug=slug, run_id=run_id, cancel=cancel), idempotency_key=idempotency_key, repeatable=False)).data)

    def post_a2a_namespace_slug_tasks_run_id_push_notification_configs(self, namespace: str, slug: str, run_id: str, *, idempotency_key: str | None = None) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("POST", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}/pushNotificationConfigs", namespace=namespace, slug=slug, run_id=run_id), idempotency_key=idempotency_key, repeatable=False)

    def get_a2a_namespace_slug_tasks_run_id_push_notification_configs(self, namespace: str, slug: str, run_id: str) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}/pushNotificationConfigs", namespace=namespace, slug=slug, run_id=run_id))

    def get_a2a_namespace_slug_tasks_run_id_push_notification_configs_config_id(self, namespace: str, slug: str, run_id: str, config_id: str) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}/pushNotificationConfigs/{config_id}", namespace=namespace, slug=slug, run_id=run_id, config_id=config_id))

    def delete_a2a_namespace_slug_tasks_run_id_push_notification_configs_config_id(self, namespace: str, slug: str, run_id: str, config_id: str) -> None:
        """
        Push notifications over A2A: refused

        Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("DELETE", self._transport.path("/a2a/{namespace}/{slug}/tasks/{run_id}/pushNotificationConfigs/{config_id}", namespace=namespace, slug=slug, run_id=run_id, config_id=config_id))

    def get_a2a_namespace_slug_extended_agent_card(self, namespace: str, slug: str) -> None:
        """
        Extended cards over A2A: refused

        The card without a key is the whole card. Errors have the protocol’s own form, `google.rpc.Status`.
        """
        self._transport.send("GET", self._transport.path("/a2a/{namespace}/{slug}/extendedAgentCard", namespace=namespace, slug=slug))

    def get_clients(self) -> _t.ClientList:
        """
        List the clients to install

        The packages of this version for TypeScript, with the command line, and for Python. Needs no key.
        """
        return cast("_t.ClientList", (self._transport.send("GET", "/clients")).data)

    def get_clients_file(self, file: str) -> bytes:
        """
        Load a client

        A package of GET /clients by its `file`, or ledgerline.tgz for the one of npm: npm and pip install it from
        here. Needs no key.
        """
        return cast("bytes", (self._transport.send("GET", self._transport.path("/clients/{file}", file=file), expect="bytes")).data)

    def get_well_known_ledgerline_bill_keys_json(self) -> _t.BillKeys:
        """
        Read the keys that sign the ledger

        A JWK set. Replaced keys stay, with the time in which they signed. No key is needed.
        """
        return cast("_t.BillKeys", (self._transport.send("GET", "/.well-known/ledgerline-bill-keys.json")).data)

    def get_well_known_ledgerline_roots_json(self, *, before: str | None = None, limit: int | None = None) -> _t.BillRoots:
        """
        List the signed roots of the ledger

        One for each day (UTC), the newest first; each has the hash of the one before. No key is needed.
        """
        return cast("_t.BillRoots", (self._transport.send("GET", "/.well-known/ledgerline-roots.json", query={"before": before, "limit": limit})).data)

    def iter_well_known_ledgerline_roots_json(self, *, limit: int | None = None) -> Iterator[_t.BillRoot]:
        """List the signed roots of the ledger: all items, over all pages."""
        return self._transport.iterate("/.well-known/ledgerline-roots.json", "roots", "before", "date", query={"limit": limit})

    def get_well_known_ledgerline_roots_day(self, day: str) -> _t.BillRoot:
        """
        Read the signed root of a day

        It never changes. No key is needed.
        """
        return cast("_t.BillRoot", (self._transport.send("GET", self._transport.path("/.well-known/ledgerline-roots/{day}", day=day))).data)

    def get_healthz(self) -> _t.Status:
        """Whether the process runs"""
        return cast("_t.Status", (self._transport.send("GET", "/healthz")).data)

    def get_readyz(self) -> _t.Readiness:
        """Whether it can do its work"""
        return cast("_t.Readiness", (self._transport.send("GET", "/readyz")).data)
