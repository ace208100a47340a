"""The parts of the client, without a server: its answers come from a handler."""

import asyncio
import base64
import hmac
import io
import json
import time
import unittest
from unittest import mock

import httpx

import ledgerline
from ledgerline import AsyncLedgerline, Ledgerline
from ledgerline.add.module import module_of
from ledgerline.results import Transcript
from ledgerline.wire import EventDecoder


def answer(status=200, body=None, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={} if body is None else body, headers=named)


def refusal(status, code="overloaded", **headers):
    error = {"message": "No.", "type": "api_error", "param": None, "code": code}
    return answer(status, {"error": error}, x_request_id="req_1", **headers)


class Served(unittest.TestCase):
    """A client whose answers are given in order; the last one is repeated. Errors are raised."""

    def client(self, *answers, key="key", **options):
        self.sent, self.delays = [], []
        waiting = mock.patch("ledgerline.io.sync_io.sleep", self.delays.append)
        waiting.start()
        self.addCleanup(waiting.stop)

        def handle(request):
            request.read()
            self.sent.append(request)
            given = answers[min(len(self.sent), len(answers)) - 1]
            if isinstance(given, Exception):
                raise given
            return given(request) if callable(given) else given

        http_client = httpx.Client(transport=httpx.MockTransport(handle))
        return Ledgerline(key, "http://test", http_client=http_client, **options)

    def keys(self):
        return {request.headers.get("idempotency-key") for request in self.sent}


class Retries(Served):
    def test_all_tries_of_a_post_have_one_key(self):
        client = self.client(httpx.ReadError("cut"), refusal(503), answer(201, {"id": "ses_1"}))
        self.assertEqual(client.api.post_sessions({"title": "Sales"}), {"id": "ses_1"})
        self.assertEqual((len(self.sent), len(self.keys())), (3, 1))
        client.api.post_sessions({})
        self.assertEqual(len(self.keys()), 2)

    def test_a_key_of_the_caller_is_kept(self):
        self.client(answer()).api.post_runs({"agent": "acme/poet", "input": "Hi."}, idempotency_key="order-4711")
        self.assertEqual(self.keys(), {"order-4711"})

    def test_they_end_with_the_last_failure(self):
        with self.assertRaises(ledgerline.APIConnectionError):
            self.client(httpx.ReadError("cut")).runs.get("run_1")
        self.assertEqual(len(self.sent), 3)
        with self.assertRaises(ledgerline.ServerError) as raised:
            self.client(refusal(500), max_retries=0).runs.get("run_1")
        self.assertEqual(
            (raised.exception.code, raised.exception.request_id, len(self.sent)), ("overloaded", "req_1", 1)
        )

    def test_waits_as_long_as_the_service_says(self):
        self.client(
            refusal(429, retry_after="7"), refusal(429, retry_after="7", retry_after_ms="6500"), answer()
        ).runs.get("r")
        self.assertEqual(self.delays, [7.0, 6.5])
        with self.assertRaises(ledgerline.RateLimitError):
            self.client(refusal(429, retry_after="61")).runs.get("r")

    def test_delays_grow_with_jitter(self):
        self.client(refusal(502), refusal(502), answer()).runs.get("r")
        self.assertTrue(0.375 <= self.delays[0] <= 0.5 and 0.75 <= self.delays[1] <= 1.0, self.delays)

    def test_the_service_decides_about_conflicts(self):
        with self.assertRaises(ledgerline.ConflictError):
            self.client(refusal(409, "idempotency_conflict", x_should_retry="false")).api.post_sessions({})
        self.assertEqual(len(self.sent), 1)
        self.client(refusal(409, "session_busy", x_should_retry="true"), answer()).api.post_sessions({})
        self.assertEqual(len(self.sent), 2)

    def test_waits_for_the_first_try_that_still_runs(self):
        busy = refusal(409, "idempotency_in_progress", retry_after="1")
        self.client(*[busy] * 9, answer(200, {"id": "run_1"}), max_retries=1).api.post_runs(
            {"agent": "a/b", "input": "Hi."}
        )
        self.assertEqual((len(self.sent), self.delays), (10, [1.0] * 9))

    def test_what_has_no_key_is_sent_once_only(self):
        for failure in (httpx.ReadError("cut"), refusal(500)):
            with self.assertRaises((ledgerline.APIConnectionError, ledgerline.ServerError)):
                self.client(failure).api.post_platform_webhook_endpoints_endpoint_id_rotate_secret("we_1")
            self.assertEqual(len(self.sent), 1)
        self.client(httpx.ConnectError("away"), answer()).api.post_platform_webhook_endpoints_endpoint_id_rotate_secret(
            "we_1"
        )
        self.assertEqual(len(self.sent), 2)


class Interrupts(Served):
    """Ctrl-C, and tasks that are cancelled, while an order is on its way or its run goes on."""

    order = {"agent": "acme/poet", "input": "Rain."}

    def test_an_order_on_its_way_is_cancelled(self):
        client = self.client(interrupt, answer(202, {"id": "run_1"}), answer())
        with self.assertRaises(KeyboardInterrupt):
            client.agents.run(**self.order, cancel_on_abort=True)
        self.assertEqual([sent.url.path for sent in self.sent], ["/v1/runs", "/v1/runs", "/v1/runs/run_1/cancel"])
        self.assertEqual(self.sent[0].headers["idempotency-key"], self.sent[1].headers["idempotency-key"])
        self.assertEqual(self.sent[0].content, self.sent[1].content)

    def test_without_the_option_nothing_else_is_sent(self):
        with self.assertRaises(KeyboardInterrupt):
            self.client(interrupt).agents.run(**self.order)
        self.assertEqual(len(self.sent), 1)

    def test_a_cancellation_that_fails_does_not_hide_them(self):
        client = self.client(answer(202, {"id": "run_1"}), interrupt, refusal(500))
        with self.assertRaises(KeyboardInterrupt):
            client.agents.run(**self.order, cancel_on_abort=True)
        self.assertEqual(self.sent[-1].url.path, "/v1/runs/run_1/cancel")

    def test_a_cancelled_task_cancels_its_order(self):
        sent, arrived = [], asyncio.Event()

        async def handle(request):
            sent.append(request)
            if len(sent) == 1:
                arrived.set()
                await asyncio.sleep(3600)
            return answer(202, {"id": "run_1"})

        async def run():
            http_client = httpx.AsyncClient(transport=httpx.MockTransport(handle))
            client = AsyncLedgerline("key", "http://test", http_client=http_client)
            task = asyncio.create_task(client.agents.run(**self.order, cancel_on_abort=True))
            await arrived.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(run())
        self.assertEqual([one.url.path for one in sent], ["/v1/runs", "/v1/runs", "/v1/runs/run_1/cancel"])


def interrupt(_request):
    raise KeyboardInterrupt


class Requests(Served):
    def test_errors_have_classes(self):
        kinds = {
            400: "InvalidRequestError",
            401: "AuthenticationError",
            402: "InsufficientBalanceError",
            404: "NotFoundError",
        }
        kinds |= {403: "PermissionDeniedError", 409: "ConflictError", 412: "ConflictError", 422: "InvalidRequestError"}
        for status, name in kinds.items():
            with self.assertRaises(getattr(ledgerline, name)) as raised:
                self.client(refusal(status, "some_code"), max_retries=0).runs.get("run_1")
            self.assertEqual(str(raised.exception), f"No. ({status}, some_code, req_1)")

    def test_a_missing_key_is_named(self):
        with self.assertRaises(ledgerline.AuthenticationError) as raised:
            self.client(refusal(401, "invalid_api_key"), key="", max_retries=0).runs.get("run_1")
        self.assertIn("set LEDGERLINE_API_KEY", str(raised.exception))

    def test_an_error_of_a_proxy_can_be_printed(self):
        for error, shown in [
            ({"message": {"a": 1}, "code": 502}, "The service answered 502. (502, 502)"),
            (["a"], "The service answered 502. (502)"),
            ({"message": 7, "code": None}, "7 (502)"),
        ]:
            with self.assertRaises(ledgerline.ServerError) as raised:
                self.client(answer(502, {"error": error}), max_retries=0).runs.get("run_1")
            self.assertEqual(str(raised.exception), shown)

    def test_parameters_are_encoded(self):
        client = self.client(answer(200, {"data": [], "has_more": False, "next_cursor": None}))
        list(client.runs.list(metadata={"team": "a b"}, status="failed", from_="2026-01-01"))
        client.api.get_models_id("acme/po?et")
        self.assertEqual(
            dict(self.sent[0].url.params), {"metadata[team]": "a b", "status": "failed", "from": "2026-01-01"}
        )
        self.assertEqual(self.sent[1].url.raw_path, b"/v1/models/acme%2Fpo%3Fet")
        for name in ("", "..", "."):
            with self.assertRaises(ledgerline.LedgerlineError):
                client.runs.get(name)

    def test_lists_go_over_all_pages(self):
        pages = [
            {"data": [{"id": 1}, {"id": 2}], "has_more": True, "next_cursor": "c1"},
            {"data": [{"id": 3}], "has_more": False, "next_cursor": None},
        ]
        client = self.client(*[answer(200, page) for page in pages])
        self.assertEqual([one["id"] for one in client.agents.list(search="po")], [1, 2, 3])
        self.assertEqual([str(sent.url.query, "ascii") for sent in self.sent], ["search=po", "search=po&cursor=c1"])

    def test_the_last_item_names_the_next_page_of_a_list_without_a_cursor(self):
        pages = [
            {"roots": [{"date": "2026-01-02"}], "has_more": True},
            {"roots": [{"date": "2026-01-01"}], "has_more": False},
        ]
        client = self.client(*[answer(200, page) for page in pages])
        self.assertEqual(len(list(client.api.iter_well_known_ledgerline_roots_json())), 2)
        self.assertEqual(self.sent[1].url.params["before"], "2026-01-02")

    def test_a_missing_client_of_a_vendor_is_named(self):
        for vendor in ("openai", "elevenlabs"):
            with mock.patch.dict("sys.modules", {vendor: None, f"{vendor}.client": None}):
                with self.assertRaisesRegex(ledgerline.LedgerlineError, f"pip install {vendor}"):
                    getattr(self.client(answer()), vendor)()

    def test_a_key_of_a_vendor_is_never_sent_here(self):
        keys = {"OPENAI_API_KEY": "sk-vendor", "ELEVENLABS_API_KEY": "vendor", "LEDGERLINE_API_KEY": ""}
        with mock.patch.dict("os.environ", keys):
            for vendor in ("openai", "elevenlabs"):
                with self.assertRaisesRegex(ledgerline.LedgerlineError, "LEDGERLINE_API_KEY"):
                    getattr(Ledgerline(base_url="http://test"), vendor)()

    def test_costs_are_recorded(self):
        client = self.client(
            answer(200, {}, x_cost_usd="0.25", x_request_id="req_1"), answer(200, {"usage": {"cost": 0.5}})
        )
        with client.recorded() as calls:
            client.request("POST", "/v1/chat/completions", json={})
            client.request("POST", "/v1/chat/completions", json={})
        client.request("GET", "/healthz")
        self.assertEqual((calls.cost_usd, calls[0].request_id, len(calls)), (0.75, "req_1", 2))

    def test_the_environment_has_key_and_address(self):
        with mock.patch.dict("os.environ", {"LEDGERLINE_API_KEY": "k", "LEDGERLINE_BASE_URL": "http://here/"}):
            client = Ledgerline()
        self.assertEqual((client.base_url, client._transport.api_key), ("http://here", "k"))

    def test_no_error_shows_a_key_or_a_password(self):
        for key, url in [("sk-sec\nret", None), ("sk-secré", None), ("k", "http://user:sk-sec@here")]:
            with self.assertRaises(ledgerline.LedgerlineError) as raised:
                Ledgerline(key, url)
            self.assertNotIn("sk-sec", str(raised.exception))
        self.assertEqual(Ledgerline(" k\n")._transport.api_key, "k")

    def test_inputs_take_each_form(self):
        client = self.client(answer(202, {"id": "run_1"}))
        client.agents.start("acme/poet", {"topic": "rain"}, files=["file_1"], max_cost_usd=0.1)
        wanted = [{"type": "input_data", "data": {"topic": "rain"}}, {"type": "input_file", "file_id": "file_1"}]
        self.assertEqual(json.loads(self.sent[0].content), {"agent": "acme/poet", "input": wanted, "max_cost_usd": 0.1})


class Files(Served):
    def test_each_try_sends_the_whole_file(self):
        client, steps = self.client(httpx.WriteError("cut"), answer(200, {"id": "file_1"})), []
        file = io.BytesIO(b"skipped:" + b"x" * 100_000)
        file.seek(8)
        client.files.upload(file, filename="x.bin", on_progress=lambda done, size: steps.append((done, size)))
        self.assertEqual([b"x" * 100_000 in sent.content for sent in self.sent], [True, True])
        self.assertNotIn(b"skipped", self.sent[1].content)
        self.assertEqual(steps[-1], (100_000, 100_000))
        self.assertEqual(len(self.keys()), 1)

    def test_a_large_file_goes_in_parts(self):
        done = []
        with mock.patch("ledgerline.uploads.PART_BYTES", 10), mock.patch("ledgerline._sync.files.PART_BYTES", 10):
            upload, part = (
                answer(200, {"id": "upload_1"}),
                lambda request: answer(200, {"id": f"part_{len(self.sent)}"}),
            )
            client = self.client(
                upload, part, httpx.ReadError("cut"), part, part, answer(200, {"file": {"id": "file_1"}})
            )
            file = client.files.upload(
                ("a.csv", b"0123456789abcdefghijKL"), on_progress=lambda sent, _: done.append(sent)
            )
        self.assertEqual(file, {"id": "file_1"})
        self.assertEqual(
            [sent.url.path.rpartition("/")[2] for sent in self.sent],
            ["uploads", "parts", "parts", "parts", "parts", "complete"],
        )
        self.assertEqual(json.loads(self.sent[-1].content), {"part_ids": ["part_2", "part_4", "part_5"]})
        self.assertTrue(
            all(b"abcdefghij" in self.sent[at].content for at in (2, 3)) and b"\r\nKL\r\n" in self.sent[4].content
        )
        self.assertEqual(done[-1], 22)

    def test_a_download_goes_on_where_it_was_cut(self):
        class Cut(httpx.SyncByteStream):
            def __iter__(self):
                yield b"0123"
                raise httpx.ReadError("cut")

        first = httpx.Response(200, stream=Cut(), headers={"etag": '"e"', "content-length": "10"})
        rest = httpx.Response(206, content=b"456789", headers={"etag": '"e"'})
        self.assertEqual(self.client(first, rest).files.read("file_1"), b"0123456789")
        self.assertEqual([self.sent[1].headers[name] for name in ("range", "if-range")], ["bytes=4-", '"e"'])
        changed = httpx.Response(200, content=b"other", headers={"etag": '"f"'})
        with self.assertRaises(ledgerline.LedgerlineError):
            self.client(httpx.Response(200, stream=Cut(), headers={"etag": '"e"'}), changed).files.read("file_1")


class ResumedStreams(Served):
    def test_they_go_on_after_the_last_whole_event(self):
        frames = [b'id: 1\ndata: {"n": 1}\n\nid: 2\nda', b'id: 2\ndata: {"n": 2}\n\n', b"id: 3\ndata: [DONE]\n\n"]
        client = self.client(*[httpx.Response(200, content=frame) for frame in frames])
        with client.api.stream_platform_requests_request_id("req_1") as stream:
            self.assertEqual([event["n"] for event in stream], [1, 2])
        self.assertEqual([sent.headers.get("last-event-id") for sent in self.sent], [None, "1", "2"])

    def test_they_end_with_a_refusal_but_not_with_a_failure(self):
        client = self.client(refusal(503), refusal(404, "run_not_found"))
        with self.assertRaises(ledgerline.NotFoundError):
            list(client.runs.stream("run_1"))
        self.assertEqual(list(self.client(httpx.Response(204)).runs.stream("run_1", starting_after="evt_9")), [])

    def test_an_end_without_the_last_event_is_a_loss(self):
        client = self.client(httpx.Response(200, content=b": hello\n\n"))
        with self.assertRaises(ledgerline.APIConnectionError):
            list(client.runs.stream("run_1"))
        self.assertEqual(len(self.sent), 11)
        with self.assertRaises(ledgerline.APITimeoutError):
            self.client(httpx.Response(200)).runs.wait("run_1", timeout=0)

    def test_an_event_that_is_no_json_is_asked_for_again(self):
        frames = [b"id: 1\ndata: {\n\n", b'id: 1\ndata: {"n": 1}\n\nid: 2\ndata: [DONE]\n\n']
        client = self.client(*[httpx.Response(200, content=frame) for frame in frames])
        with client.api.stream_platform_requests_request_id("req_1") as stream:
            self.assertEqual([event["n"] for event in stream], [1])
        self.assertNotIn("last-event-id", self.sent[1].headers)

    def test_a_run_is_read_when_its_events_are_deleted(self):
        run = {"id": "run_1", "status": "completed", "output": [{"type": "output_text", "text": "Rain."}]}
        client = self.client(refusal(410, "event_expired"), answer(200, run))
        self.assertEqual(client.runs.wait("run_1").output, "Rain.")

    def test_a_wait_ends_in_time(self):
        with self.assertRaises(ledgerline.APITimeoutError):
            self.client(httpx.ReadTimeout("silent")).runs.wait("run_1", timeout=0)


class Webhooks(unittest.TestCase):
    body, secret = b'{"id": "evt_1", "type": "run.completed"}', "whsec_" + base64.b64encode(b"k" * 24).decode()

    def headers(self, sent_at=None, secret=None):
        sent_at = str(sent_at or int(time.time()))
        key = base64.b64decode((self.secret if secret is None else secret).removeprefix("whsec_"))
        signature = base64.b64encode(
            hmac.digest(key, b"evt_1." + sent_at.encode() + b"." + self.body, "sha256")
        ).decode()
        return {"Webhook-Id": "evt_1", "webhook-timestamp": sent_at, "webhook-signature": f"v1a,x v1,{signature}"}

    def test_an_event_is_returned_also_during_a_rotation(self):
        self.assertEqual(Ledgerline.webhooks.unwrap(self.body, self.headers(), self.secret)["id"], "evt_1")
        new = "whsec_" + base64.b64encode(b"n" * 24).decode()
        self.assertEqual(
            Ledgerline.webhooks.unwrap(self.body.decode(), self.headers(), [new, self.secret])["id"], "evt_1"
        )

    def test_everything_else_is_refused(self):
        for body, headers in [
            (b"{}", self.headers()),
            (self.body, self.headers(secret="whsec_AAAA")),
            (self.body, self.headers(int(time.time()) - 301)),
            (self.body, self.headers(int(time.time()) + 301)),
            (self.body, {}),
            (self.body, {**self.headers(), "webhook-timestamp": "soon"}),
            (self.body, {**self.headers(), "webhook-timestamp": "9" * 400}),
            (self.body, {**self.headers(), "webhook-timestamp": None}),
            (self.body, {**self.headers(), "webhook-signature": "v1,ünïcode"}),
            (self.body, {**self.headers(), "webhook-signature": "v1,A v1,\udc80"}),
            (self.body, {**self.headers(), "webhook-id": "\udc80"}),
        ]:
            with self.assertRaises(ledgerline.WebhookVerificationError):
                Ledgerline.webhooks.unwrap(body, headers, self.secret)


    def test_an_empty_secret_never_counts(self):
        for secret in ("", "whsec_", "!!!!", None, ["", self.secret]):
            with self.assertRaises(ledgerline.LedgerlineError):
                Ledgerline.webhooks.unwrap(self.body, self.headers(secret="whsec_"), secret)


class Bills(unittest.TestCase):
    def test_a_row_may_have_any_character(self):
        rows = ['{"object":"statement","opening":null,"note":"\u2028\x85"}']
        rows.append('{"object":"end","sequence":0,"balance_nanos":"0","hash":null}\n')
        self.assertEqual(Ledgerline.statements.verify("\n".join(rows), []).sequence, 0)
        self.assertEqual(Ledgerline.statements.verify("\n".join(rows).encode(), []).sequence, 0)

    def test_what_is_no_bill_is_refused(self):
        for rows in ("", "[]", "7", '{"object":"end"}', '{"object":"receipt","entries":[]}', b"\xff", "[" * 100_000):
            with self.assertRaises(ledgerline.ProofError):
                Ledgerline.statements.verify(rows, [])
        for receipt in ({}, {"entries": []}, {"entries": [None]}, {"entries": [{"root": {"signature": 7}}]}):
            with self.assertRaises(ledgerline.ProofError):
                Ledgerline.receipts.verify(receipt, [])


class Streams(unittest.TestCase):
    def test_frames_count_only_when_they_are_whole_wherever_they_are_cut(self):
        text = (
            ': hello\n\nid: 1\ndata: {"a": "\u2028ü"}\n\nid:2\r\ndata: x\r\ndata: y\r\n\r\nid: 3\ndata: lost'.encode()
        )
        for size in (1, 2, 3, 7, len(text)):
            decoder = EventDecoder()
            frames = [frame for at in range(0, len(text), size) for frame in decoder.feed(text[at : at + size])]
            self.assertEqual(frames, [("1", '{"a": "\u2028ü"}'), ("2", "x\ny")])

    def test_attempts_replace_items_and_deltas_stand_at_their_offsets(self):
        transcript = Transcript()

        def delta(item, text, offset):
            transcript.add(
                {"type": "run.output_text.delta", "data": {"item_id": item, "delta": text, "offset": offset}}
            )

        transcript.add({"type": "run.step.started", "data": {"step_id": "step_a"}})
        for _ in range(2):
            delta("item_ar2", "A 🌧", 0)
            delta("item_ar2", " B", 4)
        delta("item_ar3", "C", 0)
        delta("item_b", "D", 0)
        self.assertEqual((transcript.text, list(transcript.items)), ("C\n\nD", ["item_ar3", "item_b"]))
        transcript.add({"type": "run.output_text.done", "data": {"item_id": "item_b", "text": "E"}})
        self.assertEqual(transcript.text, "C\n\nE")

    def test_an_asynchronous_client_works_the_same(self):
        async def get():
            transport = httpx.MockTransport(lambda request: answer(200, {"id": request.url.path}))
            async with AsyncLedgerline(
                "key", "http://test", http_client=httpx.AsyncClient(transport=transport)
            ) as client:
                return await client.runs.get("run_1")

        self.assertEqual(asyncio.run(get()), {"id": "/v1/runs/run_1"})


class Typed(unittest.TestCase):
    schema = {
        "type": "object",
        "description": "What to write.",
        "properties": {
            "topic": {"type": "string", "description": 'Say "rain".'},
            "client": {"type": "string"},
            "from": {"type": ["string", "null"]},
            "form": {"enum": ["haiku", 'a "b"', 3]},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
            "tree": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "any": {},
        },
        "required": ["topic", "from"],
        "$defs": {
            "line": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "x-y": {"type": "number"}},
                "required": ["text"],
            }
        },
    }

    def test_each_schema_is_a_module_that_python_reads(self):
        agent = {"name": "Poet", "description": "Writes.", "input_schema": self.schema, "output_schema": self.schema}
        for style in ("pydantic", "typed-dict"):
            for schemas in ({}, {"input_schema": None}, {"output_schema": None}, {"output_schema": {"type": "object"}}):
                text = module_of({**agent, **schemas}, "acme/poet-2@beta", style)
                module = {"__name__": "poet"}
                exec(compile(text, "poet.py", "exec"), module)
                self.assertIn("poet_2_async", module)
                self.assertEqual(text, module_of({**agent, **schemas}, "acme/poet-2@beta", style))
        self.assertIn('{"visibility": "private", **options}', module_of(agent, "acme/poet", "pydantic", True))
        self.assertIn(
            '    form: Literal["haiku", "a \\"b\\"", 3] | None = None,', module_of(agent, "acme/poet", "pydantic")
        )
        self.assertIn("    client_: str | None = None,\n", module_of(agent, "acme/poet", "pydantic"))

    def test_properties_may_have_the_name_of_anything(self):
        names = ["str", "int", "float", "bool", "list", "dict", "type", "object", "Any", "Field", "None", "self"]
        names += ["data_of", "run_typed", "BaseModel", "class", "__proto__", "input", "client", "Literal"]
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        schema["properties"]["last"] = {"type": "array", "items": {"type": "integer"}}
        data = {name: "x" for name in names} | {"last": [1]}
        for style in ("pydantic", "typed-dict"):
            for output in (schema, None):
                agent = {"name": "Poet", "description": "", "input_schema": schema, "output_schema": output}
                module = {"__name__": "poet"}
                exec(compile(module_of(agent, "acme/poet", style), "poet.py", "exec"), module)
                with mock.patch.dict(module, run_typed=lambda client, name, data, kind, *rest: data):
                    self.assertEqual(module["poet"](type_="x", str="y"), {"type": "x", "str": "y"})
                if output and style == "pydantic":
                    self.assertEqual(module["PoetOutput"].model_validate(data).model_dump(by_alias=True), data)

    def test_no_text_of_a_publisher_becomes_code(self):
        evil = '"\\"""\nraise SystemExit("code")\n"""\'\\'
        field = {"type": "string", "description": evil}
        schema = {
            "type": "object",
            "description": evil,
            "properties": {evil: field, "a-b": field, "a_b": {"enum": [evil, "x"]}, "ä": field, "ö": field},
        }
        agent = {
            "name": evil,
            "description": evil,
            "input_schema": schema,
            "output_schema": {**schema, "required": [evil]},
        }
        for style in ("pydantic", "typed-dict"):
            module = {"__name__": "poet"}
            exec(compile(module_of(agent, "acme/poet", style), "poet.py", "exec"), module)
            with mock.patch.dict(module, run_typed=lambda client, name, data, *rest: data):
                self.assertEqual(module["poet"](a_b="x", **{"a_b_": "y"}), {"a-b": "x", "a_b": "y"})


if __name__ == "__main__":
    unittest.main()
