// Written by clients/generate.ts from the route table.
export interface paths {
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a chat
         * @description The name of a public agent in the place of a model, as in `"model": "acme/poet"`, or with a channel `acme/poet@beta`, starts a run of it, which costs what the run costs: at most the agent’s maximum, or `metadata.max_cost_usd`. The header `location` names the run. A caller that disconnects cancels it, and pays for what it consumed. `metadata.session_id` continues a session. What the publisher decides (`temperature`, `tools` and the like) is refused, unless it has OpenAI’s default. Of a typed agent the answer is its data as JSON. Files and pictures are sent as data: URLs; those that the agent has made are in `run.files` of a whole answer. Refused with 400 `unsupported_parameter` when sent and not null: `audio`, `prediction`, `web_search_options`, `functions`, `function_call`, and `modalities` other than `["text"]`.
         */
        post: operations["post_v1_chat_completions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Continue a text */
        post: operations["post_v1_completions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response
         * @description The name of a public agent in the place of a model, as in `"model": "acme/poet"`, or with a channel `acme/poet@beta`, starts a run of it, which costs what the run costs: at most the agent’s maximum, or `metadata.max_cost_usd`. The header `location` names the run. A caller that disconnects cancels it, and pays for what it consumed. `metadata.session_id` continues a session. What the publisher decides (`temperature`, `tools` and the like) is refused, unless it has OpenAI’s default. Of a typed agent the answer is its data as JSON. Files and pictures are sent as data: URLs; those that the agent has made are in `run.files` of a whole answer. Each request carries its history: send earlier output back as input, or refer to its items. Refused with 400 `unsupported_parameter` when sent and not null: `previous_response_id`, `conversation`, `background`, `background_options`, `multi_agent`, `prompt_cache_key`, `prompt`, `context_management`, `access_programs`, `image`, `moderation`, `n`, `best_of`, `audio`, `modalities`, `prediction`, `web_search_options`. `background` may be false.
         */
        post: operations["post_v1_responses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/input_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count a request's input tokens
         * @description Calls no model, and costs nothing.
         */
        post: operations["post_v1_responses_input_tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a response
         * @description Responses are kept for 24 hours, unless `store` is false.
         */
        get: operations["get_v1_responses_response_id"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description Deletes what is kept of it: the response, its input and its output items.
         */
        delete: operations["delete_v1_responses_response_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a response's input
         * @description The items, the last one first: as they were sent, with the members that may be left out. A reference is read as its item, while that is kept.
         */
        get: operations["get_v1_responses_response_id_input_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Embed texts */
        post: operations["post_v1_embeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Speak a text
         * @description Sends sound while it is made; with `stream_format: "sse"` as events `speech.audio.delta` and `speech.audio.done`. Billed by the characters of the text. When the balance does not cover the text: 402; with `x-allow-partial: true` the beginning is spoken, `x-truncated` is set, and `character-cost` is the number of spoken characters.
         */
        post: operations["post_v1_audio_speech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe sound
         * @description Up to 100 MB and 4 hours, of any common type, which is detected from the content. Billed by the decoded duration, to the millisecond. The formats `text`, `srt` and `vtt` answer with text. A form without a file, or with a missing or wrong field, is 422.
         */
        post: operations["post_v1_audio_transcriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe sound in English
         * @description Like a transcription; speech in another language is translated into English where the model supports it.
         */
        post: operations["post_v1_audio_translations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models
         * @description Public agents come after the models, as the `kind` `agent`, for keys that may run agents.
         */
        get: operations["get_v1_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a model
         * @description Also an agent: `<namespace>/<slug>`.
         */
        get: operations["get_v1_models_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{namespace}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a model whose id has a slash
         * @description The same as with a percent-encoded slash, as the official clients send it.
         */
        get: operations["get_v1_models_namespace_slug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime/client_secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a client secret
         * @description For a browser or an app, which must not have the key. The secret opens realtime sockets alone, with this session, and in the name of the key: its scopes, spend limit, addresses and rate limits count, and its revocation ends the sessions. What is set here, neither updates nor responses change. An expired secret, and one that has opened `max_sessions`, is refused with 401; one whose `spend_limit_usd` is reached with 402. Calls hold their money within `spend_limit_usd`, so sessions never spend more together; one that gets no more ends with `client_secret_spend_limit_reached`.
         */
        post: operations["post_v1_realtime_client_secrets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a client secret, with the older names
         * @description As clients with `OpenAI-Beta: realtime=v1` send it. The secret opens realtime sockets alone, with this session, and in the name of the key: its scopes, spend limit, addresses and rate limits count, and its revocation ends the sessions. What is set here, neither updates nor responses change. An expired secret, and one that has opened `max_sessions`, is refused with 401; one whose `spend_limit_usd` is reached with 402. Calls hold their money within `spend_limit_usd`, so sessions never spend more together; one that gets no more ends with `client_secret_spend_limit_reached`.
         */
        post: operations["post_v1_realtime_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Inspect the calling key */
        get: operations["get_platform_v1_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys of the workspace */
        get: operations["get_platform_v1_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/keys/derive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a narrower key of the calling key
         * @description For a program, a customer or an agent that may do less: some of the scopes, a budget, a time, some agents. What is left out is as the calling key has it. What the new key spends counts against its own limit and against those of all keys above it, exactly; with the calling key revoked, it ends within a second, and its runs and sockets with it. New keys may make others, four levels deep.
         */
        post: operations["post_platform_v1_keys_derive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key that the calling key has made
         * @description Directly or through others; with all keys that it has made. Also the calling key itself, as a program does that signs out.
         */
        delete: operations["delete_platform_v1_keys_key_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of the workspace
         * @description Calls that have ended, the last one first. Calls that were refused before anything ran are listed for 7 days with their `error`; they cost nothing. Send `next_cursor` as `cursor` for the next page. `format=csv` has them all in one file.
         */
        get: operations["get_platform_v1_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/requests/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the requests of the workspace, and sum up their cost
         * @description Of the same entries as the list has with the same filters.
         */
        get: operations["get_platform_v1_requests_totals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a request was and what it cost
         * @description There from the moment the answer ended, also of a call that was refused: then `error` says why; 409 `request_not_ended` while a stream still runs, or is still ending because its client has just left. The id is the answer’s `x-request-id`, or the `id` in its body (`chatcmpl-…`, `cmpl-…`, `resp_…`).
         */
        get: operations["get_platform_v1_requests_request_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/requests/{request_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resume the stream of a request
         * @description The events of a stream of chat/completions, completions or responses, for ten minutes after they were sent: from the first one, or after the one with the number in `Last-Event-ID` or `starting_after`. Events are numbered from 1 in the order of the stream, so the number is how many you have; here each carries it as its `id`. A stream that is still produced is followed to its end. When its client has disconnected, the generation waits a moment for a reader and then goes on, with one bill. A client that has everything gets 204. A stream above 8 MiB is not kept. Resuming costs nothing.
         */
        get: operations["get_platform_v1_requests_request_id_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the workspace has, spends and does
         * @description Balance and how long it lasts, spending by day and of this month beside the last, the last hour, and what needs attention.
         */
        get: operations["get_platform_v1_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/models/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how fast the models are
         * @description All models, as they answered everyone in the last hour; in fewer minutes on a busy installation. Calls in test mode, refused calls and calls whose clients left are not counted. Figures of fewer than 5 calls are null.
         */
        get: operations["get_platform_v1_models_performance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/models/{id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prices of a model
         * @description What it costs, has cost and will cost, the newest first. A call costs what held when it started; a price never changes backwards. Percent-encode a slash in an id.
         */
        get: operations["get_platform_v1_models_id_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find something by its id or name
         * @description Takes any id of the workspace: of a request or its answer (`chatcmpl-…`, `resp_…`), a run, a session, a batch, a file, a payment, an invoice, a key, a project, an agent, a schedule, a webhook endpoint, a ledger entry, an event. Invoices are also found by their number, keys by the beginning of their secret, and keys, own agents, schedules and endpoints by a part of their names. Has what the key’s scopes allow to read, at most five of a kind.
         */
        get: operations["get_platform_v1_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/explain/{explained_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what something cost
         * @description Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, of an entry of the ledger (`le_…`) or of an event (`evt_…`). Answers each part of the bill with its price, the rounding, and the entries that charged it. The total is what was charged in the end.
         */
        get: operations["get_platform_v1_explain_explained_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was used, grouped
         * @description Calls and runs of all products. An entry has a member for each group, null where the group does not apply: a run has no model, a call no agent. The total is the sum of the ledger’s debits, refunds and corrections of the same time, to the nano-USD. The meter `rounding` is what remains of bills after their units: rounding, refunds, and amounts above a hold that were not charged. Tokens are among the units: `input_tokens`, `output_tokens`, and `cached_input_tokens` where a model has a price for them. Without `from`, the last 30 days; by minute, the last hour.
         */
        get: operations["get_platform_v1_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the calls of a month as Parquet
         * @description One row for each ended call (by `settled_at`), compressed with Zstandard: for DuckDB, pandas, ClickHouse, BigQuery and others. Times are UTC, amounts are nano-USD; each unit has a column `units_…`. A bill that is changed after the end of its month stays as it was, and the change is a row of the month in which it was booked, with the `kind` `refund` or `correction`: a month sums up to the calls of its statement. A key that is limited to projects gets their calls. Runs are in the usage report, and refused calls in the list of requests.
         */
        get: operations["get_platform_v1_usage_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/usage/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how long calls took, grouped
         * @description The median and the 95th percentile of calls that succeeded, exact: each is the time of a call. An entry has a member for each group; the total is of all calls of the range. Without `from`, the last 30 days; by minute, the last hour.
         */
        get: operations["get_platform_v1_usage_latency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/usage/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many calls were refused or failed, grouped
         * @description An entry has a member for each group. Calls whose clients disconnected are none of these. Without `from`, the last 30 days; by minute, the last hour.
         */
        get: operations["get_platform_v1_usage_errors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the balance */
        get: operations["get_platform_v1_billing_balance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of the ledger
         * @description Newest first. Send `next_cursor` as `cursor` for the next page. `format=csv` has them all in one file.
         */
        get: operations["get_platform_v1_billing_ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/ledger/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the entries of the ledger, and sum them up
         * @description Of the same entries as the list has with the same filters.
         */
        get: operations["get_platform_v1_billing_ledger_totals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/requests/{request_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a request was asked and answered
         * @description Kept only for keys with `log_days`, for that many days (at most 90), encrypted. Text calls, speech and transcriptions are kept; realtime sessions, runs of agents and batches are not: runs and batches have their own input and output. Each reading is in the audit. The scope `contents` is given to no key by default.
         */
        get: operations["get_platform_v1_requests_request_id_content"];
        put?: never;
        post?: never;
        /**
         * Delete what a request was asked and answered
         * @description The request itself stays, with its cost.
         */
        delete: operations["delete_platform_v1_requests_request_id_content"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/keys/{key_id}/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete all contents of a key
         * @description What the calls of a key were asked and answered until now. Later calls are kept as its `log_days` says.
         */
        delete: operations["delete_platform_v1_keys_key_id_contents"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/audit_log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description What was done in the workspace, newest first: keys, members, roles, sign-ins by the identity provider, limits, money. The webhook event `audit.entry_recorded` has each entry as it happens.
         */
        get: operations["get_platform_v1_audit_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/audit_log/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the audit log
         * @description The same entries as JSON lines, one in each line, oldest first.
         */
        get: operations["get_platform_v1_audit_log_download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/audit_log/{audit_entry_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of the audit log
         * @description As the list has it.
         */
        get: operations["get_platform_v1_audit_log_audit_entry_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the workspace of the key
         * @description A test workspace has the name and the logo of its live one.
         */
        get: operations["get_platform_v1_workspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the workspace, or change its logo
         * @description Changes what is sent, for the live workspace and its test workspace. Namespaces and the addresses of published agents do not change with the name. Needs a live key.
         */
        patch: operations["patch_platform_v1_workspace"];
        trace?: never;
    };
    "/platform/v1/billing/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the billing details
         * @description What the next invoice says about the workspace.
         */
        get: operations["get_platform_v1_billing_details"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the billing details
         * @description Changes what is sent; null removes it. Invoices that were issued before keep what they say.
         */
        patch: operations["patch_platform_v1_billing_details"];
        trace?: never;
    };
    "/platform/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Newest first. Send `next_cursor` as `cursor` for the next page. After each month (UTC) in which the balance changed, the workspace gets one: its payments with their tax, which are paid already, and what the credit was used for. Its sums are those of the statement. It is never changed, its event is `invoice.issued`, and it is mailed to the `email` of the billing details.
         */
        get: operations["get_platform_v1_billing_invoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/invoices/{invoice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an invoice */
        get: operations["get_platform_v1_billing_invoices_invoice_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/invoices/{invoice_id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice
         * @description A PDF.
         */
        get: operations["get_platform_v1_billing_invoices_invoice_id_pdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Budgets and warnings of how long the balance lasts, each with what it watches now.
         */
        get: operations["get_platform_v1_alerts"];
        put?: never;
        /**
         * Create an alert
         * @description `spend` watches a budget of the workspace or of a key, `runway` how long the balance lasts. An alert stops nothing: the `spend_limit` of a key does. It is checked once a minute, and each percentage is told of once in a period: by the events `alert.spend_reached` and `alert.runway_short`, and by mail. At most 50 for each workspace.
         */
        post: operations["post_platform_v1_alerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an alert */
        get: operations["get_platform_v1_alerts_alert_id"];
        put?: never;
        post?: never;
        /** Delete an alert */
        delete: operations["delete_platform_v1_alerts_alert_id"];
        options?: never;
        head?: never;
        /**
         * Change an alert
         * @description Changes what is sent. What was told in this period is not told again, unless it has to be reached anew.
         */
        patch: operations["patch_platform_v1_alerts_alert_id"];
        trace?: never;
    };
    "/platform/v1/flow-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List flow rules
         * @description What the workspace wants of its runs of an agent: how many at once, and how many in a period.
         */
        get: operations["get_platform_v1_flow_rules"];
        put?: never;
        /**
         * Create a flow rule
         * @description It holds for runs ordered from now on, by every door and by schedules. Runs that an agent starts by `call_agent` belong to the run above them. One for each agent, at most 100 for each workspace.
         */
        post: operations["post_platform_v1_flow_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/flow-rules/{flow_rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a flow rule */
        get: operations["get_platform_v1_flow_rules_flow_rule_id"];
        put?: never;
        post?: never;
        /**
         * Delete a flow rule
         * @description Runs that wait only for it start.
         */
        delete: operations["delete_platform_v1_flow_rules_flow_rule_id"];
        options?: never;
        head?: never;
        /**
         * Change a flow rule
         * @description Replaces what is sent. A new limit or period holds at once, also for runs that wait; a new key for runs ordered from now on.
         */
        patch: operations["patch_platform_v1_flow_rules_flow_rule_id"];
        trace?: never;
    };
    "/platform/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description The default project, then the others, the oldest first. A key of a project, and a member who is limited to projects, see those alone: also of keys, requests, usage and runs.
         */
        get: operations["get_platform_v1_projects"];
        put?: never;
        /**
         * Create a project
         * @description A part of the workspace with keys, usage and a ceiling of its own. A key belongs to one project, and each call to the project that its key had when it was made. The balance stays that of the workspace. At most 500 for each workspace, archived ones included; test mode has its own.
         */
        post: operations["post_platform_v1_projects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a project */
        get: operations["get_platform_v1_projects_project_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change, archive or restore a project
         * @description Changes what is sent. With `status` `archived`, its keys are refused within a second: 401 `project_archived`. What it used stays readable, and `active` restores it. Projects are never deleted.
         */
        patch: operations["patch_platform_v1_projects_project_id"];
        trace?: never;
    };
    "/platform/v1/test_clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the clock of the test workspace */
        get: operations["get_platform_v1_test_clock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/test_clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the clock of the test workspace ahead
         * @description By `seconds`, or `to` a time; never back. The days and months of spend limits, the expiry of keys, files, quotes and client secrets, the windows of batches, the waits of runs, the attempts of webhooks, schedules, the notice of more expensive versions and the steps of rollouts follow it. When nothing is due until then, the answer is `ready`. Otherwise it is `advancing`: the clock goes from one due time to the next, and waits at each until the runs and deliveries that it has woken are done. Answers, calls, runs, payments, ledger entries and events have its times, and statements, usage and the overview its months and days. The root of a day is signed once the real day is over.
         */
        post: operations["post_platform_v1_test_clock_advance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay into the balance
         * @description Answers with the address of a payment page. The credit is on the balance when the payment has cleared: with a card at once, with a bank transfer days later. With a test key it is paid at once with test money; amounts that end with .02, .41 or .51 are declined (402 `card_declined`). Where the installation adds tax, the page asks for the address and the tax number, and the balance gets the amount without the tax.
         */
        post: operations["post_platform_v1_billing_checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save a card for later payments
         * @description Answers with the address of a page that saves a card for the workspace. With `auto_topup` the card pays by itself when the balance is low: one payment at a time, never above the cap of a month. It is set when the card is saved; until then nothing changes. A card that is declined is asked again after 1, 6, 24 and 72 hours, then no more.
         */
        post: operations["post_platform_v1_billing_card"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of Stripe
         * @description For Stripe alone, which signs it. Subscribe the endpoint to checkout.session.completed, checkout.session.async_payment_succeeded, checkout.session.async_payment_failed, checkout.session.expired, payment_intent.succeeded, payment_intent.payment_failed, payment_intent.canceled, charge.succeeded, charge.updated, charge.refunded, refund.created, refund.updated, refund.failed, charge.dispute.created, charge.dispute.updated, charge.dispute.closed, charge.dispute.funds_withdrawn, charge.dispute.funds_reinstated, setup_intent.succeeded, payment_method.detached, customer.deleted.
         */
        post: operations["post_platform_v1_billing_stripe_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month
         * @description How the balance moved in a month (UTC), and the spend by product: exact, as the ledger has it. As JSON, CSV or PDF; or as lines of JSON with every entry, the hashes and the signed roots, which `statements.verify` of the clients checks offline.
         */
        get: operations["get_platform_v1_billing_statement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/receipts/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove what something cost
         * @description Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, or of an entry of the ledger (`le_…`). Each entry comes with the proof that it is in the ledger’s signed root of its day, which is due five minutes after midnight (UTC). `receipts.verify` of the clients checks it offline.
         */
        get: operations["get_platform_v1_receipts_request_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/topups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments into the balance
         * @description Newest first, with what was refunded or disputed of each, and its receipt.
         */
        get: operations["get_platform_v1_billing_topups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/billing/auto_topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the automatic top-up */
        get: operations["get_platform_v1_billing_auto_topup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change or stop the automatic top-up
         * @description Changes what is sent; `enabled: false` stops it. Earlier declines are forgotten. 409 `no_card` before a card is saved: `POST /platform/v1/billing/card`. Where tax is added, 409 `billing_details_required` before the billing details have a country.
         */
        patch: operations["patch_platform_v1_billing_auto_topup"];
        trace?: never;
    };
    "/platform/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of the workspace
         * @description A stream of server-sent events: those that webhooks deliver, each once and in order, with the same bodies, within about a second. It begins with what happens after the request, or after the event with the id in the header `Last-Event-ID`, without a gap, for 30 days; `0` is before the oldest one kept. It does not end by itself: reconnect with the last id when the connection is lost. At most 50 streams of a workspace at each process of the API, and as many of a key as its concurrency limit: 429 names the limit.
         */
        get: operations["get_platform_v1_events_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description Kept for 30 days. With the scope `manage` any event, with `publisher` those of agents and payouts, with `agents` those of runs.
         */
        get: operations["get_platform_v1_events_event_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["get_platform_v1_webhook_endpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are posted to it as JSON, signed as Standard Webhooks say; the body is at most 256 KiB. The secret is in this answer and nowhere else. At most 20 for each workspace. `run.requires_action`: A run waits for an answer or a higher limit. `run.completed`: A run ended with its result. `run.failed`: A run failed. `run.cancelled`: A run was cancelled. `run.limit_reached`: A run ended at one of its limits. `schedule.paused`: The platform paused a schedule, because its runs cannot be created. `batch.completed`: A batch ended, and its output is ready. `batch.failed`: The input of a batch was not valid. `batch.expired`: A batch did not end within its completion window; what was ready is in its output. `batch.cancelled`: A batch was cancelled; what was ready is in its output. `deployment.approved`: A submission was approved and is public, or `scheduled` until the notice of its price is over. `deployment.changes_requested`: A reviewer asks for changes. `deployment.rejected`: A submission was rejected. `deployment.withdrawn`: A submission was withdrawn. `deployment.suspended`: A public version was suspended. `deployment.reinstated`: A suspended version is public again. `deployment.rollout_advanced`: A version that is rolled out has passed a step: more new sessions get it. `deployment.rollout_completed`: A version that was rolled out is what runs get that name no version. `deployment.rolled_back`: A version that was rolled out was taken back, or a former version is public again. `agent.failing`: An agent of the workspace fails, by an alert that its publisher set. `agent.recovered`: An agent that failed by an alert does so no longer. `agent.run_shared`: A caller lets the publisher read a run of its agent. `agent.price_increase`: An agent that the workspace ran lately gets a more expensive version. `agent.channel_moved`: A channel of an agent of the workspace points at another version, or will. `agent.taken_down`: An agent that the workspace ran lately was taken down: new orders are refused. `agent.deprecated`: An agent that the workspace ran lately will stop taking orders. `agent.restored`: An agent that was taken down or deprecated takes orders again. `payout.sent`: A transfer of earnings was sent. `payout.rejected`: A transfer of earnings was rejected: the money is among the earnings again. `balance.low`: The balance fell below the threshold. `balance.depleted`: The balance is used up: calls are refused. `alert.spend_reached`: A workspace or a key has spent a part of a budget that someone set. `alert.runway_short`: The balance lasts less long than someone wants to be told of. `invoice.issued`: The invoice of a month was issued. `topup.succeeded`: A payment is on the balance. `topup.failed`: A payment was declined: an automatic one, or one that a bank had still to make. `audit.entry_recorded`: Something was done that the audit of the workspace keeps: recorded while an endpoint names this type. `workspace.erasure_ordered`: The workspace will be erased: its keys have ended. `workspace.erasure_cancelled`: The workspace is not erased: the keys that the order ended work again. `key.created`: A key was made. `key.revoked`: A key was revoked. `key.spend_threshold`: A key has spent 80 % of its limit in this period. `key.limit_reached`: A key has reached its spend limit: its calls are refused until the period ends.
         */
        post: operations["post_platform_v1_webhook_endpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/webhook_endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook endpoint */
        get: operations["get_platform_v1_webhook_endpoints_endpoint_id"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Its waiting deliveries end.
         */
        delete: operations["delete_platform_v1_webhook_endpoints_endpoint_id"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes what is sent. Disabling it ends its waiting deliveries; enabling it does not send them.
         */
        patch: operations["patch_platform_v1_webhook_endpoints_endpoint_id"];
        trace?: never;
    };
    "/platform/v1/webhook_endpoints/{endpoint_id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description The new secret is in this answer and nowhere else. For 24 hours each delivery has a signature of the earlier one too, so that a receiver can change it without a gap.
         */
        post: operations["post_platform_v1_webhook_endpoints_endpoint_id_rotate_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/webhook_endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Answers with the event, which is sent once. Its delivery is in the list of deliveries.
         */
        post: operations["post_platform_v1_webhook_endpoints_endpoint_id_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/webhook_endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook endpoint
         * @description Newest first, with each attempt and its answer. Kept for 30 days.
         */
        get: operations["get_platform_v1_webhook_endpoints_endpoint_id_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery of a webhook endpoint
         * @description With each attempt and its answer, as the list has it.
         */
        get: operations["get_platform_v1_webhook_endpoints_endpoint_id_deliveries_delivery_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Those that webhooks deliver, newest first. Kept for 30 days.
         */
        get: operations["get_platform_v1_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/events/{event_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description Also one that was delivered before. It has the same id. Answers with the deliveries that begin: several requests at once may be one attempt, of which `merged` tells.
         */
        post: operations["post_platform_v1_events_event_id_redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspace’s runs
         * @description Newest first. Send `next_cursor` as `cursor` for the next page.
         */
        get: operations["get_v1_runs"];
        put?: never;
        /**
         * Start a run of an agent
         * @description Answers 202 with the run and where to follow it. With `Prefer: wait=30` it waits for the end, at most 60 seconds, and answers 200 when it came; with `stream` it answers with the run’s events. The most that the run can cost is set aside until it ends. Send an `Idempotency-Key` to be able to try again without starting a second run.
         */
        post: operations["post_v1_runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a run will cost
         * @description Takes the body of `POST /v1/runs`, and starts nothing. Answers half and nine tenths of what earlier runs would cost at today’s price, and the most that this one may cost. The price list holds for 15 minutes: `POST /v1/runs` with the quote’s id as `quote_id` runs the same version at it, also when a more expensive one has gone live. Runs of other workspaces count only together with those of enough others.
         */
        post: operations["post_v1_runs_quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the workspace’s runs, and sum up their cost
         * @description Of the same runs as the list has with the same filters.
         */
        get: operations["get_v1_runs_totals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description With the answer’s `ETag` in `If-None-Match`, a run that has not moved answers 304.
         */
        get: operations["get_v1_runs_run_id"];
        put?: never;
        post?: never;
        /**
         * Delete a run that has ended
         * @description Deletes its input, output, steps, events and feedback. Its bill stays, and so do the files of its session. Without this they are deleted 30 days after the run has ended; until then nothing is. A run that has not ended answers 409 `run_not_terminal`.
         */
        delete: operations["delete_v1_runs_run_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens in a run
         * @description A stream of server-sent events until the run has ended: from the first one, or after the id in the header `Last-Event-ID` or in `starting_after`. A reader that has the last event already is answered 204. Closing the stream does not stop the run.
         */
        get: operations["get_v1_runs_run_id_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the steps of a run
         * @description In order: each call of the model, and each use of a tool, with its arguments, state, attempt, times, tokens, cost and the beginning of its result. A step that waits for its next attempt has `retry_at`.
         */
        get: operations["get_v1_runs_run_id_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/steps/{step_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a step of a run
         * @description With its whole arguments and result. The workspace that published the agent also sees the instructions of its model.
         */
        get: operations["get_v1_runs_run_id_steps_step_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/replay/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what repeating failed runs will cost
         * @description Takes the body of `POST /v1/runs/replay`, and starts nothing.
         */
        post: operations["post_v1_runs_replay_quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat failed runs
         * @description Repeats ended runs that fit the filters from their start, the newest first, up to `limit` in one call: with their input, metadata, limits and webhook, at today’s price. Each run is repeated once, however often this is called: go on with `next_cursor` until `has_more` is false. Runs that other runs have started are repeated by those. Ask for a quote first.
         */
        post: operations["post_v1_runs_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run again from a step
         * @description A new run that reuses the results of the steps before `from_step`, and runs the others anew, also with another input or version of the agent. Reused steps cost nothing, unless the repeated run failed and so was not billed: then the new run pays for them when it begins, shows them from then on, and needs a `max_cost_usd` above their cost, and no cheaper version. The run that is repeated must have ended; it stays as it is. The new run works in a copy of its session: the conversation before it, and the files with the contents that they had before that step, under their present names. A run that has not ended answers 409 `run_not_terminal`; one whose content or session was deleted, 410 `content_deleted`. Otherwise as `POST /v1/runs`.
         */
        post: operations["post_v1_runs_run_id_rerun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two runs
         * @description The steps of both side by side, paired by model and tool: `same`, `changed`, or in one of them only. With their outputs, tokens, costs and times. For example a rerun beside the run that it repeats.
         */
        get: operations["get_v1_runs_run_id_compare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description A run that has not begun costs nothing; another one is billed for what it consumed. 202; 200 when it was cancelled before.
         */
        post: operations["post_v1_runs_run_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel every run of a session
         * @description 202 with the runs that had not ended.
         */
        post: operations["post_v1_sessions_session_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer what a run waits for
         * @description For a run in `requires_action`: a text or a form for its question, the decision about a tool’s call, or a higher limit so that it goes on. Several actions can be answered together, by `answers`, or one after the other; the run goes on when none is open. The same answer to the same `step_id` again changes nothing. A run that waits for what a plugin needs goes on when it is given: `required_action` has the way.
         */
        post: operations["post_v1_runs_run_id_input"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your feedback on a run
         * @description Null when there is none.
         */
        get: operations["get_v1_runs_run_id_feedback"];
        /** Give feedback on a run */
        put: operations["put_v1_runs_run_id_feedback"];
        post?: never;
        /** Take your feedback back */
        delete: operations["delete_v1_runs_run_id_feedback"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what the workspace’s runs cost */
        get: operations["get_v1_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read whether a run is shared */
        get: operations["get_v1_runs_run_id_share"];
        put?: never;
        /**
         * Share a run with its agent’s publisher
         * @description Without it, a publisher sees status, times, tokens and cost of a run, and nothing that you sent or got. With it they read the input, the output and the steps of this run, for some days: not the files, and no other run. It can be revoked, is in the audit, and does not name you. For an ended run of another workspace’s agent; again, it counts the days anew.
         */
        post: operations["post_v1_runs_run_id_share"];
        /** Stop sharing a run */
        delete: operations["delete_v1_runs_run_id_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description Newest first.
         */
        get: operations["get_v1_schedules"];
        put?: never;
        /**
         * Create a schedule of runs
         * @description Each firing creates a run as POST /v1/runs does, paid by the key that made the schedule. A firing that cannot create its run is in `recent` with the reason. The service pauses a schedule, with the event `schedule.paused`, when its key is revoked, its agent is not available, or the balance did not cover `pause_after_misses` firings in a row. At most 100 for each workspace.
         */
        post: operations["post_v1_schedules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a schedule */
        get: operations["get_v1_schedules_schedule_id"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description Its runs go on.
         */
        delete: operations["delete_v1_schedules_schedule_id"];
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description Changes what is sent; `run` is replaced as a whole. `cron` replaces `every_seconds`, and the reverse. A limited key changes, resumes and fires only schedules of its own and of the keys below it: 403 `schedule_of_another_key`.
         */
        patch: operations["patch_v1_schedules_schedule_id"];
        trace?: never;
    };
    "/v1/schedules/{schedule_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description It does not fire until it is resumed; runs go on.
         */
        post: operations["post_v1_schedules_schedule_id_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{schedule_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a schedule */
        post: operations["post_v1_schedules_schedule_id_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{schedule_id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a schedule now
         * @description Also a paused one; the overlap policy applies, and it counts as one of `remaining_runs`. The run is in `recent` a moment later. 503 while Temporal does not answer.
         */
        post: operations["post_v1_schedules_schedule_id_trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{schedule_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule
         * @description Newest first.
         */
        get: operations["get_v1_schedules_schedule_id_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/text-to-speech/{voice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Speak a text with a voice
         * @description Sends sound while it is made, in any `output_format`. Billed by characters. Headers: `request-id`, `history-item-id`, `character-cost`, `x-cost-usd`. When the balance does not cover the text: 402; with `x-allow-partial: true` the beginning is spoken.
         */
        post: operations["post_voiceapi_v1_text_to_speech_voice_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/text-to-speech/{voice_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speak a text with a voice, as a stream */
        post: operations["post_voiceapi_v1_text_to_speech_voice_id_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/text-to-speech/{voice_id}/with-timestamps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speak a text, with the times of its characters */
        post: operations["post_voiceapi_v1_text_to_speech_voice_id_with_timestamps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/text-to-speech/{voice_id}/stream/with-timestamps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Speak a text, with times, as JSON lines
         * @description After ten seconds of silence comes an empty line: skip it, as ElevenLabs’ clients do.
         */
        post: operations["post_voiceapi_v1_text_to_speech_voice_id_stream_with_timestamps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/speech-to-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe sound, word by word
         * @description Billed by the decoded minutes. `diarize`, unless it is false, and `num_speakers` are refused.
         */
        post: operations["post_voiceapi_v1_speech_to_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/speech-to-speech/{voice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert speech to another voice
         * @description Billed by the decoded seconds.
         */
        post: operations["post_voiceapi_v1_speech_to_speech_voice_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/speech-to-speech/{voice_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert speech to another voice
         * @description Billed by the decoded seconds.
         */
        post: operations["post_voiceapi_v1_speech_to_speech_voice_id_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voice-changer/{voice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert speech to another voice
         * @description Billed by the decoded seconds.
         */
        post: operations["post_voiceapi_v1_voice_changer_voice_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voice-changer/{voice_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert speech to another voice
         * @description Billed by the decoded seconds.
         */
        post: operations["post_voiceapi_v1_voice_changer_voice_id_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the voices */
        get: operations["get_voiceapi_v1_voices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v2/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the voices
         * @description `voice_ids` may be OpenAI or ElevenLabs ids; the answer keeps the requested ids.
         */
        get: operations["get_voiceapi_v2_voices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clone a voice from samples
         * @description Free, but refused with 402 while the balance is zero or the spend limit is reached. The embedded engine imitates the pitch and brightness of the samples, not the voice itself. An ElevenLabs upstream that serves cloned voices gets the voice too. `labels` that are not a JSON object of texts: 422 `invalid_labels`; more voices than `voice_limit` of the subscription: 400 `voice_limit_reached`.
         */
        post: operations["post_voiceapi_v1_voices_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/settings/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the default voice settings */
        get: operations["get_voiceapi_v1_voices_settings_default"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/{voice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a voice */
        get: operations["get_voiceapi_v1_voices_voice_id"];
        put?: never;
        post?: never;
        /** Remove a cloned voice */
        delete: operations["delete_voiceapi_v1_voices_voice_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/{voice_id}/samples/{sample_id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a sample of a cloned voice
         * @description As it was sent.
         */
        get: operations["get_voiceapi_v1_voices_voice_id_samples_sample_id_audio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/{voice_id}/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a cloned voice
         * @description Replaces the sent members. New samples are added, and the voice is measured again from them.
         */
        post: operations["post_voiceapi_v1_voices_voice_id_edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/{voice_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the settings of a voice */
        get: operations["get_voiceapi_v1_voices_voice_id_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/{voice_id}/settings/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the settings of a cloned voice */
        post: operations["post_voiceapi_v1_voices_voice_id_settings_edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the voice models */
        get: operations["get_voiceapi_v1_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the user of the key */
        get: operations["get_voiceapi_v1_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/user/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the balance as a subscription */
        get: operations["get_voiceapi_v1_user_subscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the speech history */
        get: operations["get_voiceapi_v1_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/history/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Download the sound of items
         * @description The sound of one item, or a ZIP archive with that of several, named by their ids.
         */
        post: operations["post_voiceapi_v1_history_download"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/history/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an item of the history */
        get: operations["get_voiceapi_v1_history_item_id"];
        put?: never;
        post?: never;
        /** Remove an item and its sound */
        delete: operations["delete_voiceapi_v1_history_item_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/history/{item_id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the sound of an item */
        get: operations["get_voiceapi_v1_history_item_id_audio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files, those of agents too
         * @description Newest first. Files of sessions are listed with their session.
         */
        get: operations["get_v1_files"];
        put?: never;
        /**
         * Upload a file for agents
         * @description Up to 25 MiB, for `batch` 200 MiB, for `agent_icon` and `workspace_logo` 1 MiB and 2048 × 2048 pixels: text, XLSX, DOCX, PPTX, PDF, images and sound. It is kept until it is deleted or expires; a batch’s file after 30 days. With an `Idempotency-Key` a retry creates no second file; without one it does, as at OpenAI.
         */
        post: operations["post_v1_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file, those of agents too */
        get: operations["get_v1_files_file_id"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description It is removed from sessions too.
         */
        delete: operations["delete_v1_files_file_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description With `Range` a part of it: 206. With its `ETag` in `If-None-Match`: 304.
         */
        get: operations["get_v1_files_file_id_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload in parts
         * @description For large files and unsteady connections. The parts may arrive at once and in any order, within an hour.
         */
        post: operations["post_v1_uploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{upload_id}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a part of a file
         * @description Up to 64 MiB.
         */
        post: operations["post_v1_uploads_upload_id_parts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{upload_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the file of its parts
         * @description With the parts in their order. Their sizes must sum up to the announced one. Repeated, it answers with the same file.
         */
        post: operations["post_v1_uploads_upload_id_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{upload_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an upload in parts
         * @description Its parts are deleted.
         */
        post: operations["post_v1_uploads_upload_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description Newest first.
         */
        get: operations["get_v1_batches"];
        put?: never;
        /**
         * Run a file of calls
         * @description Runs up to 50,000 calls within 24 hours, at the batch price of their models. The file is checked first: with errors the batch is `failed`, and no line runs. Each line is billed once, when it is answered; what fails is not billed. When the money is used up, the remaining lines are in the error file as `insufficient_balance`. Lines do not count against the key’s requests a minute. A workspace has at most 100 batches that have not ended. Results are stored although the workspace has become full meanwhile; a full workspace begins no other batch.
         */
        post: operations["post_v1_batches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a batch
         * @description `request_counts` and `usage` move while it runs.
         */
        get: operations["get_v1_batches_batch_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Lines that run are finished and billed; the others are in the error file as `batch_cancelled`. The batch is `cancelling` until its files are written.
         */
        post: operations["post_v1_batches_batch_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Newest first. Send `next_cursor` as `cursor` for the next page.
         */
        get: operations["get_v1_sessions"];
        put?: never;
        /**
         * Open a session
         * @description Runs of one session share its conversation and files. A run without a session opens one.
         */
        post: operations["post_v1_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a session */
        get: operations["get_v1_sessions_session_id"];
        put?: never;
        post?: never;
        /** Delete a session and its files */
        delete: operations["delete_v1_sessions_session_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a session
         * @description One directory, by name. Send `next_cursor` as `cursor` for the next page.
         */
        get: operations["get_v1_sessions_session_id_files"];
        put?: never;
        /**
         * Add a file or a directory to a session
         * @description A form with a file; or JSON that names a file that was uploaded before, or makes a directory. With `If-Match` nothing is changed if the files have changed since: 412.
         */
        post: operations["post_v1_sessions_session_id_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/files/{entry_id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of a file
         * @description The contents that a file has had, newest first. A run that writes a file again leaves its earlier content readable for 30 days.
         */
        get: operations["get_v1_sessions_session_id_files_entry_id_revisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/files/{entry_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a file, or a directory with its content */
        delete: operations["delete_v1_sessions_session_id_files_entry_id"];
        options?: never;
        head?: never;
        /** Rename or move a file or a directory */
        patch: operations["patch_v1_sessions_session_id_files_entry_id"];
        trace?: never;
    };
    "/v1/sessions/{session_id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of a session
         * @description A JSON object that stays from run to run. Tools of agents (`get_state`, `set_state`) and callers read and change it, also while a run works or waits. Before its first change it is `{}`, version 0.
         */
        get: operations["get_v1_sessions_session_id_state"];
        /**
         * Replace the state of a session
         * @description At most 64000 bytes as JSON. With `If-Match` nothing is changed when the state has changed since: 412 names its version. Without it the last change wins.
         */
        put: operations["put_v1_sessions_session_id_state"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the state of a session
         * @description A JSON Merge Patch (RFC 7396) of `state`: what is not in it stays. A run that waits (`requires_action`) goes on with the changed state. With `If-Match` nothing is changed when the state has changed since: 412 names its version. Without it the last change wins.
         */
        patch: operations["patch_v1_sessions_session_id_state"];
        trace?: never;
    };
    "/v1/sessions/{session_id}/state/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of the state of a session
         * @description Newest first: the last 100, and who made them. `GET …/state?version=` reads one.
         */
        get: operations["get_v1_sessions_session_id_state_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memories
         * @description What agents remember of your end users, newest first. A run with `user` lets an agent remember, if its version has the tools `remember`, `recall` and `forget`: at most 500 for each user and agent. They belong to your workspace: the agent’s publisher cannot read them.
         */
        get: operations["get_v1_memories"];
        put?: never;
        post?: never;
        /**
         * Delete the memories of a user
         * @description All that agents remember of this user, or one agent. The audit has the number of deleted memories.
         */
        delete: operations["delete_v1_memories"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a memory */
        get: operations["get_v1_memories_memory_id"];
        put?: never;
        post?: never;
        /** Delete a memory */
        delete: operations["delete_v1_memories_memory_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plugins/{plugin_id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets that a plugin needs of you
         * @description Values are never shown.
         */
        get: operations["get_v1_plugins_plugin_id_secrets"];
        /**
         * Set your secrets for a plugin
         * @description Runs of your workspace then call the plugin with them, in agents of any publisher; those that wait for them go on. They are sealed: only workers can read them, and neither agents nor their publishers see them.
         */
        put: operations["put_v1_plugins_plugin_id_secrets"];
        post?: never;
        /** Delete your secrets for a plugin */
        delete: operations["delete_v1_plugins_plugin_id_secrets"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the plugins that need something of you
         * @description Secrets and sign-ins of your workspace, which are never shown.
         */
        get: operations["get_v1_plugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plugins/{plugin_id}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your sign-in to a plugin */
        get: operations["get_v1_plugins_plugin_id_sign_in"];
        put?: never;
        post?: never;
        /**
         * Disconnect a plugin
         * @description Your sign-in is useless at once, and its tokens are revoked at the authorization server.
         */
        delete: operations["delete_v1_plugins_plugin_id_sign_in"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find agents
         * @description Public agents, filtered by words of the name and description, category and the most that one run may cost.
         */
        get: operations["get_v1_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{namespace}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent
         * @description Its published version, inputs and outputs, prices and data policy; of a channel, as `/v1/agents/acme/poet@beta`, those of its version.
         */
        get: operations["get_v1_agents_namespace_slug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{namespace}/{slug}/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the quality of an agent
         * @description From the runs of the last 30 days that have ended. It counts runs that callers started: no trials and tests, no reruns, none of the publisher’s own workspace, none that another agent started, and none with the rehearsal model.
         */
        get: operations["get_v1_agents_namespace_slug_quality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use agents as the tools of an MCP server
         * @description Streamable HTTP of the Model Context Protocol, without sessions: give an MCP client this address and your key. Each public agent is a tool `<namespace>__<slug>` that takes `input`, `session_id` and `max_cost_usd`. A call is a run: it is held and billed like one, and cancelled when the call is, or when its client closes the connection. Refusals are answered as errors of the tool. A client whose `accept` names no event stream gets JSON.
         */
        post: operations["post_v1_mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that agents may use
         * @description With what they consume. A draft names them in `tools`.
         */
        get: operations["get_v1_publisher_tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the plugins that agents may use
         * @description Tool servers (MCP) that operators have registered, by version. A draft names them in `plugins`.
         */
        get: operations["get_v1_publisher_plugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents of the workspace
         * @description Newest first.
         */
        get: operations["get_v1_publisher_agents"];
        put?: never;
        /**
         * Create an agent
         * @description A namespace belongs to the first workspace that uses it. The draft may be incomplete. The ETag is that of the draft: `"draft-<revision>"`.
         */
        post: operations["post_v1_publisher_agents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent of the workspace
         * @description The ETag is that of the draft: `"draft-<revision>"`.
         */
        get: operations["get_v1_publisher_agents_agent_id"];
        put?: never;
        post?: never;
        /**
         * Delete an agent that was never public
         * @description Its draft is gone and its name is free. 409 `agent_published` for one that was public: take it down.
         */
        delete: operations["delete_v1_publisher_agents_agent_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what callers said about an agent
         * @description Their feedback on runs, newest first: outcome, reason, source and version, without who they are.
         */
        get: operations["get_v1_publisher_agents_agent_id_feedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a draft
         * @description The ETag is that of the draft: `"draft-<revision>"`.
         */
        get: operations["get_v1_publisher_agents_agent_id_draft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a draft
         * @description Members that are sent replace those that were there. `If-Match` names the draft that was seen.
         */
        patch: operations["patch_v1_publisher_agents_agent_id_draft"];
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a draft
         * @description The workspace pays what the platform charges for the model and the sandbox, up to the draft’s `maximum_cost_usd`. The draft becomes a version, unless the newest version is that draft. The run has the source `test`, and counts in no public statistic.
         */
        post: operations["post_v1_publisher_agents_agent_id_test_runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate what a run costs and earns
         * @description Prices a run of the draft as its bill would: the meters, the network fee, the minimum and the maximum. A maximum of 0 is not set yet, and limits nothing. Stores nothing.
         */
        post: operations["post_v1_publisher_agents_agent_id_estimate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of an agent */
        get: operations["get_v1_publisher_agents_agent_id_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/versions/{a}/diff/{b}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions */
        get: operations["get_v1_publisher_agents_agent_id_versions_a_diff_b"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/deploy-private": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use the draft in the own workspace
         * @description Freezes it into a new version that runs with `visibility: private`, without a review.
         */
        post: operations["post_v1_publisher_agents_agent_id_deploy_private"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/submit-public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the draft for public review
         * @description Freezes the draft that `If-Match` names into a new version and starts its review. What is public stays so until the version is approved. In a test workspace, `x-test-review` is the outcome, or `wait`, and what is approved is public for that workspace alone.
         */
        post: operations["post_v1_publisher_agents_agent_id_submit_public"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a former version public again */
        post: operations["post_v1_publisher_agents_agent_id_rollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the agents earned and were paid in a month
         * @description By day, agent and version, apart for callers and the own workspace, with the payouts and what is owed; with `format=csv` as a table, in which each row has what is owed after it, and `own` marks own runs. Its sums are those of the ledger, to the nano-dollar.
         */
        get: operations["get_v1_publisher_statement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payouts of the workspace
         * @description Newest first.
         */
        get: operations["get_v1_publisher_payouts"];
        put?: never;
        /**
         * Pay out earnings
         * @description To the workspace’s own prepaid balance at once, or as a transfer that an operator makes outside of the platform. Earnings mature for `mature_days` of the statement; a transfer leaves what a negative balance lacks. 409 `earnings_too_small` when what may be paid out now does not cover it, and `live_mode_only` in a test workspace.
         */
        post: operations["post_v1_publisher_payouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/namespaces/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a namespace of the workspace
         * @description What its agents show as their `provider`.
         */
        get: operations["get_v1_publisher_namespaces_name"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what agents show of their provider
         * @description An earlier verification by an operator is reset.
         */
        patch: operations["patch_v1_publisher_namespaces_name"];
        trace?: never;
    };
    "/v1/publisher/agent-versions/{version_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version
         * @description A version never changes.
         */
        get: operations["get_v1_publisher_agent_versions_version_id"];
        put?: never;
        post?: never;
        /**
         * Delete a version that was never submitted
         * @description It leaves the list. Runs that used it keep it.
         */
        delete: operations["delete_v1_publisher_agent_versions_version_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/http_tools/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read when the secret of HTTP tools was made
         * @description Of the secret that signs the calls of an agent’s HTTP tools, without the secret.
         */
        get: operations["get_v1_publisher_agents_agent_id_http_tools_secret"];
        put?: never;
        /**
         * Make or rotate the secret of HTTP tools
         * @description One secret signs the calls of all HTTP tools of the agent, as Standard Webhooks say. It is in this answer and nowhere else. For 24 hours each call has a signature of the earlier one too.
         */
        post: operations["post_v1_publisher_agents_agent_id_http_tools_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/http_tools/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an HTTP tool
         * @description Sends one signed call with these arguments to an HTTP tool of the saved draft, and answers with what was sent and received. It is not billed and not retried, waits at most 20 seconds, and has `"mode": "test"`. At most 20 in a minute.
         */
        post: operations["post_v1_publisher_agents_agent_id_http_tools_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the channels of an agent
         * @description `stable`, the default version, first.
         */
        get: operations["get_v1_publisher_agents_agent_id_channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/channels/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Point a channel at a version
         * @description Creates it when it is new. Callers order it as `<namespace>/<slug>@<channel>`, at every door. It takes versions that were approved. A version that costs more than the channel’s present one is `scheduled`: it waits 14 days, and the channel’s callers are told by `agent.price_increase`. An agent has at most 20 channels; `stable` moves by reviews and rollouts.
         */
        put: operations["put_v1_publisher_agents_agent_id_channels_channel"];
        post?: never;
        /**
         * Remove a channel
         * @description Orders that name it are refused with 404 `agent_not_found`.
         */
        delete: operations["delete_v1_publisher_agents_agent_id_channels_channel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/take-down": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an agent down
         * @description New orders are refused with 409 `agent_taken_down` and the message, at every door; runs that have begun end as usual. Schedules of it are paused, and callers are told once by `agent.taken_down` and by mail. Private runs and tests go on.
         */
        post: operations["post_v1_publisher_agents_agent_id_take_down"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an agent that was taken down
         * @description It takes orders again. Owners of its schedules are told by `agent.restored`, and resume them.
         */
        post: operations["post_v1_publisher_agents_agent_id_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/deprecate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deprecate an agent
         * @description Answers to its callers have the headers `deprecation`, `sunset` and `link` from now on, and callers are told by `agent.deprecated`. From the date on, new orders are refused with 409 `agent_retired`, which names the successor. A repetition changes it.
         */
        post: operations["post_v1_publisher_agents_agent_id_deprecate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/undeprecate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the deprecation of an agent */
        post: operations["post_v1_publisher_agents_agent_id_undeprecate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a deployment */
        get: operations["get_v1_publisher_deployments_deployment_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a version that is rolled out the default
         * @description 409 `deployment_state` when it is not rolled out, `notice_period` for a more expensive version whose notice is not over.
         */
        post: operations["post_v1_publisher_deployments_deployment_id_promote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/roll-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a version that is rolled out
         * @description Runs that name no version get the former one. Callers may still name this one.
         */
        post: operations["post_v1_publisher_deployments_deployment_id_roll_back"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/rollout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan the steps of a rollout
         * @description Of a submission, for its approval, unless the operator names others; of an open rollout the steps that have not begun. Each takes a larger share of new sessions, and needs its least number of finished runs and its least time. 409 `deployment_state` when there is nothing to plan.
         */
        post: operations["post_v1_publisher_deployments_deployment_id_rollout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a submission
         * @description Bills its trials to the workspace, as an `adjustment`: 402 `insufficient_balance` when the balance does not cover them. A submission that is decided costs nothing.
         */
        post: operations["post_v1_publisher_deployments_deployment_id_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/test_review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a review of a test workspace
         * @description In the place of an operator, for a submission whose `x-test-review` was `wait`.
         */
        post: operations["post_v1_publisher_deployments_deployment_id_test_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the trials of a submission
         * @description The review runs each example prompt with the submitted version and, beside it, with the public one: answer, files, steps, cost and duration of both. The platform pays for them, unless the submission is withdrawn.
         */
        get: operations["get_v1_publisher_deployments_deployment_id_trials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/trials/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file that a trial has written
         * @description With `Range` a part of it: 206. With its `ETag` in `If-None-Match`: 304.
         */
        get: operations["get_v1_publisher_deployments_deployment_id_trials_files_file_id_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comments on a submission */
        get: operations["get_v1_publisher_deployments_deployment_id_comments"];
        put?: never;
        /** Comment on a submission */
        post: operations["post_v1_publisher_deployments_deployment_id_comments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of an agent
         * @description Runs that have ended, the last one first. What callers send and get, the names of their files, and who they are, stay with them, unless a caller shares the run: `POST /v1/runs/{run_id}/share`.
         */
        get: operations["get_v1_publisher_agents_agent_id_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run of an agent
         * @description What callers send and get, the names of their files, and who they are, stay with them, unless a caller shares the run: `POST /v1/runs/{run_id}/share`.
         */
        get: operations["get_v1_publisher_agents_agent_id_runs_run_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/runs/{run_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the steps of an agent’s run
         * @description Kinds, names, attempts, times, tokens and cost; with the beginning of their content where it is shared.
         */
        get: operations["get_v1_publisher_agents_agent_id_runs_run_id_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/runs/{run_id}/steps/{step_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a step of an agent’s run */
        get: operations["get_v1_publisher_agents_agent_id_runs_run_id_steps_step_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how the runs of an agent end
         * @description Numbers by status and error, durations, cost and refunds of the runs that ended in a range, in total, by version and over time. Without `from`: 30 days.
         */
        get: operations["get_v1_publisher_agents_agent_id_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts on agents
         * @description Each with what it watches now.
         */
        get: operations["get_v1_publisher_alerts"];
        put?: never;
        /**
         * Create an alert on an agent
         * @description Callers’ runs of the agent are checked once a minute. When too many have failed, the event `agent.failing` and a mail tell of it, with the most frequent errors; `agent.recovered` when they are below four fifths of the threshold again. At most 100 for each workspace.
         */
        post: operations["post_v1_publisher_alerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/alerts/{agent_alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an alert on an agent */
        get: operations["get_v1_publisher_alerts_agent_alert_id"];
        put?: never;
        post?: never;
        /** Delete an alert on an agent */
        delete: operations["delete_v1_publisher_alerts_agent_alert_id"];
        options?: never;
        head?: never;
        /**
         * Change an alert on an agent
         * @description Changes what is sent.
         */
        patch: operations["patch_v1_publisher_alerts_agent_alert_id"];
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/evaluation-set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the evaluation set of an agent
         * @description Inputs with checks of what a run does with them. An agent without a set has no cases, and the revision 0.
         */
        get: operations["get_v1_publisher_agents_agent_id_evaluation_set"];
        /**
         * Store the evaluation set of an agent
         * @description Replaces all cases, at most 100. Checks: string_check, json_schema, score_model (a model scores the output by a rubric), tool_called, cost and latency. A case passes when all of its checks do.
         */
        put: operations["put_v1_publisher_agents_agent_id_evaluation_set"];
        post?: never;
        /**
         * Delete the evaluation set of an agent
         * @description Its runs stay.
         */
        delete: operations["delete_v1_publisher_agents_agent_id_evaluation_set"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/evaluation-set/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote a run of the evaluation set
         * @description What it probably costs and what it can cost at most. Stores nothing.
         */
        post: operations["post_v1_publisher_agents_agent_id_evaluation_set_quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/evaluation-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of the evaluation set
         * @description Newest first, without their cases.
         */
        get: operations["get_v1_publisher_agents_agent_id_evaluation_runs"];
        put?: never;
        /**
         * Run the evaluation set
         * @description Each case is a test run of the version, at the platform’s costs, paid by the key; models that judge are calls at their price. All together never cost more than `max_cost_usd`. The newest 100 runs of an agent are kept, and 5 of a workspace may be open.
         */
        post: operations["post_v1_publisher_agents_agent_id_evaluation_runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run of the evaluation set
         * @description The results of its cases and checks, with `against` beside those of the public version. In CI, ask with `Prefer: wait=60` until `status` is passed, failed or cancelled.
         */
        get: operations["get_v1_publisher_agents_agent_id_evaluation_runs_evaluation_run_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run of the evaluation set
         * @description Its running cases are cancelled; their usage so far is paid.
         */
        post: operations["post_v1_publisher_agents_agent_id_evaluation_runs_evaluation_run_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publisher/deployments/{deployment_id}/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the evaluation set says about a submission
         * @description The newest run with exactly the configuration of this version, beside the newest one of the public version. It is part of the review.
         */
        get: operations["get_v1_publisher_deployments_deployment_id_evaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/device/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a device login
         * @description For a program without a browser, as in RFC 8628: it shows `user_code` and the address, and asks for the key every `interval` seconds until a person has approved it in the console. Needs no key.
         */
        post: operations["post_platform_v1_device_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/v1/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch the key of a device login
         * @description Until a person has decided: 400 `authorization_pending`, or `slow_down` when `interval` is not over: then wait 5 seconds more from now on. 400 `access_denied`: the person said no, or may not make this key. 400 `expired_token`: the code is unknown, its ten minutes are over, or its key was fetched. The key is made by this request and is in this answer alone. Needs no key.
         */
        post: operations["post_platform_v1_device_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{namespace}/{slug}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load an agent’s icon
         * @description A PNG, JPEG, WebP or GIF image, for pages. Needs no key.
         */
        get: operations["get_v1_agents_namespace_slug_icon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logos/{logo_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a logo
         * @description The image of a `logo_url`. Needs no key.
         */
        get: operations["get_v1_logos_logo_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voiceapi/v1/voices/{voice_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear a preset voice
         * @description A sentence as MP3, free and without a key: the `preview_url` of a preset. 404 `preview_not_found` where only a vendor speaks it.
         */
        get: operations["get_voiceapi_v1_voices_voice_id_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the platform’s A2A card
         * @description The public agents as skills of one agent. Needs no key.
         */
        get: operations["get_well_known_agent_card_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{namespace}/{slug}/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent’s A2A card
         * @description The AgentCard of the A2A protocol, version 1.0, for agents that discover other agents. Needs no key.
         */
        get: operations["get_v1_agents_namespace_slug_card"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent’s A2A card
         * @description The AgentCard of the A2A protocol, version 1.0, for agents that discover other agents. Needs no key.
         */
        get: operations["get_a2a_namespace_slug_well_known_agent_card_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use agents over A2A (JSON-RPC)
         * @description The JSON-RPC binding of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask. A task is a run, held and billed like one; its `messageId` makes a message idempotent. Push notifications are refused: register a webhook endpoint.
         */
        post: operations["post_a2a"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/message:send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message over A2A
         * @description Answers when the task has ended or requires input, or at once with configuration.returnImmediately. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_message_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/message:stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message over A2A and stream its task
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_message_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks over A2A
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/tasks/{run_id}:subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a task over A2A
         * @description From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_tasks_run_id_subscribe"];
        put?: never;
        /**
         * Follow a task over A2A
         * @description From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_tasks_run_id_subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/tasks/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task over A2A
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_tasks_run_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/tasks/{run_id}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task over A2A
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_tasks_run_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/tasks/{run_id}/pushNotificationConfigs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_tasks_run_id_pushNotificationConfigs"];
        put?: never;
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_tasks_run_id_pushNotificationConfigs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/tasks/{run_id}/pushNotificationConfigs/{config_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_tasks_run_id_pushNotificationConfigs_config_id"];
        put?: never;
        post?: never;
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        delete: operations["delete_a2a_tasks_run_id_pushNotificationConfigs_config_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/extendedAgentCard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Extended cards over A2A: refused
         * @description The card without a key is the whole card. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_extendedAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use agents over A2A (JSON-RPC)
         * @description The JSON-RPC binding of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask. A task is a run, held and billed like one; its `messageId` makes a message idempotent. Push notifications are refused: register a webhook endpoint.
         */
        post: operations["post_a2a_namespace_slug"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/message:send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message over A2A
         * @description Answers when the task has ended or requires input, or at once with configuration.returnImmediately. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_namespace_slug_message_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/message:stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message over A2A and stream its task
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_namespace_slug_message_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks over A2A
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_namespace_slug_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/tasks/{run_id}:subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a task over A2A
         * @description From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_namespace_slug_tasks_run_id_subscribe"];
        put?: never;
        /**
         * Follow a task over A2A
         * @description From its current state to its end. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_namespace_slug_tasks_run_id_subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/tasks/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task over A2A
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_namespace_slug_tasks_run_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/tasks/{run_id}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task over A2A
         * @description Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_namespace_slug_tasks_run_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/tasks/{run_id}/pushNotificationConfigs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs"];
        put?: never;
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        post: operations["post_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/tasks/{run_id}/pushNotificationConfigs/{config_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs_config_id"];
        put?: never;
        post?: never;
        /**
         * Push notifications over A2A: refused
         * @description Register a webhook endpoint instead. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        delete: operations["delete_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs_config_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a/{namespace}/{slug}/extendedAgentCard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Extended cards over A2A: refused
         * @description The card without a key is the whole card. Errors have the protocol’s own form, `google.rpc.Status`.
         */
        get: operations["get_a2a_namespace_slug_extendedAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clients to install
         * @description The packages of this version for TypeScript, with the command line, and for Python. Needs no key.
         */
        get: operations["get_clients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a client
         * @description A package of GET /clients by its `file`, or ledgerline.tgz for the one of npm: npm and pip install it from here. Needs no key.
         */
        get: operations["get_clients_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/ledgerline-bill-keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the keys that sign the ledger
         * @description A JWK set. Replaced keys stay, with the time in which they signed. No key is needed.
         */
        get: operations["get_well_known_ledgerline_bill_keys_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/ledgerline-roots.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signed roots of the ledger
         * @description One for each day (UTC), the newest first; each has the hash of the one before. No key is needed.
         */
        get: operations["get_well_known_ledgerline_roots_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/ledgerline-roots/{day}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed root of a day
         * @description It never changes. No key is needed.
         */
        get: operations["get_well_known_ledgerline_roots_day"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs */
        get: operations["get_healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it can do its work */
        get: operations["get_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Every error has this body. */
        Error: {
            error: {
                /** @description A sentence for humans. */
                message: string;
                /** @enum {string} */
                type: "invalid_request_error" | "permission_error" | "billing_error" | "rate_limit_error" | "api_error";
                /** @description The parameter at fault by its name, for example `messages[0].content` or `diarize`; null for the request as a whole. */
                param: string | null;
                /** @description A stable code for programs, for example `invalid_api_key`. */
                code: string;
            };
            /** @description With 422: the first 20 places that do not fit the schema; the message counts the others. Otherwise in the voice family: what ElevenLabs’ clients read. */
            detail?: {
                loc: (string | number)[];
                msg: string;
                type: string;
            }[] | {
                status: string;
                message: string;
            };
        };
        ChatCompletionRequest: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            messages: (({
                /** @constant */
                role: "system";
                content: string | ({
                    /** @constant */
                    type: "text";
                    text: string;
                } & {
                    [key: string]: unknown;
                })[];
                name?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                role: "developer";
                content: string | ({
                    /** @constant */
                    type: "text";
                    text: string;
                } & {
                    [key: string]: unknown;
                })[];
                name?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                role: "user";
                content: string | (({
                    /** @constant */
                    type: "text";
                    text: string;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "image_url";
                    image_url: {
                        url: string;
                        detail?: ("auto" | "low" | "high" | "original") | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "input_audio";
                    input_audio: {
                        data: string;
                        /** @enum {string} */
                        format: "wav" | "mp3";
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "file";
                    file: {
                        /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                        file_id?: string | null;
                        /** @description The file as a data: URL. */
                        file_data?: string | null;
                        filename?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }))[];
                name?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                role: "assistant";
                content?: (string | (({
                    /** @constant */
                    type: "text";
                    text: string;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "refusal";
                    refusal: string;
                } & {
                    [key: string]: unknown;
                }))[]) | null;
                name?: string | null;
                refusal?: string | null;
                audio?: null;
                tool_calls?: (({
                    /** @constant */
                    type: "function";
                    id: string;
                    function: {
                        name: string;
                        arguments: string;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "custom";
                    id: string;
                    custom: {
                        name: string;
                        input: string;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }))[] | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                role: "tool";
                content: string | ({
                    /** @constant */
                    type: "text";
                    text: string;
                } & {
                    [key: string]: unknown;
                })[];
                tool_call_id: string;
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                role: "function";
                content: string | null;
                name: string;
            } & {
                [key: string]: unknown;
            }))[];
            modalities?: [
                "text"
            ];
            temperature?: number;
            top_p?: number;
            n?: number;
            seed?: number;
            stop?: string | string[];
            max_tokens?: number;
            max_completion_tokens?: number;
            presence_penalty?: number;
            frequency_penalty?: number;
            logit_bias?: {
                [key: string]: number;
            };
            logprobs?: boolean;
            top_logprobs?: number;
            response_format?: ({
                /** @constant */
                type: "text";
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type: "json_object";
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type: "json_schema";
                json_schema: {
                    name: string;
                    description?: string | null;
                    schema?: {
                        [key: string]: unknown;
                    } | null;
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            });
            tools?: (({
                /** @constant */
                type: "function";
                function: {
                    name: string;
                    description?: string | null;
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type: "custom";
                custom: {
                    name: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }))[];
            tool_choice?: ("none" | "auto" | "required") | (({
                /** @constant */
                type: "function";
                function: {
                    name: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type: "custom";
                custom: {
                    name: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type: "allowed_tools";
                allowed_tools: {
                    /** @enum {string} */
                    mode: "auto" | "required";
                    tools: (({
                        /** @constant */
                        type: "function";
                        function: {
                            name: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    }) | ({
                        /** @constant */
                        type: "custom";
                        custom: {
                            name: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    }))[];
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }));
            parallel_tool_calls?: boolean;
            /** @enum {string} */
            reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
            /** @enum {string} */
            verbosity?: "low" | "medium" | "high";
            stream?: boolean;
            stream_options?: {
                include_usage?: boolean | null;
                include_obfuscation?: boolean | null;
                /** @description Running usage is not supported. */
                continuous_usage_stats?: false | null;
            };
            store?: boolean;
            /** @description Key-value pairs of your own. */
            metadata?: {
                [key: string]: string;
            };
            user?: string;
            safety_identifier?: string;
            prompt_cache_key?: string;
            service_tier?: string;
        } & {
            [key: string]: unknown;
        };
        ChatCompletion: {
            id: string;
            /** @constant */
            object: "chat.completion";
            /** @description Seconds since 1970. */
            created: number;
            model: string;
            choices: {
                index: number;
                message: {
                    /** @constant */
                    role: "assistant";
                    content: string | null;
                    refusal: string | null;
                    tool_calls?: (({
                        id: string;
                        /** @constant */
                        type: "function";
                        function: {
                            name: string;
                            /** @description JSON, as the model wrote it. */
                            arguments: string;
                        };
                    } & {
                        [key: string]: unknown;
                    }) | ({
                        id: string;
                        /** @constant */
                        type: "custom";
                        custom: {
                            name: string;
                            input: string;
                        };
                    } & {
                        [key: string]: unknown;
                    }))[] | null;
                    /** @description The reasoning of a model that shows it. */
                    reasoning_content?: string | null;
                } & {
                    [key: string]: unknown;
                };
                logprobs: ({
                    content?: {
                        token: string;
                        logprob: number;
                        bytes?: number[] | null;
                        top_logprobs: {
                            token: string;
                            logprob: number;
                            bytes?: number[] | null;
                        }[];
                    }[] | null;
                    refusal?: {
                        token: string;
                        logprob: number;
                        bytes?: number[] | null;
                        top_logprobs: {
                            token: string;
                            logprob: number;
                            bytes?: number[] | null;
                        }[];
                    }[] | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @enum {string} */
                finish_reason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
            }[];
            usage: {
                prompt_tokens: number;
                /** @description Reasoning tokens included: they are billed as output. */
                completion_tokens: number;
                total_tokens: number;
                prompt_tokens_details: {
                    cached_tokens: number;
                } & {
                    [key: string]: unknown;
                };
                completion_tokens_details: {
                    reasoning_tokens: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description What was charged, in US dollars: the amount in the ledger. */
                cost?: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Only of an agent in the place of a model. */
            run?: {
                id: string;
                session_id: string;
                /** @description What the agent has made: `GET /v1/files/{file_id}/content`. */
                files: {
                    file_id: string;
                    filename: string;
                    media_type: string;
                    size_bytes: number;
                }[];
            };
            system_fingerprint?: string | null;
            service_tier?: string | null;
            /** @description What the upstream found in the texts, where it was asked to look. */
            moderation?: unknown;
        };
        /** @description One `data:` event of the stream. The last event is `data: [DONE]`. */
        ChatCompletionChunk: {
            id: string;
            /** @constant */
            object: "chat.completion.chunk";
            /** @description Seconds since 1970. */
            created: number;
            model: string;
            choices: {
                index: number;
                delta: {
                    /** @constant */
                    role?: "assistant";
                    content?: string | null;
                    refusal?: string | null;
                    tool_calls?: ({
                        index?: number;
                    } & {
                        [key: string]: unknown;
                    })[] | null;
                } & {
                    [key: string]: unknown;
                };
                logprobs: ({
                    content?: {
                        token: string;
                        logprob: number;
                        bytes?: number[] | null;
                        top_logprobs: {
                            token: string;
                            logprob: number;
                            bytes?: number[] | null;
                        }[];
                    }[] | null;
                    refusal?: {
                        token: string;
                        logprob: number;
                        bytes?: number[] | null;
                        top_logprobs: {
                            token: string;
                            logprob: number;
                            bytes?: number[] | null;
                        }[];
                    }[] | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                finish_reason: ("stop" | "length" | "tool_calls" | "content_filter" | "function_call") | null;
            }[];
            /** @description Only with stream_options.include_usage: null until the last chunk. */
            usage?: ({
                prompt_tokens: number;
                /** @description Reasoning tokens included: they are billed as output. */
                completion_tokens: number;
                total_tokens: number;
                prompt_tokens_details: {
                    cached_tokens: number;
                } & {
                    [key: string]: unknown;
                };
                completion_tokens_details: {
                    reasoning_tokens: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description What was charged, in US dollars: the amount in the ledger. */
                cost?: number;
            } & {
                [key: string]: unknown;
            }) | null;
            system_fingerprint?: string | null;
            service_tier?: string | null;
            /** @description What the upstream found in the texts, where it was asked to look. */
            moderation?: unknown;
            obfuscation?: string;
        };
        CompletionRequest: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            /** @description A text, texts, token numbers, or lists of token numbers. Several prompts give one choice each, times `n`. Without one the model begins a document. */
            prompt?: string | string[] | number[] | number[][];
            suffix?: string;
            max_tokens?: number;
            temperature?: number;
            top_p?: number;
            n?: number;
            best_of?: number;
            echo?: boolean;
            logprobs?: number;
            stop?: string | string[];
            seed?: number;
            presence_penalty?: number;
            frequency_penalty?: number;
            logit_bias?: {
                [key: string]: number;
            };
            stream?: boolean;
            stream_options?: {
                include_usage?: boolean | null;
                include_obfuscation?: boolean | null;
                /** @description Running usage is not supported. */
                continuous_usage_stats?: false | null;
            };
            user?: string;
        } & {
            [key: string]: unknown;
        };
        Completion: {
            id: string;
            /** @constant */
            object: "text_completion";
            /** @description Seconds since 1970. */
            created: number;
            model: string;
            choices: {
                index: number;
                text: string;
                logprobs: {
                    [key: string]: unknown;
                } | null;
                /** @description Null in a stream until the last chunk of the choice. */
                finish_reason: ("stop" | "length" | "tool_calls" | "content_filter" | "function_call") | null;
            }[];
            usage?: ({
                prompt_tokens: number;
                /** @description Reasoning tokens included: they are billed as output. */
                completion_tokens: number;
                total_tokens: number;
                prompt_tokens_details: {
                    cached_tokens: number;
                } & {
                    [key: string]: unknown;
                };
                completion_tokens_details: {
                    reasoning_tokens: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description What was charged, in US dollars: the amount in the ledger. */
                cost?: number;
            } & {
                [key: string]: unknown;
            }) | null;
            system_fingerprint?: string | null;
            service_tier?: string | null;
            /** @description What the upstream found in the texts, where it was asked to look. */
            moderation?: unknown;
        };
        ResponseRequest: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            input: string | ({
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                /** @constant */
                type?: "message";
                /** @enum {string} */
                role: "user" | "assistant" | "system" | "developer";
                content: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                } | {
                    /** @constant */
                    type: "output_text";
                    text: string;
                    annotations?: unknown;
                    logprobs?: unknown;
                    /** @description Added by clients that parse answers. */
                    parsed?: unknown;
                } | {
                    /** @constant */
                    type: "refusal";
                    refusal: string;
                } | {
                    /** @constant */
                    type: "input_image";
                    /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                    file_id?: string | null;
                    /** @description An address or a data: URL. */
                    image_url?: string | null;
                    detail?: ("auto" | "low" | "high" | "original") | null;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                } | {
                    /** @constant */
                    type: "input_file";
                    /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                    file_id?: string | null;
                    file_url?: null;
                    /** @description The file as a data: URL. */
                    file_data?: string | null;
                    filename?: string | null;
                    detail?: "auto" | null;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                })[];
                phase?: unknown;
            } | {
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                caller?: ({
                    /** @constant */
                    type: "direct";
                } & {
                    [key: string]: unknown;
                }) | null;
                namespace?: null;
                /** @constant */
                type: "function_call";
                call_id: string;
                name: string;
                arguments: string;
                async?: false | null;
                /** @description Added by clients that parse answers. */
                parsed_arguments?: unknown;
            } | {
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                caller?: ({
                    /** @constant */
                    type: "direct";
                } & {
                    [key: string]: unknown;
                }) | null;
                namespace?: null;
                /** @constant */
                type: "function_call_output";
                call_id: string;
                output: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                } | {
                    /** @constant */
                    type: "input_image";
                    /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                    file_id?: string | null;
                    /** @description An address or a data: URL. */
                    image_url?: string | null;
                    detail?: ("auto" | "low" | "high" | "original") | null;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                } | {
                    /** @constant */
                    type: "input_file";
                    /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                    file_id?: string | null;
                    file_url?: null;
                    /** @description The file as a data: URL. */
                    file_data?: string | null;
                    filename?: string | null;
                    detail?: "auto" | null;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                })[];
                name?: string | null;
            } | {
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                caller?: ({
                    /** @constant */
                    type: "direct";
                } & {
                    [key: string]: unknown;
                }) | null;
                namespace?: null;
                /** @constant */
                type: "custom_tool_call";
                call_id: string;
                name: string;
                input: string;
                async?: false | null;
            } | {
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                caller?: ({
                    /** @constant */
                    type: "direct";
                } & {
                    [key: string]: unknown;
                }) | null;
                namespace?: null;
                /** @constant */
                type: "custom_tool_call_output";
                call_id: string;
                output: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                } | {
                    /** @constant */
                    type: "input_image";
                    /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                    file_id?: string | null;
                    /** @description An address or a data: URL. */
                    image_url?: string | null;
                    detail?: ("auto" | "low" | "high" | "original") | null;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                } | {
                    /** @constant */
                    type: "input_file";
                    /** @description Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL. */
                    file_id?: string | null;
                    file_url?: null;
                    /** @description The file as a data: URL. */
                    file_data?: string | null;
                    filename?: string | null;
                    detail?: "auto" | null;
                    prompt_cache_breakpoint?: {
                        /** @constant */
                        mode: "explicit";
                        /** @enum {string} */
                        ttl?: "30m" | "12h";
                    } | null;
                })[];
            } | {
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                /** @constant */
                type: "mcp_approval_request";
                arguments: string;
                name: string;
                server_label: string;
            } | {
                id?: unknown;
                status?: unknown;
                created_by?: unknown;
                /** @constant */
                type: "mcp_approval_response";
                /** @description Of the `mcp_approval_request` in the answer of an agent. */
                approval_request_id: string;
                approve: boolean;
                /** @description Of a refusal: the agent’s model reads it. */
                reason?: string | null;
            } | ({
                /** @constant */
                type: "reasoning";
            } & {
                [key: string]: unknown;
            }) | {
                /** @constant */
                type: "item_reference";
                /** @description Id of an output item of the last 24 hours, of a response whose `store` was not false. */
                id: string;
            })[];
            instructions?: string;
            max_output_tokens?: number;
            temperature?: number;
            top_p?: number;
            top_logprobs?: number;
            tools?: (({
                /** @constant */
                type: "function";
                name: string;
                description?: string | null;
                parameters?: {
                    [key: string]: unknown;
                } | null;
                strict?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | {
                /** @constant */
                type: "custom";
                name: string;
                description?: string | null;
                format?: ({
                    /** @constant */
                    type: "text";
                } | {
                    /** @constant */
                    type: "grammar";
                    definition: string;
                    /** @enum {string} */
                    syntax: "lark" | "regex";
                }) | null;
            })[];
            tool_choice?: ("none" | "auto" | "required") | ({
                /** @constant */
                type: "function";
                name: string;
            } | {
                /** @constant */
                type: "custom";
                name: string;
            } | {
                /** @constant */
                type: "allowed_tools";
                /** @enum {string} */
                mode: "auto" | "required";
                tools: ({
                    /** @constant */
                    type: "function";
                    name: string;
                } | {
                    /** @constant */
                    type: "custom";
                    name: string;
                })[];
            });
            parallel_tool_calls?: boolean;
            text?: {
                format?: ({
                    /** @constant */
                    type: "text";
                } | {
                    /** @constant */
                    type: "json_object";
                } | {
                    /** @constant */
                    type: "json_schema";
                    name: string;
                    description?: string | null;
                    /** @description A JSON Schema. */
                    schema: {
                        [key: string]: unknown;
                    };
                    strict?: boolean | null;
                }) | null;
                verbosity?: ("low" | "medium" | "high") | null;
            };
            reasoning?: {
                effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                /** @description With any value, the reasoning of the model is the `summary` of its item, in full, instead of its `content`. */
                summary?: ("auto" | "concise" | "detailed") | null;
                generate_summary?: ("auto" | "concise" | "detailed") | null;
                context?: ("auto" | "current_turn") | null;
                mode?: "standard" | null;
            };
            include?: ("reasoning.encrypted_content" | "message.output_text.logprobs")[];
            /** @enum {string} */
            truncation?: "auto" | "disabled";
            /** @description Limits calls of built-in tools, of which this service has none. */
            max_tool_calls?: number;
            stream?: boolean;
            stream_options?: {
                include_obfuscation?: boolean | null;
            };
            store?: boolean;
            /** @description Key-value pairs of your own. */
            metadata?: {
                [key: string]: string;
            };
            user?: string;
            safety_identifier?: string;
            service_tier?: string;
        } & {
            [key: string]: unknown;
        };
        Response: {
            id: string;
            /** @constant */
            object: "response";
            /** @description Seconds since 1970. */
            created_at: number;
            completed_at: number | null;
            service_tier?: string;
            /** @enum {string} */
            status: "in_progress" | "completed" | "incomplete" | "failed";
            model: string;
            output: ({
                /** @constant */
                type: "message";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                /** @constant */
                role: "assistant";
                content: ({
                    /** @constant */
                    type: "output_text";
                    text: string;
                    annotations: {
                        [key: string]: unknown;
                    }[];
                    logprobs: ({
                        token: string;
                        logprob: number;
                    } & {
                        [key: string]: unknown;
                    })[];
                } | {
                    /** @constant */
                    type: "refusal";
                    refusal: string;
                })[];
            } | {
                /** @constant */
                type: "function_call";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                call_id: string;
                name: string;
                /** @description JSON, as the model wrote it. */
                arguments: string;
            } | {
                /** @constant */
                type: "custom_tool_call";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                call_id: string;
                name: string;
                input: string;
            } | {
                /** @constant */
                type: "mcp_approval_request";
                id: string;
                name: string;
                arguments: string;
                server_label: string;
            } | {
                /** @constant */
                type: "reasoning";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                /** @description The reasoning, where `reasoning.summary` asks for it; otherwise it is the `content`. */
                summary: {
                    /** @constant */
                    type: "summary_text";
                    text: string;
                }[];
                content: {
                    /** @constant */
                    type: "reasoning_text";
                    text: string;
                }[];
            })[];
            usage: {
                input_tokens: number;
                input_tokens_details: {
                    cached_tokens: number;
                    cache_write_tokens: number;
                };
                /** @description Reasoning tokens included: they are billed as output. */
                output_tokens: number;
                output_tokens_details: {
                    reasoning_tokens: number;
                };
                total_tokens: number;
                /** @description What was charged, in US dollars: the amount in the ledger. */
                cost?: number;
            } | null;
            /** @description Only of an agent in the place of a model. */
            run?: {
                id: string;
                session_id: string;
                /** @description What the agent has made: `GET /v1/files/{file_id}/content`. */
                files: {
                    file_id: string;
                    filename: string;
                    media_type: string;
                    size_bytes: number;
                }[];
            };
            error: ({
                code: string;
                message: string;
            } & {
                [key: string]: unknown;
            }) | null;
            incomplete_details: {
                /** @enum {string} */
                reason: "max_output_tokens" | "content_filter";
            } | null;
            instructions: string | null;
            metadata: {
                [key: string]: string;
            };
            parallel_tool_calls: boolean;
            temperature: number | null;
            top_p: number | null;
            text: {
                [key: string]: unknown;
            };
            tool_choice: string | ({
                type: string;
            } & {
                [key: string]: unknown;
            });
            tools: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Whether the response and its items are kept for 24 hours, for reading and for requests that refer to them. */
            store: boolean;
            /** @description Until when it is kept; null when `store` is false. */
            expires_at: number | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One event of the stream. The last is response.completed, response.incomplete or response.failed. */
        ResponseEvent: {
            /** @enum {string} */
            type: "response.created" | "response.in_progress" | "response.output_item.added" | "response.content_part.added" | "response.output_text.delta" | "response.output_text.done" | "response.refusal.delta" | "response.refusal.done" | "response.reasoning_text.delta" | "response.reasoning_text.done" | "response.reasoning_summary_part.added" | "response.reasoning_summary_text.delta" | "response.reasoning_summary_text.done" | "response.reasoning_summary_part.done" | "response.function_call_arguments.delta" | "response.function_call_arguments.done" | "response.custom_tool_call_input.delta" | "response.custom_tool_call_input.done" | "response.content_part.done" | "response.output_item.done" | "response.completed" | "response.incomplete" | "response.failed";
            /** @description Rises by one with each event. */
            sequence_number: number;
            response?: components["schemas"]["Response"];
            item?: {
                /** @constant */
                type: "message";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                /** @constant */
                role: "assistant";
                content: ({
                    /** @constant */
                    type: "output_text";
                    text: string;
                    annotations: {
                        [key: string]: unknown;
                    }[];
                    logprobs: ({
                        token: string;
                        logprob: number;
                    } & {
                        [key: string]: unknown;
                    })[];
                } | {
                    /** @constant */
                    type: "refusal";
                    refusal: string;
                })[];
            } | {
                /** @constant */
                type: "function_call";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                call_id: string;
                name: string;
                /** @description JSON, as the model wrote it. */
                arguments: string;
            } | {
                /** @constant */
                type: "custom_tool_call";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                call_id: string;
                name: string;
                input: string;
            } | {
                /** @constant */
                type: "mcp_approval_request";
                id: string;
                name: string;
                arguments: string;
                server_label: string;
            } | {
                /** @constant */
                type: "reasoning";
                id: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "incomplete";
                /** @description The reasoning, where `reasoning.summary` asks for it; otherwise it is the `content`. */
                summary: {
                    /** @constant */
                    type: "summary_text";
                    text: string;
                }[];
                content: {
                    /** @constant */
                    type: "reasoning_text";
                    text: string;
                }[];
            };
            item_id?: string;
            output_index?: number;
            content_index?: number;
            summary_index?: number;
            part?: {
                type: string;
            } & {
                [key: string]: unknown;
            };
            delta?: string;
        } & {
            [key: string]: unknown;
        };
        ResponseInputTokens: {
            /** @constant */
            object: "response.input_tokens";
            input_tokens: number;
        };
        Deleted: {
            id: string;
            object: string;
            /** @constant */
            deleted: true;
        };
        ResponseInputItems: {
            /** @constant */
            object: "list";
            data: ({
                id: string;
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            first_id: string | null;
            /** @description Send it as `after` for the next page. */
            last_id: string | null;
            has_more: boolean;
        };
        EmbeddingsRequest: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            /** @description A text, texts, token numbers, or lists of token numbers. */
            input: string | string[] | number[] | number[][];
            dimensions?: number;
            /** @enum {string} */
            encoding_format?: "float" | "base64";
            user?: string;
        } & {
            [key: string]: unknown;
        };
        Embeddings: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "embedding";
                index: number;
                /** @description Numbers, or with encoding_format base64 their little-endian 32-bit floats. */
                embedding: number[] | string;
            }[];
            model: string;
            usage: {
                prompt_tokens: number;
                total_tokens: number;
                /** @description What was charged, in US dollars: the amount in the ledger. */
                cost?: number;
            };
        };
        SpeechRequest: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            /** @description The text to speak. The embedded voices speak English: a text with letters of other scripts is refused with `unsupported_language`, one with nothing to speak with `invalid_value`. */
            input: string;
            /** @description A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice. */
            voice: string | {
                id: string;
            };
            /**
             * @description Default: `mp3`. `pcm` is 24 kHz, 16 bits, mono.
             * @enum {string}
             */
            response_format?: "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm";
            speed?: number;
            /** @description How to speak. The embedded voices refuse it: leave it out. */
            instructions?: string;
            /** @enum {string} */
            stream_format?: "audio" | "sse";
        } & {
            [key: string]: unknown;
        };
        SpeechEvent: {
            /** @constant */
            type: "speech.audio.delta";
            /** @description Sound, in base64. */
            audio: string;
        } | {
            /** @constant */
            type: "speech.audio.done";
            /** @description Tokens as OpenAI counts them, and the billed characters. */
            usage: {
                /** @description Tokens of the text, in o200k_base. */
                input_tokens: number;
                /** @description Of 50 ms of sound each. */
                output_tokens: number;
                total_tokens: number;
                /** @description What is billed. */
                input_characters: number;
            };
        };
        TranscriptionForm: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            /** @description ISO 639-1 code. The embedded recogniser supports English only and refuses others. */
            language?: string;
            /** @description What was said before, or words that may be said. Of the embedded recognisers, Whisper takes it; where the model’s `engine` is another, it is refused. */
            prompt?: string;
            /** @enum {string} */
            response_format?: "json" | "text" | "srt" | "vtt" | "verbose_json";
            /** @description The embedded recogniser supports 0 only. */
            temperature?: number;
            /** @description Requires `verbose_json`. */
            "timestamp_granularities[]"?: ("word" | "segment")[];
            /** @description Requires `json`, or `stream`. */
            "include[]"?: "logprobs"[];
            /** @description `auto` lets the model choose. */
            chunking_strategy?: string;
            /** @description Answers with events `transcript.text.delta` and `transcript.text.done`. */
            stream?: boolean;
            /** Format: binary */
            file: string;
        } & {
            [key: string]: unknown;
        };
        Transcription: {
            text: string;
            usage: {
                /** @constant */
                type: "duration";
                seconds: number;
            };
            /** @description With `include[]: logprobs`. */
            logprobs?: {
                token: string;
                logprob: number;
                bytes: number[];
            }[];
            /** @enum {string} */
            task?: "transcribe" | "translate";
            /** @description With `verbose_json`, as are the members that follow. */
            language?: string;
            duration?: number;
            segments?: {
                id: number;
                seek: number;
                start: number;
                end: number;
                text: string;
                tokens: number[];
                temperature: number;
                avg_logprob: number;
                /** @description From the model, else computed from the text. */
                compression_ratio: number;
                /** @description From the model, else 1 minus its confidence in the words. */
                no_speech_prob: number;
            }[];
            words?: {
                word: string;
                start: number;
                end: number;
            }[];
        };
        TranscriptionEvent: {
            /** @constant */
            type: "transcript.text.delta";
            delta: string;
            logprobs?: {
                token: string;
                logprob: number;
                bytes: number[];
            }[];
        } | {
            /** @constant */
            type: "transcript.text.done";
            text: string;
            logprobs?: {
                token: string;
                logprob: number;
                bytes: number[];
            }[];
            /** @description Of the whole answer: tokens as OpenAI’s clients require them, and the billed seconds. */
            usage: {
                /** @constant */
                type: "tokens";
                /** @description Of 100 ms of sound each. */
                input_tokens: number;
                input_token_details: {
                    audio_tokens: number;
                    text_tokens: number;
                };
                /** @description Tokens of the text, in o200k_base. */
                output_tokens: number;
                total_tokens: number;
                /** @description What is billed, rounded up. */
                seconds: number;
            };
        };
        TranslationForm: {
            /** @description Id or alias of a model, as listed by GET /models. */
            model: string;
            /** @description What was said before, or words that may be said. Of the embedded recognisers, Whisper takes it; where the model’s `engine` is another, it is refused. */
            prompt?: string;
            /** @enum {string} */
            response_format?: "json" | "text" | "srt" | "vtt" | "verbose_json";
            /** @description The embedded recogniser supports 0 only. */
            temperature?: number;
            /** @description `auto` lets the model choose. */
            chunking_strategy?: string;
            /** Format: binary */
            file: string;
        } & {
            [key: string]: unknown;
        };
        ModelList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Model"][];
        } & {
            [key: string]: unknown;
        };
        Model: {
            id: string;
            /** @constant */
            object: "model";
            /** @description Seconds since 1970. */
            created: number;
            owned_by: string;
            name: string;
            description: string;
            /** @enum {string} */
            kind: "text" | "embedding" | "speech" | "transcription" | "conversion" | "realtime" | "agent";
            /** @description Other names that mean this model. */
            aliases: string[];
            /** @description Tokens of prompt and answer; null for models that count none. */
            context_length: number | null;
            max_output_tokens: number | null;
            architecture: {
                /** @description `text+image->text`: what it takes, and what it makes. */
                modality: string;
                input_modalities: string[];
                output_modalities: string[];
                tokenizer: string;
            };
            /** @description US dollars for one unit, as decimal text: a token (`prompt`, `completion`), a character, a minute, a second. `request`: what each call costs at least. An agent’s other prices are in `/v1/agents/{namespace}/{slug}`. */
            pricing: {
                prompt?: string;
                completion?: string;
                input_cache_read?: string;
                input_cache_write?: string;
                request: string;
                input_character?: string;
                output_character?: string;
                audio_minute?: string;
                audio_second?: string;
                /** @description The same for a line of a batch, where it differs. */
                batch?: {
                    prompt: string;
                    completion: string;
                };
            };
            supported_parameters: string[];
            /** @description The embedded engine that answers now, for models of sound that run beside the API: a better one replaces a basic one once it has been fetched. */
            engine?: string;
            /** @description Whether that engine is on this machine: until it has been fetched, the model answers 503 `model_unavailable`. */
            engine_ready?: boolean;
        } & {
            [key: string]: unknown;
        };
        ClientSecretRequest: {
            expires_after?: {
                /** @constant */
                anchor?: "created_at";
                /** @description Default: 600. */
                seconds?: number;
            };
            /** @description What its sessions are set to. Default: a realtime session. */
            session?: {
                /** @constant */
                type: "realtime";
                model?: string | null;
                instructions?: string | null;
                max_output_tokens?: ("inf" | number) | null;
                /** @description `["audio"]`, which comes with its transcript, or `["text"]`. */
                output_modalities?: ("audio" | "text")[] | null;
                parallel_tool_calls?: boolean | null;
                reasoning?: {
                    effort?: ("minimal" | "low" | "medium" | "high" | "xhigh") | null;
                } | null;
                tools?: {
                    /** @constant */
                    type?: "function";
                    name: string;
                    description?: string | null;
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                }[] | null;
                tool_choice?: (("auto" | "none" | "required") | {
                    /** @constant */
                    type: "function";
                    name: string;
                }) | null;
                prompt?: null;
                audio?: {
                    input?: {
                        format?: {
                            /** @constant */
                            type: "audio/pcm";
                            /** @constant */
                            rate?: 24000;
                        } | null;
                        /** @description Whether transcripts of the input are sent as events. Null: they are not. */
                        transcription?: {
                            model?: string;
                            language?: string | null;
                            prompt?: string | null;
                            delay?: null;
                            keywords?: null;
                            languages?: null;
                        } | null;
                        /** @description Null, also as its type: the client commits the buffer and creates responses itself. */
                        turn_detection?: {
                            /** @constant */
                            type: "server_vad";
                            /** @description Default: 0.5. A higher one needs louder speech. */
                            threshold?: number;
                            /** @description Sound kept from before the speech. Default: 300. */
                            prefix_padding_ms?: number;
                            /** @description Silence that ends a turn. Default: 500. */
                            silence_duration_ms?: number;
                            /** @description After so much silence following a response, the model speaks first. */
                            idle_timeout_ms?: number | null;
                            /** @description Whether the end of a turn starts a response. Default: true. */
                            create_response?: boolean;
                            /** @description Whether speech stops the running response. Default: true. */
                            interrupt_response?: boolean;
                        } | null;
                        noise_reduction?: null;
                    } | null;
                    output?: {
                        format?: {
                            /** @constant */
                            type: "audio/pcm";
                            /** @constant */
                            rate?: 24000;
                        } | null;
                        /** @description A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice. */
                        voice?: (string | {
                            id: string;
                        }) | null;
                        speed?: number | null;
                    } | null;
                } | null;
                include?: "item.input_audio_transcription.logprobs"[] | null;
                tracing?: unknown;
                temperature?: number | null;
                truncation?: ("auto" | "disabled") | null;
            } | {
                /** @constant */
                type: "transcription";
                audio?: {
                    input?: {
                        format?: {
                            /** @constant */
                            type: "audio/pcm";
                            /** @constant */
                            rate?: 24000;
                        } | null;
                        /** @description Whether transcripts of the input are sent as events. Null: they are not. */
                        transcription?: {
                            model?: string;
                            language?: string | null;
                            prompt?: string | null;
                            delay?: null;
                            keywords?: null;
                            languages?: null;
                        } | null;
                        /** @description Null, also as its type: the client commits the buffer and creates responses itself. */
                        turn_detection?: {
                            /** @constant */
                            type: "server_vad";
                            /** @description Default: 0.5. A higher one needs louder speech. */
                            threshold?: number;
                            /** @description Sound kept from before the speech. Default: 300. */
                            prefix_padding_ms?: number;
                            /** @description Silence that ends a turn. Default: 500. */
                            silence_duration_ms?: number;
                            /** @description After so much silence following a response, the model speaks first. */
                            idle_timeout_ms?: number | null;
                            /** @description Whether the end of a turn starts a response. Default: true. */
                            create_response?: boolean;
                            /** @description Whether speech stops the running response. Default: true. */
                            interrupt_response?: boolean;
                        } | null;
                        noise_reduction?: null;
                    } | null;
                } | null;
                include?: "item.input_audio_transcription.logprobs"[] | null;
            };
            /** @description How long a session may last. */
            max_session_seconds?: number;
            /** @description The most that all sessions of the secret may cost together. */
            spend_limit_usd?: number;
            /** @description How many sessions it may open. Default: no limit. */
            max_sessions?: number;
        };
        ClientSecret: {
            /** @description The secret, `ek_…`. It is shown this once. */
            value: string;
            /** @description Unix seconds. Sessions that are open then go on. */
            expires_at: number;
            session: {
                id: string;
                /** @enum {string} */
                object: "realtime.session" | "realtime.transcription_session";
                /** @enum {string} */
                type: "realtime" | "transcription";
            } & {
                [key: string]: unknown;
            };
        };
        OlderSessionRequest: {
            model?: string;
            modalities?: ("text" | "audio")[];
            instructions?: unknown;
            voice?: unknown;
            speed?: unknown;
            /** @constant */
            input_audio_format?: "pcm16";
            /** @constant */
            output_audio_format?: "pcm16";
            input_audio_transcription?: unknown;
            input_audio_noise_reduction?: null;
            turn_detection?: unknown;
            tools?: unknown;
            tool_choice?: unknown;
            max_response_output_tokens?: unknown;
            temperature?: unknown;
            tracing?: unknown;
            client_secret?: {
                expires_after?: {
                    /** @constant */
                    anchor?: "created_at";
                    /** @description Default: 600. */
                    seconds?: number;
                };
            };
            /** @description How long a session may last. */
            max_session_seconds?: number;
            /** @description The most that all sessions of the secret may cost together. */
            spend_limit_usd?: number;
            /** @description How many sessions it may open. Default: no limit. */
            max_sessions?: number;
        };
        OlderSession: {
            id: string;
            /** @constant */
            object: "realtime.session";
            client_secret: {
                value: string;
                expires_at: number;
            };
        } & {
            [key: string]: unknown;
        };
        InspectedKey: {
            label: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            /** @description The spend ceiling in US dollars, null for none. */
            limit: number | null;
            limit_remaining: number | null;
            /** @description When the ceiling resets. */
            limit_reset: ("daily" | "monthly") | null;
            usage_daily: number;
            usage_monthly: number;
            rate_limit: {
                rpm: number;
                concurrency: number;
            };
            /** @description The balance of the account in US dollars. */
            balance: number;
            /** @description For how many days prompts and answers of this key’s calls are kept; 0: they are not. */
            log_days: number;
            /** @description Whether its calls go only to upstreams that keep nothing of them. */
            no_retention: boolean;
        };
        KeyList: {
            data: {
                id: string;
                name: string;
                prefix: string;
                /** Format: date-time */
                created_at: string;
                last_used_at: string | null;
                expires_at: string | null;
                /** @description When the key was revoked; its spending stays listed. Null for a live key. */
                revoked_at: string | null;
                scopes: string[];
                spend_daily: number;
                spend_monthly: number;
                /** @description Null for none. */
                spend_limit: number | null;
                /** @description When the ceiling resets. */
                spend_limit_period: ("daily" | "monthly") | null;
                /** @description Null for the default tier. */
                rpm_limit: number | null;
                /** @description Null for the default tier. */
                concurrency_limit: number | null;
                is_calling_key: boolean;
                /** @description The key that made this one; null: none. */
                parent_id: string | null;
                /** @description The agents that it may run; null: all. */
                allowed_agents: string[] | null;
                /** @description For how many days the contents of its calls are kept; 0: they are not. */
                log_days: number;
                /** @description Whether it demands that of the upstreams, too. */
                no_retention: boolean;
                /** @description Its project: `default`, or the id of another. */
                project_id: string;
            }[];
        };
        DerivedKeyOrder: {
            name: string;
            /** @description Some of the calling key’s; all of them when left out, without `manage`. */
            scopes?: ("llm" | "voice" | "batch" | "agents" | "publisher" | "contents" | "manage")[];
            /** @description In US dollars: the most that the key and those it makes may spend, in all or in each `spend_limit_period`. */
            spend_limit?: number;
            /**
             * @description When the ceiling resets (UTC); never, when it is null.
             * @enum {string}
             */
            spend_limit_period?: "daily" | "monthly";
            /** @description At most the calling key’s. */
            rpm_limit?: number;
            /** @description At most the calling key’s. */
            concurrency_limit?: number;
            /**
             * Format: date-time
             * @description Not after the calling key’s.
             */
            expires_at?: string;
            /** @description The agents that it may run, as `<namespace>/<slug>`; all when left out. */
            allowed_agents?: string[];
        };
        DerivedKey: {
            id: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            expires_at: string | null;
            /** @description When the key was revoked; its spending stays listed. Null for a live key. */
            revoked_at: string | null;
            scopes: string[];
            spend_daily: number;
            spend_monthly: number;
            /** @description Null for none. */
            spend_limit: number | null;
            /** @description When the ceiling resets. */
            spend_limit_period: ("daily" | "monthly") | null;
            /** @description Null for the default tier. */
            rpm_limit: number | null;
            /** @description Null for the default tier. */
            concurrency_limit: number | null;
            is_calling_key: boolean;
            /** @description The key that made this one; null: none. */
            parent_id: string | null;
            /** @description The agents that it may run; null: all. */
            allowed_agents: string[] | null;
            /** @description For how many days the contents of its calls are kept; 0: they are not. */
            log_days: number;
            /** @description Whether it demands that of the upstreams, too. */
            no_retention: boolean;
            /** @description Its project: `default`, or the id of another. */
            project_id: string;
            /** @description The secret, shown this once. Null for a retry. */
            key: string | null;
        };
        RequestPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["EndedRequest"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        RequestTotals: {
            /** @constant */
            object: "request.totals";
            /** @description Entries of the list. */
            count: number;
            /** @description How many calls they stand for. */
            calls: number;
            /** @description Null when `is_capped`. */
            cost_usd: number | null;
            /** @description There are more than 500000 entries: they are not counted further. */
            is_capped: boolean;
        };
        EndedRequest: {
            id: string;
            /** @constant */
            object: "request";
            route: string;
            /** @description The model, or the agent, that it named; null when it was refused before that was read. */
            model: string | null;
            /** @description What it was sold as, or of a refused call what it asked for; null where that was none. */
            product: ("text" | "embeddings" | "speech" | "transcription" | "voice_conversion" | "realtime" | "batch" | "agents") | null;
            /** @description 499 when the client disconnected before the end. */
            status: number;
            cancelled: boolean;
            usage: {
                unit: string;
                quantity: number;
            }[];
            cost_usd: number;
            /** @description The largest hold of the call. */
            hold_usd: number;
            /** Format: date-time */
            started_at: string;
            /**
             * Format: date-time
             * @description When it was billed: the time of its ledger entry. Lists and usage go by it.
             */
            settled_at: string;
            first_byte_ms: number | null;
            duration_ms: number;
            stream_bytes: number;
            ledger_entry_ids: string[];
            key_id: string;
            key_prefix: string | null;
            key_name: string | null;
            /** @description The project of its key when it was made: `default`, or the id of another. */
            project_id: string;
            /** @description The `id` in the answer: `chatcmpl-…`, `cmpl-…` or `resp_…`; null where answers have none. */
            response_id: string | null;
            /** @description The supplier that answered, or was tried last. */
            upstream: string | null;
            /** @description How many suppliers were tried. */
            attempts: number | null;
            /** @description Why that supplier; null where the model has one. */
            routing: {
                /**
                 * @description The rule of its model; `explore`: its figures were not known; `probe`: it was tried again after failures.
                 * @enum {string}
                 */
                by: "order" | "weighted" | "price" | "latency" | "errors" | "explore" | "probe";
                /** @description How many suppliers were healthy. */
                healthy: number;
                /** @description How many could serve the call. */
                of: number;
                /** @description The same in words. */
                reason: string;
                /** @description Empty where the first one answered. */
                attempts: {
                    upstream: string;
                    /**
                     * @description `late`: another one answered first; `skipped`: not tried in its order.
                     * @enum {string}
                     */
                    outcome: "answered" | "failed" | "overloaded" | "unreachable" | "stalled" | "account" | "unavailable" | "refused" | "late" | "skipped";
                    /** @description Until it answered, failed or was left. */
                    ms: number | null;
                }[];
            } | null;
            /** @description How many retries of its client got this answer again, and paid nothing. */
            retries: number;
            finish_reason: string | null;
            cached_tokens: number | null;
            reasoning_tokens: number | null;
            /** @description Why it was refused or failed, as it was answered. Kept for 7 days; null for what succeeded. */
            error: {
                code: string;
                message: string;
            } | null;
            /** @description Whether its prompt and answer are kept: see `GET …/content`. */
            has_content: boolean;
            /** @description How many calls this entry stands for: beyond 30 refusals of a key in a minute, the others are only counted, by code. */
            calls: number;
        };
        Overview: {
            balance_usd: number;
            /** @description What running calls and runs may still cost, at most. Calls of other server processes are counted within a second. */
            held_usd: number;
            available_usd: number;
            /** @description How many days the available balance lasts at the mean of the last seven whole days and today; null when nothing was spent. */
            runway_days: number | null;
            /** @description Days and months are UTC. */
            spend_today_usd: number;
            spend_yesterday_usd: number;
            spend_month_usd: number;
            /** @description The whole month. */
            spend_last_month_usd: number;
            /** @description 30 days, the oldest first; the last one is today. */
            spend_days: {
                /** Format: date */
                day: string;
                cost_usd: number;
            }[];
            /** @description The 30 days before. */
            spend_days_before: {
                /** Format: date */
                day: string;
                cost_usd: number;
            }[];
            requests_last_hour: number;
            errors_last_hour: number;
            /** @description Calls that were refused or failed, by code, the five most frequent first. */
            refused_last_hour: {
                status: number;
                code: string;
                calls: number;
                /** @description Of the last one. */
                message: string;
                last_request_id: string;
            }[];
            /** @description Runs that have ended. */
            runs_last_hour: number;
            runs_failed_last_hour: number;
            runs_open: number;
            /** @description Why a paid call of this key would be refused now; null when it would not be. */
            blocked: {
                code: string;
                message: string;
            } | null;
            notices: {
                type: string;
                message: string;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        ModelPerformanceList: {
            /** @constant */
            object: "list";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            data: {
                /** @constant */
                object: "model.performance";
                model: string;
                /** @description The share of calls that did not fail here or at an upstream: from 0 to 1. */
                success_rate: number | null;
                /** @description Until the first event of a stream. */
                first_byte_ms: {
                    p50: number;
                    p95: number;
                } | null;
                duration_ms: {
                    p50: number;
                    p95: number;
                } | null;
                /** @description The median of streams, counted from their first event. */
                output_tokens_per_second: number | null;
                /** @description In the order in which they are tried. */
                upstreams: {
                    upstream: string;
                    /** @description False while more than half of its calls fail. */
                    is_available: boolean;
                    /** @description The share of calls that did not fail here or at an upstream: from 0 to 1. */
                    success_rate: number | null;
                    /** @description Until the first event of a stream. */
                    first_byte_ms: {
                        p50: number;
                        p95: number;
                    } | null;
                    duration_ms: {
                        p50: number;
                        p95: number;
                    } | null;
                    /** @description The median of streams, counted from their first event. */
                    output_tokens_per_second: number | null;
                }[];
            }[];
        };
        ModelPriceList: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "model.price";
                model: string;
                /** @description US dollars for a million of each unit. */
                usd_per_million: {
                    [key: string]: number;
                };
                /** @description What a line of a batch costs of that; null: the same. */
                batch_percentage: number | null;
                /** Format: date-time */
                valid_from: string;
                /** @description Null: no later price is known. */
                valid_until: string | null;
                is_present: boolean;
                /** @description For operators alone; null for others, and for prices of the file. */
                set_by: string | null;
                /** @description For operators alone. */
                approved_by: string | null;
            }[];
        };
        SearchResults: {
            /** @constant */
            object: "list";
            data: {
                /** @enum {string} */
                object: "request" | "run" | "session" | "batch" | "file" | "payment" | "invoice" | "api_key" | "project" | "agent" | "schedule" | "webhook_endpoint" | "ledger_entry" | "event";
                id: string;
                /** @description What people call it; empty without a name. */
                name: string;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        Explanation: {
            /** @constant */
            object: "explanation";
            id: string;
            request: components["schemas"]["EndedRequest"] | null;
            run: {
                id: string;
                /** @constant */
                object: "run";
                agent: string;
                version: string;
                status: string;
                total_usd: number;
                /** @description What a failed run consumed, which the platform bears. */
                absorbed_usd: number;
                /** Format: date-time */
                created_at: string;
                settled_at: string | null;
            } | null;
            model: string | null;
            agent: string | null;
            lines: {
                unit: string;
                quantity: number;
                /** @description Of one unit, as it was when the call was made; null for a part without one. */
                price_usd: number | null;
                per: string | null;
                /** @description Exact, to the pico-USD. */
                cost_usd: number;
                description: string;
            }[];
            /** @description A bill is rounded once, half up, to the nano-USD. */
            rounding_usd: number;
            /** @description The lines and the rounding, exactly. */
            total_usd: number;
            price_valid_from: string | null;
            /** @description The price that held when the call started; null for runs, and for calls from before prices were kept. */
            price: {
                id: string;
                /**
                 * @description The catalogue file, or operators while it runs.
                 * @enum {string}
                 */
                source: "file" | "operator";
                /** Format: date-time */
                valid_from: string;
                /** @description The operator who proposed it; null for a price of the file. */
                set_by: string | null;
                /** @description The operator who approved it, a second person. */
                approved_by: string | null;
            } | null;
            entries: {
                id: string;
                /** @constant */
                object: "ledger.entry";
                /** @description `topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed. */
                kind: string;
                amount_usd: number;
                /** @description Null where the entry does not change the balance. */
                balance_after_usd: number | null;
                request_id: string | null;
                run_id: string | null;
                key_prefix: string | null;
                /** @description Of the call. */
                model: string | null;
                route: string | null;
                /** @description Of the run: `<namespace>/<slug>`. */
                agent: string | null;
                /** @description The receipt of a payment. */
                receipt_url: string | null;
                /** Format: date-time */
                created_at: string;
                /** @description Hash of the entry and of the previous hash. Null where the entry does not change the balance. */
                hash: string | null;
                prev_hash: string | null;
            }[];
            /** @description The same in words. */
            text: string;
        };
        UsageReport: {
            /** @constant */
            object: "usage";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            group_by: ("day" | "hour" | "minute" | "model" | "key" | "route" | "agent" | "product" | "meter" | "member" | "project")[];
            data: ({
                /** @description The name of the key, agent, member or project. */
                label?: string;
                /** @description Calls that have ended. */
                requests: number;
                /** @description Runs of agents that have ended. */
                runs: number;
                /** @description Calls that failed, and runs. Calls whose clients disconnected are none. */
                errors: number;
                cost_usd: number;
                units: {
                    unit: string;
                    quantity: number;
                }[];
            } & {
                [key: string]: unknown;
            })[];
            total: {
                /** @description Calls that have ended. */
                requests: number;
                /** @description Runs of agents that have ended. */
                runs: number;
                /** @description Calls that failed, and runs. Calls whose clients disconnected are none. */
                errors: number;
                cost_usd: number;
            };
            /** @description Calls that were refused or failed, by status and code, the most frequent first: they are kept for 7 days. Refused calls are in no other number of this report. */
            errors_by_code: {
                status: number;
                code: string;
                calls: number;
                /** @description Of the last one. */
                message: string;
                last_request_id: string;
            }[];
        };
        LatencyReport: {
            /** @constant */
            object: "usage.latency";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            group_by: ("day" | "hour" | "minute" | "model" | "key" | "product" | "member" | "project")[];
            data: ({
                /** @description The name of the key, agent, member or project. */
                label?: string;
                /** @description Calls that succeeded. */
                requests: number;
                /** @description From the beginning of a call to the end of its answer; null without a call. */
                duration_ms: {
                    p50: number;
                    p95: number;
                } | null;
                /** @description Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream. */
                first_byte_ms: {
                    p50: number;
                    p95: number;
                } | null;
            } & {
                [key: string]: unknown;
            })[];
            total: {
                /** @description Calls that succeeded. */
                requests: number;
                /** @description From the beginning of a call to the end of its answer; null without a call. */
                duration_ms: {
                    p50: number;
                    p95: number;
                } | null;
                /** @description Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream. */
                first_byte_ms: {
                    p50: number;
                    p95: number;
                } | null;
            };
        };
        ErrorReport: {
            /** @constant */
            object: "usage.errors";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /**
             * Format: date-time
             * @description Refused calls and codes are kept for 7 days: before this time there are only failed calls, with the code null.
             */
            refused_since: string;
            group_by: ("day" | "hour" | "minute" | "code" | "model" | "key" | "product" | "member" | "project")[];
            data: ({
                /** @description The name of the key, agent, member or project. */
                label?: string;
                /** @description Refused and failed ones. */
                calls: number;
                /** @description Calls that were refused before anything ran. */
                refused: number;
                /** @description Calls that ran and failed. */
                failed: number;
            } & {
                [key: string]: unknown;
            })[];
            total: {
                /** @description Refused and failed ones. */
                calls: number;
                /** @description Calls that were refused before anything ran. */
                refused: number;
                /** @description Calls that ran and failed. */
                failed: number;
            };
        };
        Balance: {
            balance_usd: number;
            /** @description What running calls and runs may still cost, at most. Calls of other server processes are counted within a second. */
            held_usd: number;
            available_usd: number;
        };
        LedgerPage: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "ledger.entry";
                /** @description `topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed. */
                kind: string;
                amount_usd: number;
                /** @description Null where the entry does not change the balance. */
                balance_after_usd: number | null;
                request_id: string | null;
                run_id: string | null;
                key_prefix: string | null;
                /** @description Of the call. */
                model: string | null;
                route: string | null;
                /** @description Of the run: `<namespace>/<slug>`. */
                agent: string | null;
                /** @description The receipt of a payment. */
                receipt_url: string | null;
                /** Format: date-time */
                created_at: string;
                /** @description Hash of the entry and of the previous hash. Null where the entry does not change the balance. */
                hash: string | null;
                prev_hash: string | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        LedgerTotals: {
            /** @constant */
            object: "ledger.totals";
            /** @description Entries of the list. */
            count: number;
            /** @description The sum of the entries that change the balance; null when `is_capped`. */
            amount_usd: number | null;
            /** @description The sum of the others: earnings of agents, and costs of failed runs that are not billed. */
            beside_usd: number | null;
            /** @description There are more than 500000 entries: they are not counted further. */
            is_capped: boolean;
        };
        RequestContent: {
            /** @description The id of the request. */
            id: string;
            /** @constant */
            object: "request.content";
            /**
             * @description `client_left`: the answer is what was produced until then. `failed`: it is null, or what was sent before.
             * @enum {string}
             */
            ended: "complete" | "client_left" | "failed";
            /** @description The body as it was sent. Images, sounds, files and vectors are replaced by their type and size. */
            request: unknown;
            /** @description The answer as it was sent, of a stream the joined one; null: there is none. */
            answer: unknown;
            /** @description Texts were cut: of the request and of the answer 256 KiB each are kept. */
            is_truncated: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it is deleted.
             */
            expires_at: string;
        };
        DeletedContent: {
            id: string;
            /** @constant */
            object: "request.content";
            /** @constant */
            deleted: true;
        };
        DeletedContents: {
            /** @description The id of the key. */
            id: string;
            /** @constant */
            object: "api_key.contents";
            /** @description How many contents were deleted. */
            deleted: number;
        };
        AuditLogPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AuditEntry: {
            id: string;
            /** @constant */
            object: "audit.entry";
            workspace_id: string;
            action: string;
            subject_type: string;
            subject_id: string;
            /** @description One of the workspace’s people or keys, or the platform. */
            actor: {
                /** @enum {string} */
                type: "person" | "key" | "platform";
                id: string | null;
                name: string | null;
                email: string | null;
            };
            /** @description Of a change: `before` and `after`. Never a secret. */
            detail: {
                [key: string]: unknown;
            };
            request_id: string;
            created_at: string;
        };
        Workspace: {
            id: string;
            /** @constant */
            object: "workspace";
            name: string;
            /** @enum {string} */
            mode: "live" | "test";
            logo_file_id: string | null;
            /** @description An image, for pages. Whoever knows the address can load it. */
            logo_url: string | null;
            logo_is_public: boolean;
            no_retention: boolean;
            /** Format: date-time */
            created_at: string;
        };
        WorkspaceChange: {
            name?: string;
            /** @description A file with the purpose `workspace_logo`; null removes the logo. The file of the logo before is deleted. */
            logo_file_id?: string | null;
            /** @description Whether the public pages of its agents show the logo. */
            logo_is_public?: boolean;
            /** @description Whether calls of all its keys go only to upstreams that keep nothing of them. It holds within a second. */
            no_retention?: boolean;
        };
        BillingDetails: {
            /** @constant */
            object: "billing_details";
            company: string | null;
            line1: string | null;
            line2: string | null;
            city: string | null;
            region: string | null;
            postal_code: string | null;
            country: string | null;
            tax_id: {
                type: string;
                value: string;
            } | null;
            purchase_order: string | null;
            email: string | null;
            /** @description Null before they are first set. */
            updated_at: string | null;
        };
        /** @description What is sent is changed; null removes it. Invoices that were issued before keep what they say. */
        BillingDetailsChange: {
            company?: string | null;
            line1?: string | null;
            line2?: string | null;
            city?: string | null;
            region?: string | null;
            postal_code?: string | null;
            country?: string | null;
            tax_id?: {
                /**
                 * @description A type of Stripe’s tax IDs, such as `eu_vat`.
                 * @enum {string}
                 */
                type: "ad_nrt" | "ae_trn" | "al_tin" | "am_tin" | "ao_tin" | "ar_cuit" | "au_abn" | "au_arn" | "aw_tin" | "az_tin" | "ba_tin" | "bb_tin" | "bd_bin" | "bf_ifu" | "bg_uic" | "bh_vat" | "bj_ifu" | "bo_tin" | "br_cnpj" | "br_cpf" | "bs_tin" | "by_tin" | "ca_bn" | "ca_gst_hst" | "ca_pst_bc" | "ca_pst_mb" | "ca_pst_sk" | "ca_qst" | "cd_nif" | "ch_uid" | "ch_vat" | "cl_tin" | "cm_niu" | "cn_tin" | "co_nit" | "cr_tin" | "cv_nif" | "de_stn" | "do_rcn" | "ec_ruc" | "eg_tin" | "es_cif" | "et_tin" | "eu_oss_vat" | "eu_vat" | "gb_vat" | "ge_vat" | "gn_nif" | "hk_br" | "hr_oib" | "hu_tin" | "id_npwp" | "il_vat" | "in_gst" | "is_vat" | "jp_cn" | "jp_rn" | "jp_trn" | "ke_pin" | "kg_tin" | "kh_tin" | "kr_brn" | "kz_bin" | "la_tin" | "li_uid" | "li_vat" | "ma_vat" | "md_vat" | "me_pib" | "mk_vat" | "mr_nif" | "mx_rfc" | "my_frp" | "my_itn" | "my_sst" | "ng_tin" | "no_vat" | "no_voec" | "np_pan" | "nz_gst" | "om_vat" | "pe_ruc" | "ph_tin" | "pl_nip" | "ro_tin" | "rs_pib" | "ru_inn" | "ru_kpp" | "sa_vat" | "sg_gst" | "sg_uen" | "si_tin" | "sn_ninea" | "sr_fin" | "sv_nit" | "th_vat" | "tj_tin" | "tr_tin" | "tw_vat" | "tz_vat" | "ua_vat" | "ug_tin" | "us_ein" | "uy_ruc" | "uz_tin" | "uz_vat" | "ve_rif" | "vn_tin" | "za_vat" | "zm_tin" | "zw_tin";
                value: string;
            } | null;
            purchase_order?: string | null;
            email?: string | null;
        };
        InvoicePage: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "invoice";
                /** @description Without gaps within the installation; those of test workspaces begin with `TEST-`. */
                number: string;
                /** @description `YYYY-MM`, UTC. */
                month: string;
                /**
                 * @description Credit is paid when it is bought, so nothing is due.
                 * @constant
                 */
                status: "paid";
                /** @constant */
                currency: "USD";
                is_test: boolean;
                /** @description Credit that was bought, less what was refunded or disputed. */
                net_usd: number;
                /** @description On that credit. */
                tax_usd: number;
                /** @description What was paid: net and tax. */
                total_usd: number;
                opening_balance_usd: number;
                /** @description What calls and runs used of the balance. It is not charged again. */
                usage_usd: number;
                closing_balance_usd: number;
                /** Format: date-time */
                created_at: string;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        Invoice: {
            id: string;
            /** @constant */
            object: "invoice";
            /** @description Without gaps within the installation; those of test workspaces begin with `TEST-`. */
            number: string;
            /** @description `YYYY-MM`, UTC. */
            month: string;
            /**
             * @description Credit is paid when it is bought, so nothing is due.
             * @constant
             */
            status: "paid";
            /** @constant */
            currency: "USD";
            is_test: boolean;
            /** @description Credit that was bought, less what was refunded or disputed. */
            net_usd: number;
            /** @description On that credit. */
            tax_usd: number;
            /** @description What was paid: net and tax. */
            total_usd: number;
            opening_balance_usd: number;
            /** @description What calls and runs used of the balance. It is not charged again. */
            usage_usd: number;
            closing_balance_usd: number;
            /** Format: date-time */
            created_at: string;
            seller: {
                name: string;
                address: string[];
                tax_id: string | null;
                email: string | null;
            };
            customer: {
                workspace_name: string;
                company: string | null;
                line1: string | null;
                line2: string | null;
                city: string | null;
                region: string | null;
                postal_code: string | null;
                country: string | null;
                tax_id: {
                    type: string;
                    value: string;
                } | null;
                purchase_order: string | null;
                email: string | null;
            };
            lines: {
                /** @enum {string} */
                type: "payment" | "refund" | "dispute" | "adjustment" | "payout" | "usage";
                /** @description Signed by its effect on the balance: all lines add up to its change. */
                amount_usd: number;
                /** @description Paid or returned with the amount; null where there is no tax. */
                tax_usd: number | null;
                /** @description Why no tax is due, such as `reverse_charge`. */
                tax_reason: string | null;
                source: ("checkout" | "auto") | null;
                /** @description The payment, or the subject of the ledger’s entry. */
                reference: string | null;
                at: string | null;
                product: string | null;
                /** @description The model or agent of usage. */
                name: string | null;
                requests: number | null;
            }[];
        };
        AlertList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Alert"][];
        };
        NewAlert: {
            /** @constant */
            type: "spend";
            /** @description The budget of a period, in US dollars. */
            amount_usd: number;
            /**
             * @description When the spending counts anew (UTC).
             * @enum {string}
             */
            period: "daily" | "monthly";
            /**
             * @description The parts of the budget that are told of, in per cent.
             * @default [
             *       50,
             *       80,
             *       100
             *     ]
             */
            percentages?: number[];
            /**
             * @description The key, with those derived from it, whose spending counts; null: the whole workspace’s.
             * @default null
             */
            key_id?: string | null;
            /**
             * @description The project whose spending counts; null: any. An alert has a key or a project, not both.
             * @default null
             */
            project_id?: string | null;
            /**
             * @description Whether people get a mail too.
             * @default true
             */
            mail?: boolean;
            /**
             * @description The ids of the members who get it; null: owners and finance people, and also once no chosen one is left.
             * @default null
             */
            mail_to?: string[] | null;
        } | {
            /** @constant */
            type: "runway";
            /** @description Told of when the balance lasts less long, at the pace of seven days. */
            days: number;
            /**
             * @description Whether people get a mail too.
             * @default true
             */
            mail?: boolean;
            /**
             * @description The ids of the members who get it; null: owners and finance people, and also once no chosen one is left.
             * @default null
             */
            mail_to?: string[] | null;
        };
        Alert: {
            id: string;
            /** @constant */
            object: "alert";
            /** @enum {string} */
            type: "spend" | "runway";
            key_id: string | null;
            key_name: string | null;
            project_id: string | null;
            project_name: string | null;
            amount_usd: number | null;
            period: ("daily" | "monthly") | null;
            percentages: number[];
            days: number | null;
            mail: boolean;
            /** @description Members by their ids; null: owners and finance people. */
            mail_to: string[] | null;
            /** @description In this period; null for a runway. */
            spent_usd: number | null;
            /** @description The largest of the percentages that is reached; null: none. */
            reached_percentage: number | null;
            /** @description How long the balance lasts; null while nothing is spent, and for budgets. */
            runway_days: number | null;
            is_reached: boolean;
            /** Format: date-time */
            created_at: string;
        };
        /** @description What is sent is changed: `days` of a runway, the others of spending, `mail` and `mail_to` of both. */
        AlertChange: {
            /** @description The budget of a period, in US dollars. */
            amount_usd?: number;
            /**
             * @description When the spending counts anew (UTC).
             * @enum {string}
             */
            period?: "daily" | "monthly";
            /** @description The parts of the budget that are told of, in per cent. */
            percentages?: number[];
            /** @description Told of when the balance lasts less long, at the pace of seven days. */
            days?: number;
            /** @description Whether people get a mail too. */
            mail?: boolean;
            /** @description The ids of the members who get it; null: owners and finance people, and also once no chosen one is left. */
            mail_to?: string[] | null;
        };
        DeletedAlert: {
            id: string;
            /** @constant */
            object: "alert";
            /** @constant */
            deleted: true;
        };
        FlowRuleList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["FlowRule"][];
        };
        NewFlowRule: {
            /** @description `<namespace>/<slug>`: the runs of this agent that the workspace orders. */
            agent: string;
            /**
             * @description How many runs of the agent run at once.
             * @default null
             */
            concurrency?: {
                /** @description Further runs wait in a queue. */
                limit: number;
                /**
                 * @description A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent.
                 * @default null
                 */
                key?: string | null;
            } | null;
            /**
             * @description How many runs of the agent start in a period.
             * @default null
             */
            rate?: {
                limit: number;
                /** @description At most `limit` runs start within any such period. */
                period_seconds: number;
                /**
                 * @description A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent.
                 * @default null
                 */
                key?: string | null;
                /**
                 * @description `queue`: further runs wait (throttle). `refuse`: 429 `run_rate_exceeded` with `retry-after`.
                 * @default queue
                 * @enum {string}
                 */
                when_exceeded?: "queue" | "refuse";
            } | null;
        };
        FlowRule: {
            id: string;
            /** @constant */
            object: "flow_rule";
            agent: string;
            concurrency: {
                limit: number;
                key: string | null;
            } | null;
            rate: {
                limit: number;
                period_seconds: number;
                key: string | null;
                /** @enum {string} */
                when_exceeded: "queue" | "refuse";
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description What is sent is replaced as a whole; null removes it. */
        FlowRuleChange: {
            /** @description How many runs of the agent run at once. */
            concurrency?: {
                /** @description Further runs wait in a queue. */
                limit: number;
                /**
                 * @description A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent.
                 * @default null
                 */
                key?: string | null;
            } | null;
            /** @description How many runs of the agent start in a period. */
            rate?: {
                limit: number;
                /** @description At most `limit` runs start within any such period. */
                period_seconds: number;
                /**
                 * @description A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent.
                 * @default null
                 */
                key?: string | null;
                /**
                 * @description `queue`: further runs wait (throttle). `refuse`: 429 `run_rate_exceeded` with `retry-after`.
                 * @default queue
                 * @enum {string}
                 */
                when_exceeded?: "queue" | "refuse";
            } | null;
        };
        DeletedFlowRule: {
            id: string;
            /** @constant */
            object: "flow_rule";
            /** @constant */
            deleted: true;
        };
        ProjectList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Project"][];
        };
        NewProject: {
            name: string;
            spend_limit?: number | null;
            spend_limit_period?: ("daily" | "monthly") | null;
        };
        Project: {
            /** @description `default` for the default project. */
            id: string;
            /** @constant */
            object: "project";
            name: string;
            /** @enum {string} */
            status: "active" | "archived";
            /** @description Null for the default project. */
            created_at: string | null;
            archived_at: string | null;
            /** @description Null for none. */
            spend_limit: number | null;
            spend_limit_period: ("daily" | "monthly") | null;
            /** @description What is left of the ceiling in its period; null: no ceiling. */
            spend_limit_remaining: number | null;
            spend_daily: number;
            spend_monthly: number;
            spend_total: number;
            /** @description Keys that are neither revoked nor expired. */
            keys: number;
        };
        ProjectChange: {
            name?: string;
            spend_limit?: number | null;
            spend_limit_period?: ("daily" | "monthly") | null;
            /**
             * @description The keys of an archived project are refused, and its usage stays readable. It can be made active again.
             * @enum {string}
             */
            status?: "active" | "archived";
        };
        TestClock: {
            /** @constant */
            object: "test_clock";
            /**
             * @description `advancing`: what is due until its target happens first, in its order. Read it again until it is `ready`.
             * @enum {string}
             */
            status: "ready" | "advancing";
            /**
             * Format: date-time
             * @description The time of the test workspace.
             */
            now: string;
            /**
             * Format: date-time
             * @description Where it is being moved to; the same as `now` when it is ready.
             */
            target: string;
            /** @description How far that is ahead of the real time. */
            ahead_seconds: number;
        };
        ClockBody: {
            /** @description By so many seconds: at most 366 days. */
            seconds?: number;
            /**
             * Format: date-time
             * @description To this time, which is not before the clock’s.
             */
            to?: string;
        };
        CheckoutBody: {
            amount: number;
        };
        CheckoutSession: {
            /** @description The page where it is paid. */
            url: string;
            session_id: string;
            /** @description In US dollars. */
            amount: number;
        };
        CardBody: {
            /**
             * Format: uri
             * @description Where the page leads back to. A member in the console comes back to the console, whatever is sent.
             */
            return_url?: string;
            /** @description The card pays by itself once it is saved. Without it, what is set stays: the card pays nothing unless that is on already. */
            auto_topup?: {
                /** @description The card pays when the balance falls below this. */
                threshold_usd: number;
                /** @description How much it pays each time. */
                amount_usd: number;
                /** @description The most it pays in a month (UTC). */
                monthly_cap_usd: number;
            };
        };
        CardSession: {
            /** @description The page where it is paid. */
            url: string;
            session_id: string;
        };
        WebhookAnswer: {
            /** @constant */
            received: true;
            /**
             * @description What came of the event. `unknown` and `mismatch` credit nothing.
             * @enum {string}
             */
            outcome: "credited" | "noted" | "repeated" | "ignored" | "unknown" | "mismatch";
        };
        AccountStatement: {
            /** @constant */
            object: "statement";
            month: string;
            /** @constant */
            currency: "USD";
            opening_balance_usd: number;
            topups_usd: number;
            /** @description Payments that were refunded or disputed: below zero. */
            refunds_usd: number;
            /** @description Changes by operators, and credit of the first start. */
            adjustments_usd: number;
            /** @description Earnings of agents that were paid out to the balance. */
            payouts_usd: number;
            spend: {
                /** @enum {string} */
                product: "text" | "embeddings" | "speech" | "transcription" | "voice_conversion" | "realtime" | "batch" | "agents";
                model: string | null;
                agent: string | null;
                /** @description Calls or runs that were billed. */
                requests: number;
                /** @description Their bills, less what was refunded. */
                cost_usd: number;
            }[];
            /** @description The same spending by project, the largest first: it adds up to `spend_usd` too. */
            spend_by_project: {
                project_id: string;
                name: string;
                requests: number;
                cost_usd: number;
            }[];
            spend_usd: number;
            /** @description Opening balance + top-ups + refunds + adjustments + payouts - spend, exactly. Of a month that has not ended: up to now. */
            closing_balance_usd: number;
            /** @description The same as the rows of the CSV and the PDF: all before the last one sum up to the closing balance. */
            rows: {
                /** @enum {string} */
                line: "opening_balance" | "topups" | "refunds" | "adjustments" | "payouts" | "spend" | "closing_balance";
                label: string;
                product: ("text" | "embeddings" | "speech" | "transcription" | "voice_conversion" | "realtime" | "batch" | "agents") | null;
                /** @description The model or agent of a spend line. */
                name: string | null;
                requests: number | null;
                /** @description Signed by its effect on the balance. */
                amount_usd: number;
            }[];
            /** @description What agents of the workspace earned. It is beside the balance, and in no row. */
            earnings_usd: number;
        };
        Receipt: {
            /** @constant */
            object: "receipt";
            id: string;
            /**
             * @description `pending`: the day of an entry has no signed root yet. `not_billed`: nothing was charged.
             * @enum {string}
             */
            status: "signed" | "pending" | "not_billed";
            entries: {
                entry: {
                    id: string;
                    /** @constant */
                    object: "ledger.entry";
                    /** @description `topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed. */
                    kind: string;
                    amount_usd: number;
                    /** @description Null where the entry does not change the balance. */
                    balance_after_usd: number | null;
                    request_id: string | null;
                    run_id: string | null;
                    key_prefix: string | null;
                    /** @description Of the call. */
                    model: string | null;
                    route: string | null;
                    /** @description Of the run: `<namespace>/<slug>`. */
                    agent: string | null;
                    /** @description The receipt of a payment. */
                    receipt_url: string | null;
                    /** Format: date-time */
                    created_at: string;
                    /** @description Hash of the entry and of the previous hash. Null where the entry does not change the balance. */
                    hash: string | null;
                    prev_hash: string | null;
                };
                /** @description When the root of its day is due; null once it is signed. */
                due_at: string | null;
                /** @description JSON, to be hashed as these bytes: the fields of the entry’s hash, and what the call or run consumed. */
                leaf: string;
                /** @description Its place among the day’s entries, from 0. */
                index: number | null;
                proof: string[] | null;
                day: {
                    /** @description JSON, to be hashed as these bytes: the account at the end of the day, and the root of its entries. */
                    leaf: string;
                    index: number;
                    /** @description Hexadecimal SHA-256, from the leaf to the root, as in RFC 6962. */
                    proof: string[];
                } | null;
                root: {
                    /** @description JSON, signed as these bytes: the day, the root over all accounts, and the hash of the root before. */
                    signed: string;
                    /** @description Ed25519, in base64. The keys: `/.well-known/ledgerline-bill-keys.json`. */
                    signature: string;
                } | null;
            }[];
        };
        TopupPage: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "topup";
                /** @enum {string} */
                source: "checkout" | "auto";
                /** @enum {string} */
                status: "open" | "processing" | "paid" | "failed" | "expired";
                /** @description What the balance gets. */
                amount_usd: number;
                /** @description On top of it, once it is paid; null where no tax is added. */
                tax_usd: number | null;
                /** @description What is paid: amount and tax. */
                total_usd: number;
                /** @description Of the amount. */
                refunded_usd: number;
                disputed_usd: number;
                /** @description The tax that went back with it, in proportion. */
                returned_tax_usd: number;
                /** @description Stripe’s receipt. */
                receipt_url: string | null;
                /** Format: date-time */
                created_at: string;
                paid_at: string | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        AutoTopup: {
            enabled: boolean;
            /** @description The card pays when the balance falls below this. */
            threshold_usd: number | null;
            /** @description How much it pays each time. */
            amount_usd: number | null;
            /** @description The most it pays in a month (UTC). */
            monthly_cap_usd: number | null;
            spent_this_month_usd: number;
            /** @description Null before a card is saved. */
            card: {
                brand: string;
                last4: string;
            } | null;
            /** @description Why the card was declined the last time, or that it was removed; null once one has paid. */
            last_error: string | null;
        };
        AutoTopupChange: {
            enabled?: boolean;
            /** @description The card pays when the balance falls below this. */
            threshold_usd?: number;
            /** @description How much it pays each time. */
            amount_usd?: number;
            /** @description The most it pays in a month (UTC). */
            monthly_cap_usd?: number;
        };
        Event: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @description For example `run.completed`. New types may come: ignore those you do not know. */
            type: string;
            /** @description The last event of a run holds the run. */
            data: unknown;
        };
        WebhookEndpointPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookEndpoint"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        NewWebhookEndpoint: {
            /** @description Where events are posted: an https address on the public internet, without a user name and password. */
            url: string;
            /** @description The types to deliver, by name. `*`, an empty list or none: all, with those that come later. */
            event_types?: ("*" | "run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached" | "schedule.paused" | "batch.completed" | "batch.failed" | "batch.expired" | "batch.cancelled" | "deployment.approved" | "deployment.changes_requested" | "deployment.rejected" | "deployment.withdrawn" | "deployment.suspended" | "deployment.reinstated" | "deployment.rollout_advanced" | "deployment.rollout_completed" | "deployment.rolled_back" | "agent.failing" | "agent.recovered" | "agent.run_shared" | "agent.price_increase" | "agent.channel_moved" | "agent.taken_down" | "agent.deprecated" | "agent.restored" | "payout.sent" | "payout.rejected" | "balance.low" | "balance.depleted" | "alert.spend_reached" | "alert.runway_short" | "invoice.issued" | "topup.succeeded" | "topup.failed" | "audit.entry_recorded" | "workspace.erasure_ordered" | "workspace.erasure_cancelled" | "key.created" | "key.revoked" | "key.spend_threshold" | "key.limit_reached")[] | null;
            description?: string | null;
            /** @description A disabled endpoint gets nothing, and what happens meanwhile is not sent later. */
            disabled?: boolean | null;
        };
        CreatedWebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description `*`: all. */
            event_types: string[];
            description: string | null;
            disabled: boolean;
            /** @description `gone`: it answered 410. `failing`: no attempt succeeded for 5 days. */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            disabled_at: string | null;
            /** @description Since when no attempt has succeeded. */
            failing_since: string | null;
            /** @description Until when a secret from before a rotation signs too. */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Shown this once. Null for a retry: rotate the secret to get another one. */
            secret: string | null;
        };
        WebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description `*`: all. */
            event_types: string[];
            description: string | null;
            disabled: boolean;
            /** @description `gone`: it answered 410. `failing`: no attempt succeeded for 5 days. */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            disabled_at: string | null;
            /** @description Since when no attempt has succeeded. */
            failing_since: string | null;
            /** @description Until when a secret from before a rotation signs too. */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookEndpointChange: {
            /** @description Where events are posted: an https address on the public internet, without a user name and password. */
            url?: string;
            /** @description The types to deliver, by name. `*`, an empty list or none: all, with those that come later. */
            event_types?: ("*" | "run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached" | "schedule.paused" | "batch.completed" | "batch.failed" | "batch.expired" | "batch.cancelled" | "deployment.approved" | "deployment.changes_requested" | "deployment.rejected" | "deployment.withdrawn" | "deployment.suspended" | "deployment.reinstated" | "deployment.rollout_advanced" | "deployment.rollout_completed" | "deployment.rolled_back" | "agent.failing" | "agent.recovered" | "agent.run_shared" | "agent.price_increase" | "agent.channel_moved" | "agent.taken_down" | "agent.deprecated" | "agent.restored" | "payout.sent" | "payout.rejected" | "balance.low" | "balance.depleted" | "alert.spend_reached" | "alert.runway_short" | "invoice.issued" | "topup.succeeded" | "topup.failed" | "audit.entry_recorded" | "workspace.erasure_ordered" | "workspace.erasure_cancelled" | "key.created" | "key.revoked" | "key.spend_threshold" | "key.limit_reached")[] | null;
            description?: string | null;
            /** @description A disabled endpoint gets nothing, and what happens meanwhile is not sent later. */
            disabled?: boolean | null;
        };
        DeletedWebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            /** @constant */
            deleted: true;
        };
        RotatedWebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description `*`: all. */
            event_types: string[];
            description: string | null;
            disabled: boolean;
            /** @description `gone`: it answered 410. `failing`: no attempt succeeded for 5 days. */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            disabled_at: string | null;
            /** @description Since when no attempt has succeeded. */
            failing_since: string | null;
            /** @description Until when a secret from before a rotation signs too. */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The signing secret, shown this once: `whsec_` and 32 bytes in base64. */
            secret: string;
        };
        WebhookDeliveryPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ListedWebhookDelivery"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ListedWebhookDelivery: {
            id: string;
            /** @constant */
            object: "webhook_delivery";
            endpoint_id: string;
            /** @description The header `webhook-id` of each attempt. */
            event_id: string;
            event_type: string;
            /**
             * @description `cancelled`: the endpoint was disabled or deleted before.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Attempts so far, since the last redelivery. */
            attempt: number;
            next_try_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description What is sent. Null once the event is deleted. */
            request_body: string | null;
            attempts: {
                id: string;
                /** @description Null: there was no answer. */
                response_status: number | null;
                /** @description The first 4 KiB of the answer. */
                response_body: string | null;
                /** @description Why the attempt does not count as delivered. */
                error: string | null;
                duration_ms: number;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        WorkspaceEventPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Redelivery: {
            /** @description The endpoint that gets it, whatever its types. Without one: each enabled endpoint that gets events of this type. */
            endpoint_id?: string | null;
        };
        WebhookDeliveryList: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "webhook_delivery";
                endpoint_id: string;
                /** @description The header `webhook-id` of each attempt. */
                event_id: string;
                event_type: string;
                /**
                 * @description `cancelled`: the endpoint was disabled or deleted before.
                 * @enum {string}
                 */
                status: "pending" | "delivered" | "failed" | "cancelled";
                /** @description Attempts so far, since the last redelivery. */
                attempt: number;
                next_try_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** @description `true`: the attempt of an earlier request was still due, so one attempt may serve both. `false`: it has its own. */
                merged: boolean;
            }[];
        };
        RunOrder: {
            /** @description `<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`. */
            agent: string;
            /** @description A date label or `aver_…`; the current one when left out. */
            version?: string;
            /**
             * @default public
             * @enum {string}
             */
            visibility?: "public" | "private";
            /** @description Runs the version of this quote at its price, while the quote holds. */
            quote_id?: string;
            /** @description A new session when left out. */
            session_id?: string;
            /** @description A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user. */
            input: string | ({
                /** @constant */
                type: "input_text";
                text: string;
            } | {
                /** @constant */
                type: "input_file";
                file_id: string;
            } | {
                /** @constant */
                type: "input_data";
                /** @description Fits the agent’s `input_schema`. */
                data: {
                    [key: string]: unknown;
                };
            } | {
                /** @constant */
                type: "message";
                /**
                 * @description The agent’s own instructions stand above those of `system` and `developer`.
                 * @enum {string}
                 */
                role: "system" | "developer" | "user" | "assistant";
                name?: string;
                /** @description Files only in messages of the user. */
                content: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                })[];
            } | {
                /** @constant */
                type: "function_call";
                call_id: string;
                name: string;
                arguments: string;
            } | {
                /** @constant */
                type: "function_call_output";
                call_id: string;
                output: string;
            })[];
            /** @description The schema of this run’s `output_data`, for agents with `accepts_response_format`. */
            response_format?: {
                /** @constant */
                type: "json_schema";
                json_schema: {
                    /** @default output */
                    name?: string;
                    description?: string;
                    schema: {
                        [key: string]: unknown;
                    };
                    strict?: boolean | null;
                };
            };
            /** @description The agent’s maximum when left out. */
            max_cost_usd?: number;
            /**
             * @description With `pause` the run waits for a higher limit, while it is below the agent’s maximum.
             * @default stop
             * @enum {string}
             */
            on_limit?: "stop" | "pause";
            /**
             * @default reject
             * @enum {string}
             */
            if_session_busy?: "reject" | "enqueue" | "interrupt";
            /** @description Waits in a queue while as many runs with this key run. A run keeps its place until it has ended. */
            concurrency?: {
                /** @description Runs of the workspace with the same key are counted together, whichever agent they are of. */
                key: string;
                /** @description A run starts when fewer than so many of them run. */
                limit: number;
            };
            /**
             * @description Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first.
             * @default 0
             */
            priority?: number;
            /** @description Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`. */
            debounce?: {
                /** @description Orders of the same agent with the same key are one burst. */
                key: string;
                /** @description The run starts so long after the last order of its burst. */
                seconds: number;
                /** @description At the latest so long after the first order; while orders come, it waits on when left out. */
                max_seconds?: number;
            };
            /** @default 3600 */
            timeout_seconds?: number;
            /** @default {} */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your end user, by an id of your own: an agent with memory remembers for this user, across sessions. */
            user?: string;
            /** @description The state of the new session, as a JSON object. */
            state?: {
                [key: string]: unknown;
            };
            /**
             * @description Answers with the run’s events.
             * @default false
             */
            stream?: boolean;
            /** @description For `stream`. Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece. */
            include?: ("steps" | "deltas" | "reasoning" | "cost")[];
            /**
             * @description `cancel` only with `stream`; `continue` when left out.
             * @enum {string}
             */
            on_disconnect?: "continue" | "cancel";
            /** @description The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there. */
            webhook_url?: string;
            /** @description Which events go to `webhook_url`; all of these when left out. */
            webhook_events?: ("run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached")[];
            /** @default 0 */
            start_after_seconds?: number;
            /**
             * @default api
             * @enum {string}
             */
            source?: "api" | "chat" | "workstream";
        };
        Run: {
            id: string;
            /** @constant */
            object: "run";
            agent: string;
            agent_id: string;
            version_id: string;
            version: string;
            session_id: string;
            /**
             * @description The last four are final.
             * @enum {string}
             */
            status: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
            /** @description Why it ended so. `waits_for_worker`: it goes on when a worker is free, until its timeout. */
            status_reason: string | null;
            /** @description As it was sent; null when it was deleted, 30 days after the end. */
            input: unknown;
            /** @description As it was sent: the schema of this run’s `output_data`. */
            response_format: {
                [key: string]: unknown;
            } | null;
            output: ({
                /** @constant */
                type: "output_text";
                text: string;
            } | {
                /** @constant */
                type: "output_file";
                file_id: string;
                filename: string;
                media_type: string;
                size_bytes: number;
            } | {
                /** @constant */
                type: "output_data";
                data: unknown;
            })[];
            /** @description What it waits for: the first of `required_actions`, for clients that show one. */
            required_action: ({
                /** @enum {string} */
                type: "text" | "form" | "tool_approval" | "raise_limit" | "plugin_secret" | "plugin_sign_in";
                /** @description Names the action in an answer. */
                step_id?: string;
                /**
                 * Format: date-time
                 * @description Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`.
                 */
                expires_at?: string;
                /** @description For `text` and `form`. */
                question?: string;
                /** @description For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation. */
                schema?: {
                    [key: string]: unknown;
                };
                /** @description For `text` and `form`: what is taken when the time is up. */
                default?: unknown;
                /** @description For `tool_approval`: the tool. */
                name?: string;
                /** @description For `tool_approval`: what the tool is called with, as the model wrote it. */
                arguments?: {
                    [key: string]: unknown;
                };
                /** @description For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events. */
                input_schema?: {
                    [key: string]: unknown;
                } | null;
                /** @description For `tool_approval`: what the call probably costs; null when it is not known. US dollars. */
                expected_cost_usd?: number | null;
                /** @description For `tool_approval`: the most that it costs; null without a limit. US dollars. */
                maximum_cost_usd?: number | null;
                /** @description For `raise_limit`: the limit now. */
                max_cost_usd?: number;
                /** @description For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used. */
                held_usd?: number;
                /** @description For what a plugin needs: its id. */
                plugin?: string;
                /** @description For `plugin_secret`: the name of the secret. */
                secret?: string;
                /** @description For what a plugin needs: how it is given. */
                message?: string;
                /** @description For what a plugin needs: the page of the console where it is given. */
                url?: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description All that it waits for: the questions and approvals of one turn. Each is answered once, in any order. */
            required_actions: ({
                /** @enum {string} */
                type: "text" | "form" | "tool_approval" | "raise_limit" | "plugin_secret" | "plugin_sign_in";
                /** @description Names the action in an answer. */
                step_id?: string;
                /**
                 * Format: date-time
                 * @description Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`.
                 */
                expires_at?: string;
                /** @description For `text` and `form`. */
                question?: string;
                /** @description For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation. */
                schema?: {
                    [key: string]: unknown;
                };
                /** @description For `text` and `form`: what is taken when the time is up. */
                default?: unknown;
                /** @description For `tool_approval`: the tool. */
                name?: string;
                /** @description For `tool_approval`: what the tool is called with, as the model wrote it. */
                arguments?: {
                    [key: string]: unknown;
                };
                /** @description For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events. */
                input_schema?: {
                    [key: string]: unknown;
                } | null;
                /** @description For `tool_approval`: what the call probably costs; null when it is not known. US dollars. */
                expected_cost_usd?: number | null;
                /** @description For `tool_approval`: the most that it costs; null without a limit. US dollars. */
                maximum_cost_usd?: number | null;
                /** @description For `raise_limit`: the limit now. */
                max_cost_usd?: number;
                /** @description For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used. */
                held_usd?: number;
                /** @description For what a plugin needs: its id. */
                plugin?: string;
                /** @description For `plugin_secret`: the name of the secret. */
                secret?: string;
                /** @description For what a plugin needs: how it is given. */
                message?: string;
                /** @description For what a plugin needs: the page of the console where it is given. */
                url?: string;
            } & {
                [key: string]: unknown;
            })[];
            error: {
                message: string;
                type: string;
                param: string | null;
                code: string;
            } | null;
            /** @description The cause of a failure. */
            fault: ("platform" | "provider" | "agent" | "caller") | null;
            limit: {
                /**
                 * @description `model_output_limit`: the answer is longer than the model writes; in tokens of one call.
                 * @enum {string}
                 */
                kind: "max_cost" | "key_spend" | "balance" | "timeout" | "steps" | "model_output_limit";
                value: number;
                used: number;
            } | null;
            /** @description US dollars. */
            max_cost_usd: number;
            /** @description The hold of the run in US dollars. */
            held_usd: number;
            usage: {
                meters: {
                    id: string;
                    unit: string;
                    quantity: number;
                    /** @description US dollars. */
                    price_usd: number;
                    /** @description The part of the price that passes through to the platform, US dollars. */
                    platform_cost_usd: number;
                    /** @description US dollars. */
                    cost_usd: number;
                }[];
                /** @description US dollars. */
                subtotal_usd: number;
                /** @description The platform’s part for model and sandbox in US dollars, from the subtotal and its own subsidy. */
                platform_cost_usd: number;
                /** @description US dollars. */
                network_fee_usd: number;
                /** @description US dollars. */
                total_usd: number;
                /** @description What the runs have cost that this one started: billed as theirs, and not in `total_usd`. US dollars. */
                children_usd: number;
                /** @description `true`: this is the bill. `false`: the cost so far. */
                settled: boolean;
            };
            rerun_of: {
                run_id: string;
                /** @description The first step that ran anew; the results of those before are reused. */
                from_step: number;
            } | null;
            /** @description The run whose agent started this one. */
            parent_run_id: string | null;
            /** @description As it was sent. */
            priority: number;
            /** @description As it was sent. */
            concurrency: {
                key: string;
                limit: number;
            } | null;
            /** @description As it was sent. */
            debounce: {
                key: string;
                seconds: number;
                max_seconds?: number;
            } | null;
            queue: {
                /**
                 * @description The end of its session’s runs, a place for its key, its share of a rate, the end of a burst, or its time.
                 * @enum {string}
                 */
                waits_for: "session" | "concurrency" | "rate" | "debounce" | "start_time";
                /** @description 1: the next one; at most 1001. Null for a time. */
                position: number | null;
                /** @description Whose runs are counted together. */
                key: string | null;
                limit: number | null;
                /** @description Of a rate. */
                period_seconds: number | null;
                /** @description At the earliest, when it waits for a time. */
                starts_at: string | null;
            } | null;
            source: string;
            metadata: {
                [key: string]: string;
            };
            /** @description The end user that the order named. */
            user: string | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
            cancel_requested_at: string | null;
            duration_seconds: number | null;
            last_event_id: string | null;
            links: {
                self: string;
                events: string;
                cancel: string;
            };
        };
        /** @description One of these, by `type`. New types may come: ignore those you do not know. */
        RunEvent: components["schemas"]["RunCreatedEvent"] | components["schemas"]["RunQueuedEvent"] | components["schemas"]["RunInProgressEvent"] | components["schemas"]["RunRequiresActionEvent"] | components["schemas"]["RunStepReusedEvent"] | components["schemas"]["RunStepStartedEvent"] | components["schemas"]["RunStepRetryingEvent"] | components["schemas"]["RunStepCompletedEvent"] | components["schemas"]["RunStepFailedEvent"] | components["schemas"]["RunReasoningDeltaEvent"] | components["schemas"]["RunProgressEvent"] | components["schemas"]["RunToolProgressEvent"] | components["schemas"]["RunOutputTextDeltaEvent"] | components["schemas"]["RunOutputTextDoneEvent"] | components["schemas"]["RunOutputFileCreatedEvent"] | components["schemas"]["RunOutputDataDoneEvent"] | components["schemas"]["RunStateUpdatedEvent"] | components["schemas"]["RunUsageUpdatedEvent"] | components["schemas"]["RunBudgetWarningEvent"] | components["schemas"]["RunCancellingEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunLimitReachedEvent"] | components["schemas"]["RunCancelledEvent"] | components["schemas"]["RunFailedEvent"];
        /** @description The run is stored, and its money held. */
        RunCreatedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.created";
            data: {
                agent: string;
                version: string;
                session_id: string;
                status: string;
                /** @description US dollars. */
                max_cost_usd: number;
                /** @description US dollars. */
                held_usd: number;
                /** @description Of a rerun. */
                rerun_of?: {
                    run_id: string;
                    /** @description The first step that ran anew; the results of those before are reused. */
                    from_step: number;
                };
                /** @description The run whose agent started this one. */
                parent_run_id?: string;
            };
        };
        /** @description It waits for its time, its session, its turn or a worker. */
        RunQueuedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.queued";
            data: {
                status: string;
                /** @description For an earlier run of its session, or for its turn: see `queue` of the run. */
                waiting: boolean;
                /** Format: date-time */
                start_at: string;
            };
        };
        /** @description It has begun, or goes on after an answer. */
        RunInProgressEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.in_progress";
            data: Record<string, never>;
        };
        /** @description It waits for you: answer by `POST /v1/runs/{run_id}/input`, or give to a plugin what it needs. It comes again with what is left when one of several actions was answered. */
        RunRequiresActionEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.requires_action";
            data: {
                /** @description The first of `required_actions`. */
                required_action: {
                    /** @enum {string} */
                    type: "text" | "form" | "tool_approval" | "raise_limit" | "plugin_secret" | "plugin_sign_in";
                    /** @description Names the action in an answer. */
                    step_id?: string;
                    /**
                     * Format: date-time
                     * @description Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`.
                     */
                    expires_at?: string;
                    /** @description For `text` and `form`. */
                    question?: string;
                    /** @description For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation. */
                    schema?: {
                        [key: string]: unknown;
                    };
                    /** @description For `text` and `form`: what is taken when the time is up. */
                    default?: unknown;
                    /** @description For `tool_approval`: the tool. */
                    name?: string;
                    /** @description For `tool_approval`: what the tool is called with, as the model wrote it. */
                    arguments?: {
                        [key: string]: unknown;
                    };
                    /** @description For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events. */
                    input_schema?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description For `tool_approval`: what the call probably costs; null when it is not known. US dollars. */
                    expected_cost_usd?: number | null;
                    /** @description For `tool_approval`: the most that it costs; null without a limit. US dollars. */
                    maximum_cost_usd?: number | null;
                    /** @description For `raise_limit`: the limit now. */
                    max_cost_usd?: number;
                    /** @description For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used. */
                    held_usd?: number;
                    /** @description For what a plugin needs: its id. */
                    plugin?: string;
                    /** @description For `plugin_secret`: the name of the secret. */
                    secret?: string;
                    /** @description For what a plugin needs: how it is given. */
                    message?: string;
                    /** @description For what a plugin needs: the page of the console where it is given. */
                    url?: string;
                } & {
                    [key: string]: unknown;
                };
                /** @description All that are open. Older events lack it. */
                required_actions?: ({
                    /** @enum {string} */
                    type: "text" | "form" | "tool_approval" | "raise_limit" | "plugin_secret" | "plugin_sign_in";
                    /** @description Names the action in an answer. */
                    step_id?: string;
                    /**
                     * Format: date-time
                     * @description Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`.
                     */
                    expires_at?: string;
                    /** @description For `text` and `form`. */
                    question?: string;
                    /** @description For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation. */
                    schema?: {
                        [key: string]: unknown;
                    };
                    /** @description For `text` and `form`: what is taken when the time is up. */
                    default?: unknown;
                    /** @description For `tool_approval`: the tool. */
                    name?: string;
                    /** @description For `tool_approval`: what the tool is called with, as the model wrote it. */
                    arguments?: {
                        [key: string]: unknown;
                    };
                    /** @description For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events. */
                    input_schema?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description For `tool_approval`: what the call probably costs; null when it is not known. US dollars. */
                    expected_cost_usd?: number | null;
                    /** @description For `tool_approval`: the most that it costs; null without a limit. US dollars. */
                    maximum_cost_usd?: number | null;
                    /** @description For `raise_limit`: the limit now. */
                    max_cost_usd?: number;
                    /** @description For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used. */
                    held_usd?: number;
                    /** @description For what a plugin needs: its id. */
                    plugin?: string;
                    /** @description For `plugin_secret`: the name of the secret. */
                    secret?: string;
                    /** @description For what a plugin needs: how it is given. */
                    message?: string;
                    /** @description For what a plugin needs: the page of the console where it is given. */
                    url?: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description US dollars. */
                held_usd: number;
            };
        };
        /** @description A rerun has taken over a step with its result. It costs nothing, unless the repeated run failed and was not billed. */
        RunStepReusedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.step.reused";
            data: {
                step_id: string;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                name: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                /** @description Of a step of the kind `model`. */
                model?: string;
                /** @description The step of the repeated run. */
                reused_from: string;
                is_error: boolean;
                error_code: string | null;
                /** @description As the model wrote them, at most 4096 bytes. */
                arguments?: string;
                arguments_truncated?: boolean;
                /** @description At most 1024 bytes. */
                result_preview?: string;
                result_truncated?: boolean;
            };
        };
        /** @description An attempt of a step has begun. */
        RunStepStartedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.step.started";
            data: {
                step_id: string;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                name: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                /** @description Of a step of the kind `model`. */
                model?: string;
                /** @description As the model wrote them, at most 4096 bytes. */
                arguments?: string;
                arguments_truncated?: boolean;
            };
        };
        /** @description An attempt failed; the next one begins at `retry_at`. */
        RunStepRetryingEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.step.retrying";
            data: {
                step_id: string;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                name: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                /** @description Of a step of the kind `model`. */
                model?: string;
                is_error: boolean;
                error_code: string | null;
                /**
                 * Format: date-time
                 * @description Of the first attempt.
                 */
                started_at: string;
                /** Format: date-time */
                ended_at: string;
                duration_ms: number;
                /** @description Of a model, and of a compaction. */
                input_tokens: number | null;
                /** @description Of a model, and of a compaction. */
                output_tokens: number | null;
                /** @description Of a sandbox. */
                sandbox_seconds: number | null;
                /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                cost_usd: number;
                /** @description At most 1024 bytes. */
                result_preview?: string;
                result_truncated?: boolean;
                /** @description The same as `error_code`. */
                code: string;
                /** Format: date-time */
                retry_at: string;
            };
        };
        /** @description A step has its result. */
        RunStepCompletedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.step.completed";
            data: {
                step_id: string;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                name: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                /** @description Of a step of the kind `model`. */
                model?: string;
                is_error: boolean;
                error_code: string | null;
                /**
                 * Format: date-time
                 * @description Of the first attempt.
                 */
                started_at: string;
                /** Format: date-time */
                ended_at: string;
                duration_ms: number;
                /** @description Of a model, and of a compaction. */
                input_tokens: number | null;
                /** @description Of a model, and of a compaction. */
                output_tokens: number | null;
                /** @description Of a sandbox. */
                sandbox_seconds: number | null;
                /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                cost_usd: number;
                /** @description At most 1024 bytes. */
                result_preview?: string;
                result_truncated?: boolean;
            };
        };
        /** @description A step failed; or has an error as its result, which the model reads: of a tool, or about an output that does not fit; or was open when its run ended. */
        RunStepFailedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.step.failed";
            data: {
                step_id: string;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                name: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                /** @description Of a step of the kind `model`. */
                model?: string;
                is_error: boolean;
                error_code: string | null;
                /**
                 * Format: date-time
                 * @description Of the first attempt.
                 */
                started_at: string;
                /** Format: date-time */
                ended_at: string;
                duration_ms: number;
                /** @description Of a model, and of a compaction. */
                input_tokens: number | null;
                /** @description Of a model, and of a compaction. */
                output_tokens: number | null;
                /** @description Of a sandbox. */
                sandbox_seconds: number | null;
                /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                cost_usd: number;
                /** @description At most 1024 bytes. */
                result_preview?: string;
                result_truncated?: boolean;
                /** @description The same as `error_code`. */
                reason: string;
                /** @description What the model reads. */
                message?: string;
            };
        };
        /** @description What the model thinks, where its upstream shows it. */
        RunReasoningDeltaEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.reasoning.delta";
            data: {
                step_id: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                delta: string;
                /** @description How many characters (UTF-16 units) came before: what a reader already has beyond them is replaced. */
                offset: number;
            };
        };
        /** @description The model works, but has nothing to show yet. */
        RunProgressEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.progress";
            data: {
                step_id: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                elapsed_ms: number;
                output_tokens: number;
            };
        };
        /** @description A tool that is code of its publisher says how far it is. */
        RunToolProgressEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.tool.progress";
            data: {
                step_id: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                tool: string;
                message: string;
                /** @description From 0 to 100. */
                percentage: number | null;
            };
        };
        /** @description A piece of a text. */
        RunOutputTextDeltaEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.output_text.delta";
            data: {
                /** @description Names the text. A later attempt of the step writes it anew under another id; a step that goes on with a text that a limit cut keeps its id, and a later attempt of that step begins again at the `offset` where it went on. */
                item_id: string;
                delta: string;
                /** @description How many characters (UTF-16 units) came before: what a reader already has beyond them is replaced. */
                offset: number;
            };
        };
        /** @description A whole text, which replaces its pieces. It comes when no step goes on with it. */
        RunOutputTextDoneEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.output_text.done";
            data: {
                /** @description Names the text. A later attempt of the step writes it anew under another id; a step that goes on with a text that a limit cut keeps its id, and a later attempt of that step begins again at the `offset` where it went on. */
                item_id: string;
                text: string;
            };
        };
        /** @description A file was written. */
        RunOutputFileCreatedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.output_file.created";
            data: {
                /** @constant */
                type: "output_file";
                file_id: string;
                filename: string;
                media_type: string;
                size_bytes: number;
            };
        };
        /** @description Data was returned. */
        RunOutputDataDoneEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.output_data.done";
            data: {
                /** @constant */
                type: "output_data";
                data: unknown;
            };
        };
        /** @description The state of its session was changed: by a step, or by a caller while it works or waits. */
        RunStateUpdatedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.state.updated";
            data: {
                session_id: string;
                version: number;
                /** @description Null: by a caller. */
                step_id: string | null;
            };
        };
        /** @description What the run has consumed and costs so far. */
        RunUsageUpdatedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.usage.updated";
            data: {
                meters: {
                    id: string;
                    unit: string;
                    quantity: number;
                    /** @description US dollars. */
                    price_usd: number;
                    /** @description The part of the price that passes through to the platform, US dollars. */
                    platform_cost_usd: number;
                    /** @description US dollars. */
                    cost_usd: number;
                }[];
                /** @description US dollars. */
                total_usd: number;
                /** @description What the agents have cost that it called, beside `total_usd`. Missing in events of earlier releases. */
                children_usd?: number;
                /** @description US dollars. */
                held_usd: number;
            };
        };
        /** @description The run and the agents that it called have used four fifths of its limit: `total_usd` is what all of them cost. */
        RunBudgetWarningEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.budget.warning";
            data: {
                /** @description US dollars. */
                total_usd: number;
                /** @description US dollars. */
                max_cost_usd: number;
                share: number;
            };
        };
        /** @description It is being cancelled. */
        RunCancellingEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.cancelling";
            data: {
                /** @constant */
                status: "cancelling";
                /** @enum {string} */
                mode: "graceful" | "immediate";
                reason: string | null;
            };
        };
        /** @description The end: the work is done. */
        RunCompletedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.completed";
            data: components["schemas"]["Run"];
        };
        /** @description The end: money, time or steps were used up. */
        RunLimitReachedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.limit_reached";
            data: components["schemas"]["Run"];
        };
        /** @description The end: it was cancelled. */
        RunCancelledEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.cancelled";
            data: components["schemas"]["Run"];
        };
        /** @description The end: it failed, and costs nothing. */
        RunFailedEvent: {
            /** @description Send it as `Last-Event-ID` to go on after it. */
            id: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            timestamp: string;
            /** @description Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing. */
            sequence: number;
            run_id: string | null;
            resource: {
                type: string;
                id: string;
            };
            /** @constant */
            type: "run.failed";
            data: components["schemas"]["Run"];
        };
        RunQuote: {
            /** @description Send it as `quote_id` to run at this price, within 15 minutes. */
            id: string;
            /** @constant */
            object: "run.quote";
            agent: string;
            version: string;
            version_id: string;
            /** @description Half of the runs cost at most this. Null while there are too few runs. */
            p50_usd: number | null;
            /** @description Nine of ten runs cost at most this. Null while there are too few runs. */
            p90_usd: number | null;
            /** @description The run costs at most this: the `max_cost_usd` that was sent, or the agent’s maximum. */
            max_usd: number;
            /** @description How many runs the estimate is made of. */
            sample_size: number;
            /**
             * @description `version`: what runs of this version consumed, at this price. `other_versions`: the same of the agent’s other versions. `rate_card`: there are too few runs, so all that is known is `price` and `max_usd`.
             * @enum {string}
             */
            based_on: "version" | "other_versions" | "rate_card";
            price: {
                id: string;
                /** @constant */
                currency: "USD";
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                network_fee_percentage: number;
                /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                subsidised: boolean;
                meters: {
                    /** @enum {string} */
                    id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    unit: string;
                    /** @description For a unit, before the network fee. */
                    price_usd: number;
                    /** @description The part of the price that passes through to the platform. */
                    platform_cost_usd: number;
                    description: string;
                }[];
            };
            /** @description A more expensive version that orders of the same name get at this time. Null for an order that names a version. */
            upcoming_version: {
                version: string;
                /** Format: date-time */
                effective_at: string;
                pricing: {
                    id: string;
                    /** @constant */
                    currency: "USD";
                    minimum_cost_usd: number;
                    maximum_cost_usd: number;
                    network_fee_percentage: number;
                    /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                    subsidised: boolean;
                    meters: {
                        /** @enum {string} */
                        id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                        unit: string;
                        /** @description For a unit, before the network fee. */
                        price_usd: number;
                        /** @description The part of the price that passes through to the platform. */
                        platform_cost_usd: number;
                        description: string;
                    }[];
                };
            } | null;
            /** Format: date-time */
            expires_at: string;
        };
        RunPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Run"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        RunTotals: {
            /** @constant */
            object: "run.totals";
            /** @description Runs of the list. */
            count: number;
            /** @description The sum of their bills, in US dollars: a run is billed when it ends. Null when `is_capped`. */
            cost_usd: number | null;
            /** @description There are more than 500000 runs: they are not counted further. */
            is_capped: boolean;
        };
        EventPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["RunEvent"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        RunStepPage: {
            /** @constant */
            object: "list";
            data: {
                /** @description The same as `step_id`. */
                id: string;
                /** @constant */
                object: "run.step";
                run_id: string;
                /** @description Orders the steps of the run. */
                number: number;
                step_id: string;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                name: string;
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                model: string | null;
                /**
                 * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
                 * @enum {string}
                 */
                status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
                /** @description When the next attempt begins, while one waits. */
                retry_at: string | null;
                is_error: boolean;
                error_code: string | null;
                /** @description The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself. */
                reused_from: string | null;
                /** @description The run of another agent that the step has started. It is billed as a run of its own. */
                child_run: {
                    id: string;
                    status: string;
                    /** @description With the runs below it, US dollars. */
                    total_usd: number;
                } | null;
                /**
                 * Format: date-time
                 * @description Of the first attempt.
                 */
                started_at: string;
                /** @description Of the last attempt. */
                ended_at: string | null;
                duration_ms: number | null;
                /** @description Of a model, and of a compaction. */
                input_tokens: number | null;
                /** @description Of a model, and of a compaction. */
                output_tokens: number | null;
                /** @description Of a sandbox. */
                sandbox_seconds: number | null;
                /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                cost_usd: number;
                arguments: string | null;
                arguments_truncated: boolean;
                result_preview: string | null;
                result_truncated: boolean;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        RunStep: {
            /** @description The same as `step_id`. */
            id: string;
            /** @constant */
            object: "run.step";
            run_id: string;
            /** @description Orders the steps of the run. */
            number: number;
            step_id: string;
            /**
             * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
             * @enum {string}
             */
            kind: "model" | "tool" | "sandbox" | "file" | "compaction";
            /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
            name: string;
            /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
            attempt: number;
            model: string | null;
            /**
             * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
             * @enum {string}
             */
            status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
            /** @description When the next attempt begins, while one waits. */
            retry_at: string | null;
            is_error: boolean;
            error_code: string | null;
            /** @description The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself. */
            reused_from: string | null;
            /** @description The run of another agent that the step has started. It is billed as a run of its own. */
            child_run: {
                id: string;
                status: string;
                /** @description With the runs below it, US dollars. */
                total_usd: number;
            } | null;
            /**
             * Format: date-time
             * @description Of the first attempt.
             */
            started_at: string;
            /** @description Of the last attempt. */
            ended_at: string | null;
            duration_ms: number | null;
            /** @description Of a model, and of a compaction. */
            input_tokens: number | null;
            /** @description Of a model, and of a compaction. */
            output_tokens: number | null;
            /** @description Of a sandbox. */
            sandbox_seconds: number | null;
            /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
            cost_usd: number;
            /** @description The whole arguments. */
            arguments: string | null;
            result: {
                /** @description What the model wrote, what the tool returned, or the summary. */
                text: string;
                /** @description Why the output in it does not fit its schema, as the model reads it. */
                refusal: string | null;
                tool_calls: {
                    /** @description Null for a call that is not run: the output of the run, over the limit of 20 in one answer, or cut by the model’s limit. */
                    step_id: string | null;
                    id: string;
                    name: string;
                    arguments: string;
                }[];
            } | null;
            /** @description What the agent tells its model; only for the workspace of the agent. */
            instructions: string | null;
        };
        ReplayOrder: {
            agent?: string;
            /** @description A date label or `aver_…`. */
            version?: string;
            session_id?: string;
            /** @description The runs that this schedule has started. */
            schedule_id?: string;
            /** @description The runs that the agent of this run has started. */
            parent_run_id?: string;
            /** @enum {string} */
            source?: "api" | "chat" | "workstream" | "schedule" | "agent" | "test";
            /** @description The `user` of the order. */
            user?: string;
            /**
             * @description The cause of a failure.
             * @enum {string}
             */
            fault?: "platform" | "provider" | "agent" | "caller";
            /** @description The `code` of a failed run’s error. */
            error_code?: string;
            /** @description A part of the message of a failed run’s error, in any case. */
            error?: string;
            /** @description Runs that have all of these pairs: `metadata[team]=support`. */
            metadata?: {
                [key: string]: string;
            };
            /** @description A date, or a date and time with its offset (ISO 8601). */
            from?: string;
            /** @description A date, which is included, or a date and time, which is not. */
            to?: string;
            /**
             * @description Of runs that have ended so.
             * @default [
             *       "failed"
             *     ]
             */
            status?: ("limit_reached" | "cancelled" | "failed")[];
            /** @description The version that repeats them: a date label or `aver_…`; that of each run when left out. */
            replay_version?: string;
            /** @description For each run; the limit of the run that it repeats when left out. */
            max_cost_usd?: number;
            /** @default 100 */
            limit?: number;
            /** @description The `next_cursor` of the last answer. */
            cursor?: string;
        };
        ReplayQuote: {
            /** @constant */
            object: "run.replay_quote";
            /** @description Runs that would be repeated, of this page. */
            count: number;
            /** @description Runs that cannot be repeated: their agent, version or limit is gone. */
            refused: number;
            /** @description The sum of what half of such runs cost at most. Null when too few are known. */
            p50_usd: number | null;
            p90_usd: number | null;
            /** @description They cost at most this together, and this is held when they start. */
            max_usd: number;
            run_ids: string[];
            has_more: boolean;
            /** @description Send it as `cursor` for the next runs that fit. */
            next_cursor: string | null;
        };
        Replay: {
            /** @constant */
            object: "run.replay";
            data: {
                /** @description The run that is repeated. */
                run_id: string;
                /** @description Null when it was refused. */
                new_run_id: string | null;
                error: {
                    code: string;
                    message: string;
                } | null;
            }[];
            /** @description Why it ended before the last run: no money, or too many open runs. Go on later, at `next_cursor`. */
            stopped_by: {
                code: string;
                message: string;
            } | null;
            has_more: boolean;
            /** @description Send it as `cursor` for the next runs that fit. */
            next_cursor: string | null;
        };
        RerunOrder: {
            /** @description The first step to run anew, by number or id. The results of the steps before it are reused. */
            from_step: number | string;
            /** @description A date label or `aver_…` of the same agent; that of the run when left out. */
            version?: string;
            /**
             * @description That of the run when left out.
             * @enum {string}
             */
            visibility?: "public" | "private";
            /** @description The schema of this run’s `output_data`, for agents with `accepts_response_format`. */
            response_format?: {
                /** @constant */
                type: "json_schema";
                json_schema: {
                    /** @default output */
                    name?: string;
                    description?: string;
                    schema: {
                        [key: string]: unknown;
                    };
                    strict?: boolean | null;
                };
            };
            /** @description The agent’s maximum when left out. */
            max_cost_usd?: number;
            /**
             * @description With `pause` the run waits for a higher limit, while it is below the agent’s maximum.
             * @default stop
             * @enum {string}
             */
            on_limit?: "stop" | "pause";
            /** @description Waits in a queue while as many runs with this key run. A run keeps its place until it has ended. */
            concurrency?: {
                /** @description Runs of the workspace with the same key are counted together, whichever agent they are of. */
                key: string;
                /** @description A run starts when fewer than so many of them run. */
                limit: number;
            };
            /**
             * @description Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first.
             * @default 0
             */
            priority?: number;
            /** @description Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`. */
            debounce?: {
                /** @description Orders of the same agent with the same key are one burst. */
                key: string;
                /** @description The run starts so long after the last order of its burst. */
                seconds: number;
                /** @description At the latest so long after the first order; while orders come, it waits on when left out. */
                max_seconds?: number;
            };
            /** @default 3600 */
            timeout_seconds?: number;
            /** @default {} */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your end user, by an id of your own: an agent with memory remembers for this user, across sessions. */
            user?: string;
            /**
             * @description Answers with the run’s events.
             * @default false
             */
            stream?: boolean;
            /** @description For `stream`. Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece. */
            include?: ("steps" | "deltas" | "reasoning" | "cost")[];
            /**
             * @description `cancel` only with `stream`; `continue` when left out.
             * @enum {string}
             */
            on_disconnect?: "continue" | "cancel";
            /** @description The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there. */
            webhook_url?: string;
            /** @description Which events go to `webhook_url`; all of these when left out. */
            webhook_events?: ("run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached")[];
            /** @description That of the run when left out. */
            input?: string | ({
                /** @constant */
                type: "input_text";
                text: string;
            } | {
                /** @constant */
                type: "input_file";
                file_id: string;
            } | {
                /** @constant */
                type: "input_data";
                /** @description Fits the agent’s `input_schema`. */
                data: {
                    [key: string]: unknown;
                };
            } | {
                /** @constant */
                type: "message";
                /**
                 * @description The agent’s own instructions stand above those of `system` and `developer`.
                 * @enum {string}
                 */
                role: "system" | "developer" | "user" | "assistant";
                name?: string;
                /** @description Files only in messages of the user. */
                content: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                })[];
            } | {
                /** @constant */
                type: "function_call";
                call_id: string;
                name: string;
                arguments: string;
            } | {
                /** @constant */
                type: "function_call_output";
                call_id: string;
                output: string;
            })[];
            /**
             * @default api
             * @enum {string}
             */
            source?: "api" | "chat" | "workstream";
        };
        RunComparison: {
            /** @constant */
            object: "run.comparison";
            first: {
                id: string;
                agent: string;
                version: string;
                version_id: string;
                /**
                 * @description The last four are final.
                 * @enum {string}
                 */
                status: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
                rerun_of: {
                    run_id: string;
                    /** @description The first step that ran anew; the results of those before are reused. */
                    from_step: number;
                } | null;
                /** @description As it was sent; null when it was deleted, 30 days after the end. */
                input: unknown;
                output: ({
                    /** @constant */
                    type: "output_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "output_file";
                    file_id: string;
                    filename: string;
                    media_type: string;
                    size_bytes: number;
                } | {
                    /** @constant */
                    type: "output_data";
                    data: unknown;
                })[];
                error: {
                    message: string;
                    type: string;
                    param: string | null;
                    code: string;
                } | null;
                /** Format: date-time */
                created_at: string;
                duration_seconds: number | null;
                /** @description US dollars. */
                total_usd: number;
                input_tokens: number;
                output_tokens: number;
                steps: number;
                /** @description It has more than the 1000 steps that are compared and counted here. */
                steps_truncated: boolean;
                /** @description Those that cost nothing, because their results are another run’s. */
                reused_steps: number;
            };
            second: {
                id: string;
                agent: string;
                version: string;
                version_id: string;
                /**
                 * @description The last four are final.
                 * @enum {string}
                 */
                status: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
                rerun_of: {
                    run_id: string;
                    /** @description The first step that ran anew; the results of those before are reused. */
                    from_step: number;
                } | null;
                /** @description As it was sent; null when it was deleted, 30 days after the end. */
                input: unknown;
                output: ({
                    /** @constant */
                    type: "output_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "output_file";
                    file_id: string;
                    filename: string;
                    media_type: string;
                    size_bytes: number;
                } | {
                    /** @constant */
                    type: "output_data";
                    data: unknown;
                })[];
                error: {
                    message: string;
                    type: string;
                    param: string | null;
                    code: string;
                } | null;
                /** Format: date-time */
                created_at: string;
                duration_seconds: number | null;
                /** @description US dollars. */
                total_usd: number;
                input_tokens: number;
                output_tokens: number;
                steps: number;
                /** @description It has more than the 1000 steps that are compared and counted here. */
                steps_truncated: boolean;
                /** @description Those that cost nothing, because their results are another run’s. */
                reused_steps: number;
            };
            /** @description Files are the same by their name and bytes, whatever their ids. */
            is_output_same: boolean;
            steps: {
                /**
                 * @description `same`: of the same model or tool, with equal arguments and results; `changed`: one of these differs.
                 * @enum {string}
                 */
                state: "same" | "changed" | "only_first" | "only_second";
                first: {
                    /** @description The same as `step_id`. */
                    id: string;
                    /** @constant */
                    object: "run.step";
                    run_id: string;
                    /** @description Orders the steps of the run. */
                    number: number;
                    step_id: string;
                    /**
                     * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                     * @enum {string}
                     */
                    kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                    /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                    name: string;
                    /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                    attempt: number;
                    model: string | null;
                    /**
                     * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
                     * @enum {string}
                     */
                    status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
                    /** @description When the next attempt begins, while one waits. */
                    retry_at: string | null;
                    is_error: boolean;
                    error_code: string | null;
                    /** @description The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself. */
                    reused_from: string | null;
                    /** @description The run of another agent that the step has started. It is billed as a run of its own. */
                    child_run: {
                        id: string;
                        status: string;
                        /** @description With the runs below it, US dollars. */
                        total_usd: number;
                    } | null;
                    /**
                     * Format: date-time
                     * @description Of the first attempt.
                     */
                    started_at: string;
                    /** @description Of the last attempt. */
                    ended_at: string | null;
                    duration_ms: number | null;
                    /** @description Of a model, and of a compaction. */
                    input_tokens: number | null;
                    /** @description Of a model, and of a compaction. */
                    output_tokens: number | null;
                    /** @description Of a sandbox. */
                    sandbox_seconds: number | null;
                    /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                    cost_usd: number;
                    arguments: string | null;
                    arguments_truncated: boolean;
                    result_preview: string | null;
                    result_truncated: boolean;
                } | null;
                second: {
                    /** @description The same as `step_id`. */
                    id: string;
                    /** @constant */
                    object: "run.step";
                    run_id: string;
                    /** @description Orders the steps of the run. */
                    number: number;
                    step_id: string;
                    /**
                     * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                     * @enum {string}
                     */
                    kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                    /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                    name: string;
                    /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                    attempt: number;
                    model: string | null;
                    /**
                     * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
                     * @enum {string}
                     */
                    status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
                    /** @description When the next attempt begins, while one waits. */
                    retry_at: string | null;
                    is_error: boolean;
                    error_code: string | null;
                    /** @description The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself. */
                    reused_from: string | null;
                    /** @description The run of another agent that the step has started. It is billed as a run of its own. */
                    child_run: {
                        id: string;
                        status: string;
                        /** @description With the runs below it, US dollars. */
                        total_usd: number;
                    } | null;
                    /**
                     * Format: date-time
                     * @description Of the first attempt.
                     */
                    started_at: string;
                    /** @description Of the last attempt. */
                    ended_at: string | null;
                    duration_ms: number | null;
                    /** @description Of a model, and of a compaction. */
                    input_tokens: number | null;
                    /** @description Of a model, and of a compaction. */
                    output_tokens: number | null;
                    /** @description Of a sandbox. */
                    sandbox_seconds: number | null;
                    /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                    cost_usd: number;
                    arguments: string | null;
                    arguments_truncated: boolean;
                    result_preview: string | null;
                    result_truncated: boolean;
                } | null;
            }[];
        };
        RunCancellation: {
            reason?: string;
            /**
             * @description `graceful` lets the running tool finish, within 30 seconds, unless `immediate` is sent.
             * @default immediate
             * @enum {string}
             */
            mode?: "graceful" | "immediate";
        };
        /** @description One answer, or `answers` to several actions: all of them are taken or none. */
        RunAnswer: ({
            /** @constant */
            type: "text";
            /** @description The action that is answered; the first open one of the type when left out. */
            step_id?: string;
            text: string;
        } | {
            /** @constant */
            type: "form";
            /** @description The action that is answered; the first open one of the type when left out. */
            step_id?: string;
            /** @description The fields of the form: fits the `schema` of the action. */
            data: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            type: "tool_approval";
            /** @description The action that is answered; the first open one of the type when left out. */
            step_id?: string;
            /** @enum {string} */
            decision: "approve" | "refuse";
            /** @description With `approve`: the arguments to use instead. They fit the `input_schema` of the action. */
            arguments?: {
                [key: string]: unknown;
            };
            /** @description With `refuse`: what the model reads. */
            reason?: string;
        } | {
            /** @constant */
            type: "raise_limit";
            /** @description The action that is answered; the first open one of the type when left out. */
            step_id?: string;
            /** @description US dollars. */
            max_cost_usd: number;
        }) | {
            answers: ({
                /** @constant */
                type: "text";
                /** @description The action that is answered; the first open one of the type when left out. */
                step_id?: string;
                text: string;
            } | {
                /** @constant */
                type: "form";
                /** @description The action that is answered; the first open one of the type when left out. */
                step_id?: string;
                /** @description The fields of the form: fits the `schema` of the action. */
                data: {
                    [key: string]: unknown;
                };
            } | {
                /** @constant */
                type: "tool_approval";
                /** @description The action that is answered; the first open one of the type when left out. */
                step_id?: string;
                /** @enum {string} */
                decision: "approve" | "refuse";
                /** @description With `approve`: the arguments to use instead. They fit the `input_schema` of the action. */
                arguments?: {
                    [key: string]: unknown;
                };
                /** @description With `refuse`: what the model reads. */
                reason?: string;
            } | {
                /** @constant */
                type: "raise_limit";
                /** @description The action that is answered; the first open one of the type when left out. */
                step_id?: string;
                /** @description US dollars. */
                max_cost_usd: number;
            })[];
        };
        RunFeedback: {
            id: string;
            /** @constant */
            object: "run.feedback";
            run_id: string;
            session_id: string;
            agent: string;
            outcome: string;
            reason: string;
            source: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        } | null;
        FeedbackOrder: {
            /**
             * @description Whether the run did what it was asked.
             * @enum {string}
             */
            outcome: "complete" | "partial" | "failed";
            /** @default  */
            reason?: string;
            /**
             * @description The run’s own when left out.
             * @enum {string}
             */
            source?: "api" | "chat" | "workstream";
        };
        WorkspaceUsage: {
            /** @constant */
            object: "workspace.usage";
            /** @enum {string} */
            range: "7d" | "30d" | "90d";
            /** Format: date-time */
            range_start: string;
            /**
             * Format: date-time
             * @description The end of today: the range is of whole days, UTC.
             */
            range_end: string;
            totals: {
                /** @description US dollars. */
                spent_usd: number;
                tasks: number;
                completed: number;
                failed: number;
                limit_reached: number;
                /** @description The cost of failed runs, which is not billed. */
                failed_cost_usd: number;
                /** @description From 0 to 1. */
                completion_rate: number;
                /** @description Null for fewer than five completed runs. */
                median_cost_usd: number | null;
                median_duration_seconds: number | null;
            };
            /** @description The same of as many days before; null when no run ended on them. */
            prior: {
                /** @description US dollars. */
                spent_usd: number;
                tasks: number;
                completed: number;
                failed: number;
                limit_reached: number;
                /** @description The cost of failed runs, which is not billed. */
                failed_cost_usd: number;
                /** @description From 0 to 1. */
                completion_rate: number;
                /** @description Null for fewer than five completed runs. */
                median_cost_usd: number | null;
                median_duration_seconds: number | null;
            } | null;
            daily: {
                /** Format: date */
                date: string;
                /** @description US dollars. */
                spent_usd: number;
                completed: number;
                failed: number;
                cancelled: number;
            }[];
            by_agent: {
                agent_id: string;
                agent_name: string;
                /** @description US dollars. */
                spent_usd: number;
                tasks: number;
                completed: number;
                failed: number;
                /** @description US dollars. */
                failed_cost_usd: number;
                median_cost_usd: number | null;
                daily_spent_usd: number[];
            }[];
            by_source: {
                source: string;
                label: string;
                /** @description US dollars. */
                spent_usd: number;
                tasks: number;
            }[];
            by_meter: {
                id: string;
                label: string;
                unit: string;
                quantity: number;
                /** @description US dollars. */
                cost_usd: number;
                /** @description Part of the whole spending, from 0 to 1. The network fee is one of the parts. */
                share: number;
            }[];
            /** @description Number of completed runs in the medians. */
            sample_size: number;
        };
        RunShare: {
            /** @constant */
            object: "run.share";
            run_id: string;
            /** @description An ended run of another workspace’s agent, with its content. */
            is_shareable: boolean;
            /** @enum {string} */
            status: "none" | "active" | "expired" | "revoked";
            created_at: string | null;
            expires_at: string | null;
            revoked_at: string | null;
            /** @description When the publisher first read it. */
            read_at: string | null;
        };
        RunShareOrder: {
            /**
             * @description How long the publisher may read it, from now.
             * @default 7
             */
            days?: number;
        };
        NewSchedule: {
            /**
             * @description For lists.
             * @default null
             */
            name?: string | null;
            /** @default null */
            cron?: string | null;
            /** @default null */
            every_seconds?: number | null;
            /** @description The zone of `cron`: a name of the IANA database. */
            timezone?: string;
            /**
             * @description Each firing is delayed by a random time up to this.
             * @default 0
             */
            jitter_seconds?: number;
            /**
             * @description No firing before it.
             * @default null
             */
            start_at?: string | null;
            /**
             * @description No firing after it.
             * @default null
             */
            end_at?: string | null;
            /**
             * @description A firing that is due while the run of an earlier one is open: is skipped, waits for its end (one at most), cancels it, or runs beside it.
             * @default skip
             * @enum {string}
             */
            overlap?: "skip" | "buffer_one" | "cancel_other" | "allow";
            /**
             * @description How late a firing may be that the service could not start in time; and how far a resumption looks back.
             * @default 3600
             */
            catchup_window_seconds?: number;
            /**
             * @description Firings until the schedule ends; null: no limit.
             * @default null
             */
            remaining_runs?: number | null;
            /**
             * @description Firings in a row that the balance or the key’s limit does not cover, after which it is paused.
             * @default 3
             */
            pause_after_misses?: number;
            /** @description The body of each run, as of POST /v1/runs. With `session_id` all runs use that session. */
            run: {
                /** @description `<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`. */
                agent: string;
                /** @description A date label or `aver_…`; at each firing the current one when left out. */
                version?: string;
                /**
                 * @default public
                 * @enum {string}
                 */
                visibility?: "public" | "private";
                /** @description A new session when left out. */
                session_id?: string;
                /** @description A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user. */
                input: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                } | {
                    /** @constant */
                    type: "input_data";
                    /** @description Fits the agent’s `input_schema`. */
                    data: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    type: "message";
                    /**
                     * @description The agent’s own instructions stand above those of `system` and `developer`.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    name?: string;
                    /** @description Files only in messages of the user. */
                    content: string | ({
                        /** @constant */
                        type: "input_text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "input_file";
                        file_id: string;
                    })[];
                } | {
                    /** @constant */
                    type: "function_call";
                    call_id: string;
                    name: string;
                    arguments: string;
                } | {
                    /** @constant */
                    type: "function_call_output";
                    call_id: string;
                    output: string;
                })[];
                /** @description The schema of this run’s `output_data`, for agents with `accepts_response_format`. */
                response_format?: {
                    /** @constant */
                    type: "json_schema";
                    json_schema: {
                        /** @default output */
                        name?: string;
                        description?: string;
                        schema: {
                            [key: string]: unknown;
                        };
                        strict?: boolean | null;
                    };
                };
                /** @description The agent’s maximum when left out. */
                max_cost_usd?: number;
                /**
                 * @description With `pause` the run waits for a higher limit, while it is below the agent’s maximum.
                 * @default stop
                 * @enum {string}
                 */
                on_limit?: "stop" | "pause";
                /**
                 * @default reject
                 * @enum {string}
                 */
                if_session_busy?: "reject" | "enqueue" | "interrupt";
                /** @description Waits in a queue while as many runs with this key run. A run keeps its place until it has ended. */
                concurrency?: {
                    /** @description Runs of the workspace with the same key are counted together, whichever agent they are of. */
                    key: string;
                    /** @description A run starts when fewer than so many of them run. */
                    limit: number;
                };
                /**
                 * @description Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first.
                 * @default 0
                 */
                priority?: number;
                /** @description Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`. */
                debounce?: {
                    /** @description Orders of the same agent with the same key are one burst. */
                    key: string;
                    /** @description The run starts so long after the last order of its burst. */
                    seconds: number;
                    /** @description At the latest so long after the first order; while orders come, it waits on when left out. */
                    max_seconds?: number;
                };
                /** @default 3600 */
                timeout_seconds?: number;
                /** @default {} */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Your end user, by an id of your own: an agent with memory remembers for this user, across sessions. */
                user?: string;
                /** @description The state of the new session, as a JSON object. */
                state?: {
                    [key: string]: unknown;
                };
                /** @description The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there. */
                webhook_url?: string;
                /** @description Which events go to `webhook_url`; all of these when left out. */
                webhook_events?: ("run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached")[];
            };
            /**
             * @description Whether it is made paused.
             * @default false
             */
            paused?: boolean;
            /**
             * @description Why, for people.
             * @default null
             */
            pause_note?: string | null;
        };
        Schedule: {
            id: string;
            /** @constant */
            object: "schedule";
            name: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "ended";
            cron: string | null;
            every_seconds: number | null;
            timezone: string;
            jitter_seconds: number;
            start_at: string | null;
            end_at: string | null;
            /** @enum {string} */
            overlap: "skip" | "buffer_one" | "cancel_other" | "allow";
            catchup_window_seconds: number;
            remaining_runs: number | null;
            pause_after_misses: number;
            paused_at: string | null;
            /** @description `requested`, or what keeps the service from creating its runs: `balance`, `key`, `agent`, `order` (the run’s body, or its times). */
            pause_reason: ("requested" | "balance" | "key" | "agent" | "order") | null;
            pause_note: string | null;
            run: {
                agent: string;
            } & {
                [key: string]: unknown;
            };
            /** @description Without jitter; null while they are not known. */
            next_run_times: string[] | null;
            /** @description The last 10 firings, newest first. */
            recent: {
                /** Format: date-time */
                scheduled_at: string;
                /** @description `missed`: there is no run. Null: it begins. */
                outcome: ("started" | "missed") | null;
                run_id: string | null;
                run_status: ("queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed") | null;
                /** @description Why it was missed: a code that POST /v1/runs answers. */
                code: string | null;
                message: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SchedulePage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Schedule"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ScheduleChange: {
            /** @description For lists. */
            name?: string | null;
            cron?: string | null;
            every_seconds?: number | null;
            /** @description The zone of `cron`: a name of the IANA database. */
            timezone?: string;
            /** @description Each firing is delayed by a random time up to this. */
            jitter_seconds?: number;
            /** @description No firing before it. */
            start_at?: string | null;
            /** @description No firing after it. */
            end_at?: string | null;
            /**
             * @description A firing that is due while the run of an earlier one is open: is skipped, waits for its end (one at most), cancels it, or runs beside it.
             * @enum {string}
             */
            overlap?: "skip" | "buffer_one" | "cancel_other" | "allow";
            /** @description How late a firing may be that the service could not start in time; and how far a resumption looks back. */
            catchup_window_seconds?: number;
            /** @description Firings until the schedule ends; null: no limit. */
            remaining_runs?: number | null;
            /** @description Firings in a row that the balance or the key’s limit does not cover, after which it is paused. */
            pause_after_misses?: number;
            /** @description The body of each run, as of POST /v1/runs. With `session_id` all runs use that session. */
            run?: {
                /** @description `<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`. */
                agent: string;
                /** @description A date label or `aver_…`; at each firing the current one when left out. */
                version?: string;
                /**
                 * @default public
                 * @enum {string}
                 */
                visibility?: "public" | "private";
                /** @description A new session when left out. */
                session_id?: string;
                /** @description A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user. */
                input: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                } | {
                    /** @constant */
                    type: "input_data";
                    /** @description Fits the agent’s `input_schema`. */
                    data: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    type: "message";
                    /**
                     * @description The agent’s own instructions stand above those of `system` and `developer`.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    name?: string;
                    /** @description Files only in messages of the user. */
                    content: string | ({
                        /** @constant */
                        type: "input_text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "input_file";
                        file_id: string;
                    })[];
                } | {
                    /** @constant */
                    type: "function_call";
                    call_id: string;
                    name: string;
                    arguments: string;
                } | {
                    /** @constant */
                    type: "function_call_output";
                    call_id: string;
                    output: string;
                })[];
                /** @description The schema of this run’s `output_data`, for agents with `accepts_response_format`. */
                response_format?: {
                    /** @constant */
                    type: "json_schema";
                    json_schema: {
                        /** @default output */
                        name?: string;
                        description?: string;
                        schema: {
                            [key: string]: unknown;
                        };
                        strict?: boolean | null;
                    };
                };
                /** @description The agent’s maximum when left out. */
                max_cost_usd?: number;
                /**
                 * @description With `pause` the run waits for a higher limit, while it is below the agent’s maximum.
                 * @default stop
                 * @enum {string}
                 */
                on_limit?: "stop" | "pause";
                /**
                 * @default reject
                 * @enum {string}
                 */
                if_session_busy?: "reject" | "enqueue" | "interrupt";
                /** @description Waits in a queue while as many runs with this key run. A run keeps its place until it has ended. */
                concurrency?: {
                    /** @description Runs of the workspace with the same key are counted together, whichever agent they are of. */
                    key: string;
                    /** @description A run starts when fewer than so many of them run. */
                    limit: number;
                };
                /**
                 * @description Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first.
                 * @default 0
                 */
                priority?: number;
                /** @description Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`. */
                debounce?: {
                    /** @description Orders of the same agent with the same key are one burst. */
                    key: string;
                    /** @description The run starts so long after the last order of its burst. */
                    seconds: number;
                    /** @description At the latest so long after the first order; while orders come, it waits on when left out. */
                    max_seconds?: number;
                };
                /** @default 3600 */
                timeout_seconds?: number;
                /** @default {} */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Your end user, by an id of your own: an agent with memory remembers for this user, across sessions. */
                user?: string;
                /** @description The state of the new session, as a JSON object. */
                state?: {
                    [key: string]: unknown;
                };
                /** @description The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there. */
                webhook_url?: string;
                /** @description Which events go to `webhook_url`; all of these when left out. */
                webhook_events?: ("run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached")[];
            };
        };
        SchedulePause: {
            /**
             * @description Why, for people.
             * @default null
             */
            note?: string | null;
        };
        ScheduleResumption: {
            /**
             * @description Makes up for the times that passed during the pause, within the catch-up window and by the overlap policy.
             * @default false
             */
            catch_up?: boolean;
        };
        VoiceSpeechRequest: {
            /** @description At most 40000 characters. The embedded voices refuse letters of other scripts (`unsupported_language`) and a text with nothing to speak (`invalid_value`). */
            text: string;
            /** @description Any id of the vendor’s models. */
            model_id?: string;
            /** @description The embedded voices support English only and refuse others. */
            language_code?: string;
            voice_settings?: {
                stability?: number | null;
                similarity_boost?: number | null;
                style?: number | null;
                use_speaker_boost?: boolean | null;
                speed?: number | null;
            } & {
                [key: string]: unknown;
            };
            seed?: number;
            /** @description The embedded voices speak each text by itself. */
            previous_text?: string;
            next_text?: string;
            /** @enum {string} */
            apply_text_normalization?: "auto" | "on" | "off";
        } & {
            [key: string]: unknown;
        };
        TimedSpeech: {
            audio_base64: string;
            /** @description Null when the engine reports no times. */
            alignment: {
                characters: string[];
                character_start_times_seconds: number[];
                character_end_times_seconds: number[];
            } | null;
            /** @description Null when the engine reports no times. */
            normalized_alignment: {
                characters: string[];
                character_start_times_seconds: number[];
                character_end_times_seconds: number[];
            } | null;
        };
        HearingForm: {
            model_id: string;
            language_code?: string;
            temperature?: number;
            /**
             * @default word
             * @enum {string}
             */
            timestamps_granularity?: "none" | "word";
            /** @enum {string} */
            file_format?: "other";
            /** @description The embedded recogniser detects no events. */
            tag_audio_events?: boolean;
            seed?: number;
            /** Format: binary */
            file: string;
        } & {
            [key: string]: unknown;
        };
        HeardText: {
            language_code: string;
            /** @description When the model reports no language probability: its confidence in the words. */
            language_probability: number;
            text: string;
            words: {
                text: string;
                start: number;
                end: number;
                /** @enum {string} */
                type: "word" | "spacing" | "audio_event";
                logprob: number;
            }[];
            transcription_id: string;
            audio_duration_secs: number;
        };
        ConversionForm: {
            model_id?: string;
            /** @description As JSON text. */
            voice_settings?: {
                stability?: number | null;
                similarity_boost?: number | null;
                style?: number | null;
                use_speaker_boost?: boolean | null;
                speed?: number | null;
            } & {
                [key: string]: unknown;
            };
            seed?: number;
            /** @default false */
            remove_background_noise?: boolean;
            /** Format: binary */
            audio: string;
        } & {
            [key: string]: unknown;
        };
        VoiceList: {
            voices: components["schemas"]["Voice"][];
        };
        VoicePage: {
            voices: components["schemas"]["Voice"][];
            has_more: boolean;
            total_count: number;
            next_page_token: string | null;
        };
        NewVoiceForm: {
            name: string;
            description?: string;
            /** @description A JSON object of texts. */
            labels?: string;
            /** @default false */
            remove_background_noise?: boolean;
            files: string[];
        } & {
            [key: string]: unknown;
        };
        NewVoice: {
            voice_id: string;
            /** @constant */
            requires_verification: false;
        };
        VoiceSettings: {
            stability: number;
            similarity_boost: number;
            style: number;
            use_speaker_boost: boolean;
            speed: number;
        } & {
            [key: string]: unknown;
        };
        Voice: {
            voice_id: string;
            name: string;
            /** @enum {string} */
            category: "premade" | "cloned";
            description: string | null;
            labels: {
                [key: string]: string;
            };
            samples: {
                sample_id: string;
                file_name: string;
                mime_type: string;
                size_bytes: number;
                hash: string;
            }[] | null;
            /** @description Where a preset can be heard, free and without a key. */
            preview_url: string | null;
            settings: components["schemas"]["VoiceSettings"];
            /** @description For a voice that this machine speaks: which engine does, for each model, and whether it has been fetched. */
            engines?: {
                model_id: string;
                engine: string;
                ready: boolean;
            }[];
            is_owner: boolean;
            /** @description Null for a premade voice. */
            created_at_unix: number | null;
        } & {
            [key: string]: unknown;
        };
        VoiceDone: {
            /** @constant */
            status: "ok";
        };
        VoiceChangeForm: {
            name?: string;
            description?: string;
            /** @description A JSON object of texts. */
            labels?: string;
            /** @default false */
            remove_background_noise?: boolean;
            files?: string[];
        } & {
            [key: string]: unknown;
        };
        VoiceSettingsRequest: {
            stability?: number | null;
            similarity_boost?: number | null;
            style?: number | null;
            use_speaker_boost?: boolean | null;
            speed?: number | null;
        };
        VoiceModels: ({
            model_id: string;
            name: string;
            can_do_text_to_speech: boolean;
            can_do_voice_conversion: boolean;
            languages: {
                language_id: string;
                name: string;
            }[];
        } & {
            [key: string]: unknown;
        })[];
        VoiceUser: {
            user_id: string;
            subscription: components["schemas"]["VoiceSubscription"];
        } & {
            [key: string]: unknown;
        };
        VoiceSubscription: {
            /** @constant */
            tier: "prepaid";
            /** @constant */
            status: "active";
            character_count: number;
            /** @description The characters that the balance buys. */
            character_limit: number;
        } & {
            [key: string]: unknown;
        };
        SpeechHistory: {
            history: components["schemas"]["SpeechHistoryItem"][];
            has_more: boolean;
            last_history_item_id: string | null;
            scanned_until: null;
        };
        HistoryDownload: {
            history_item_ids: string[];
            /**
             * @description `default`: as each item was made. `wav`: for items that were made as WAV or PCM.
             * @enum {string}
             */
            output_format?: "default" | "wav";
        };
        SpeechHistoryItem: {
            history_item_id: string;
            request_id: string;
            voice_id: string;
            voice_name: string;
            /** @enum {string} */
            voice_category: "premade" | "cloned";
            model_id: string;
            text: string;
            date_unix: number;
            character_count_change_from: number;
            character_count_change_to: number;
            content_type: string;
            /** @constant */
            state: "created";
            /** @description As the request named it. */
            output_format: string;
            /** @enum {string} */
            source: "TTS" | "STS";
        } & {
            [key: string]: unknown;
        };
        FileForm: {
            /** Format: binary */
            file: string;
            /** @enum {string} */
            purpose: "agent_input" | "agent_icon" | "workspace_logo" | "batch" | "user_data" | "vision" | "assistants";
            /** @constant */
            "expires_after[anchor]"?: "created_at";
            "expires_after[seconds]"?: number;
        };
        OpenAiFile: {
            id: string;
            /** @constant */
            object: "file";
            bytes: number;
            /** @description Seconds since 1970. */
            created_at: number;
            expires_at: number | null;
            filename: string;
            purpose: string;
            /** @constant */
            status: "processed";
            status_details: null;
        };
        UploadRequest: {
            filename: string;
            /** @enum {string} */
            purpose: "agent_input" | "agent_icon" | "workspace_logo" | "batch" | "user_data" | "vision" | "assistants";
            /** @description The size of the whole file. */
            bytes: number;
            /** @description The file’s own content decides its type. */
            mime_type: string;
            expires_after?: {
                /** @constant */
                anchor: "created_at";
                seconds: number;
            };
        };
        Upload: {
            id: string;
            /** @constant */
            object: "upload";
            bytes: number;
            /** @description Seconds since 1970. */
            created_at: number;
            /** @description Seconds since 1970. */
            expires_at: number;
            filename: string;
            purpose: string;
            /** @enum {string} */
            status: "pending" | "completed" | "cancelled";
            file: components["schemas"]["OpenAiFile"] | null;
        };
        UploadPartForm: {
            /** Format: binary */
            data: string;
        };
        UploadPart: {
            id: string;
            /** @constant */
            object: "upload.part";
            /** @description Seconds since 1970. */
            created_at: number;
            upload_id: string;
        };
        UploadCompletion: {
            /** @description In the order of the file. */
            part_ids: string[];
            /** @description Hexadecimal; compared with the whole file. */
            md5?: string;
        };
        /** @description Files of agents and of OpenAI’s purposes have different members. */
        File: {
            id: string;
            /** @constant */
            object: "file";
            purpose: string;
            filename: string;
            media_type: string;
            size_bytes: number;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
        } | components["schemas"]["OpenAiFile"];
        FileList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["File"][];
            first_id: string | null;
            /** @description Send it as `after` for the next page. */
            last_id: string | null;
            has_more: boolean;
            next_cursor: string | null;
        };
        BatchRequest: {
            /** @description A file of the purpose `batch`. */
            input_file_id: string;
            /** @description The route of every line: /v1/chat/completions, /v1/completions, /v1/responses, /v1/embeddings. The prefix `/textapi` may be before it. */
            endpoint: string;
            /** @constant */
            completion_window: "24h";
            /** @description Key-value pairs of your own. */
            metadata?: {
                [key: string]: string;
            };
            /** @description How long the files of results are kept. Default: 30 days. */
            output_expires_after?: {
                /** @constant */
                anchor: "created_at";
                seconds: number;
            };
        };
        Batch: {
            id: string;
            /** @constant */
            object: "batch";
            endpoint: string;
            /** @description Why the file could not be run: the first thousand errors. */
            errors: {
                /** @constant */
                object: "list";
                data: {
                    code: string;
                    /** @description The line of the file, from 1; null for the file as a whole. */
                    line: number | null;
                    message: string;
                    param: string | null;
                }[];
            } | null;
            input_file_id: string;
            completion_window: string;
            /** @enum {string} */
            status: "validating" | "failed" | "in_progress" | "finalizing" | "completed" | "expired" | "cancelling" | "cancelled";
            output_file_id: string | null;
            error_file_id: string | null;
            created_at: number;
            /** @description Seconds since 1970. */
            in_progress_at: number | null;
            /** @description Seconds since 1970. */
            expires_at: number | null;
            /** @description Seconds since 1970. */
            finalizing_at: number | null;
            /** @description Seconds since 1970. */
            completed_at: number | null;
            /** @description Seconds since 1970. */
            failed_at: number | null;
            /** @description Seconds since 1970. */
            expired_at: number | null;
            /** @description Seconds since 1970. */
            cancelling_at: number | null;
            /** @description Seconds since 1970. */
            cancelled_at: number | null;
            request_counts: {
                total: number;
                completed: number;
                failed: number;
            };
            usage: {
                input_tokens: number;
                input_tokens_details: {
                    cached_tokens: number;
                };
                output_tokens: number;
                output_tokens_details: {
                    reasoning_tokens: number;
                };
                total_tokens: number;
                /** @description What its answered lines cost so far, in US dollars. */
                cost: number;
            };
            /** @description Known once the file is checked. */
            estimate: {
                /** @description What its lines cost at most, in US dollars: with their whole prompts and as much output as allowed. Earlier items that a line refers to are not in it. */
                max_cost: number;
            } | null;
            metadata: {
                [key: string]: string;
            } | null;
        };
        BatchList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Batch"][];
            first_id: string | null;
            /** @description Send it as `after` for the next page. */
            last_id: string | null;
            has_more: boolean;
        };
        NewSession: {
            title?: string;
            metadata?: {
                [key: string]: string;
            };
            /** @description The state of the new session, as a JSON object. */
            state?: {
                [key: string]: unknown;
            };
        };
        Session: {
            id: string;
            /** @constant */
            object: "session";
            title: string | null;
            /**
             * @description Busy while a run of it has not ended.
             * @enum {string}
             */
            status: "idle" | "busy";
            active_run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            metadata: {
                [key: string]: string;
            };
        };
        SessionPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Session"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        SessionFileList: {
            data: components["schemas"]["SessionFile"][];
            has_more: boolean;
            next_cursor: string | null;
            /** @description Rises with each change: send `"dir-<n>"` in `If-Match` to change only that state. */
            directory_generation: number;
            /** @enum {string} */
            save_state: "saved" | "saving" | "failed";
            save_error: {
                message: string;
                type: string;
                param: string | null;
                code: string;
            } | null;
            /** @description A step of a run that is saving files or has failed to. Null when there is none. */
            save_operation: {
                id: string;
                run_id: string;
                tool_step_id: string;
                last_committed_generation: number;
                /** @enum {string} */
                state: "saving" | "saved" | "failed";
                /** @enum {string} */
                recovery: "none" | "retrying" | "required";
                error: {
                    message: string;
                    type: string;
                    param: string | null;
                    code: string;
                } | null;
            } | null;
            busy: boolean;
            max_file_bytes: number;
            storage_limit_bytes: number;
        };
        NewSessionFile: {
            /** @constant */
            kind: "directory";
            name: string;
            parent_id?: string;
        } | {
            /** @constant */
            kind?: "file";
            file_id: string;
            parent_id?: string;
            name?: string;
        };
        SessionFileForm: {
            parent_id?: string;
            name?: string;
            /** Format: binary */
            file: string;
        };
        SessionFile: {
            id: string;
            session_id: string;
            /** @description The directory that contains it. The top directory has an id but is not an entry. */
            parent_id: string;
            name: string;
            /** @description Path from the top directory, with slashes. */
            path: string;
            /** @enum {string} */
            kind: "file" | "directory";
            /** @description Null for a directory. */
            file: {
                id: string;
                /** @constant */
                object: "file";
                purpose: string;
                filename: string;
                media_type: string;
                size_bytes: number;
                /** Format: date-time */
                created_at: string;
                expires_at: string | null;
            } | null;
            /** @description Changes with the content. */
            revision_id: string;
            /** Format: date-time */
            updated_at: string;
        };
        SessionFileRevisionPage: {
            /** @constant */
            object: "list";
            data: {
                /** @description The `revision_id` of the file at that time. */
                id: string;
                is_current: boolean;
                /** @description Its bytes are at `/v1/files/{id}/content` until `expires_at`. */
                file: {
                    id: string;
                    /** @constant */
                    object: "file";
                    purpose: string;
                    filename: string;
                    media_type: string;
                    size_bytes: number;
                    /** Format: date-time */
                    created_at: string;
                    expires_at: string | null;
                };
                /** Format: date-time */
                created_at: string;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        SessionFileChange: {
            name?: string | null;
            parent_id?: string | null;
        };
        SessionState: {
            /** @constant */
            object: "session.state";
            session_id: string;
            /** @description Rises by one with each change; 0 before the first. */
            version: number;
            /** @description As JSON. */
            size_bytes: number;
            /** @description The run whose step changed it; null: a caller. */
            run_id: string | null;
            step_id: string | null;
            /** Format: date-time */
            changed_at: string;
            state: {
                [key: string]: unknown;
            };
        };
        SessionStateReplacement: {
            /** @description The whole new state, a JSON object. */
            state: {
                [key: string]: unknown;
            };
        };
        SessionStatePatch: {
            /** @description A JSON Merge Patch (RFC 7396): each member replaces that of the state, null deletes it, objects are merged. */
            state: {
                [key: string]: unknown;
            };
        };
        SessionStateVersionPage: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "session.state_version";
                session_id: string;
                /** @description Rises by one with each change; 0 before the first. */
                version: number;
                /** @description As JSON. */
                size_bytes: number;
                /** @description The run whose step changed it; null: a caller. */
                run_id: string | null;
                step_id: string | null;
                /** Format: date-time */
                changed_at: string;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        MemoryPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Memory"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        DeletedMemories: {
            /** @constant */
            object: "memory.deletion";
            user: string;
            agent: string | null;
            /** @description How many were deleted. */
            deleted: number;
        };
        Memory: {
            id: string;
            /** @constant */
            object: "memory";
            agent: string;
            user: string;
            /** @description The project of the run; null: the default one. */
            project_id: string | null;
            text: string;
            /** @description The run that remembered it. */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a run last remembered the same.
             */
            updated_at: string;
            /** @description Null: it stays until it is deleted. */
            expires_at: string | null;
        };
        DeletedMemory: {
            id: string;
            /** @constant */
            object: "memory";
            /** @constant */
            deleted: true;
        };
        PluginSecretPage: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "plugin.secret";
                name: string;
                description: string;
                /** @description Null: it is missing, and runs that need it wait for it. */
                set_at: string | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        PluginSecretValues: {
            secrets: {
                [key: string]: string;
            };
        };
        CallerPluginPage: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "plugin";
                plugin_id: string;
                name: string;
                secrets: {
                    /** @constant */
                    object: "plugin.secret";
                    name: string;
                    description: string;
                    /** @description Null: it is missing, and runs that need it wait for it. */
                    set_at: string | null;
                }[];
                /** @description Null: nobody signs in to it. */
                sign_in: components["schemas"]["PluginSignIn"] | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        PluginSignIn: {
            /** @constant */
            object: "plugin.sign_in";
            plugin_id: string;
            /**
             * @description `ended`: the plugin no longer accepts it. Runs that need it wait until somebody signs in again.
             * @enum {string}
             */
            status: "connected" | "ended" | "missing";
            /** @description The account at the plugin, when its authorization server names it. */
            account: string | null;
            /** @description The mail address of the member who signed in. */
            connected_by: string | null;
            connected_at: string | null;
            scope: string | null;
            /** @description The authorization server. */
            issuer: string | null;
            /** @description The page of the console where a member signs in. */
            url: string;
        };
        AgentPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Agent"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Agent: {
            /** @description `<namespace>/<slug>` */
            id: string;
            /** @constant */
            object: "agent";
            name: string;
            description: string;
            provider: {
                id: string;
                name: string;
                verified: boolean;
                website: string;
                /** @description An image that needs no key, if the publisher shows one. */
                logo_url: string | null;
            };
            /** @description A date, such as `2026-11-21`. */
            version: string;
            /**
             * @description `unavailable`: its model is no longer offered. `taken_down` and `retired`: new orders are refused; see `taken_down` and `deprecation`.
             * @enum {string}
             */
            status: "available" | "unavailable" | "taken_down" | "retired";
            categories: string[];
            input: {
                text: boolean;
                files: boolean;
                /** @description Takes one object that fits `input_schema`, in place of texts. */
                data: boolean;
                accepted_media_types: string[];
            };
            output_types: ("text" | "file" | "data")[];
            tools: string[];
            plugins: {
                plugin_id: string;
                version: string;
            }[];
            /** @description Code of its publisher: its host gets the arguments that the model sends. */
            http_tools: {
                name: string;
                description: string;
                host: string;
            }[];
            /** @description Agents that it may call: what it gives to them is read by them. */
            agents: string[];
            /** @description With an `input_schema`, input as JSON. */
            example_prompts: string[];
            icon_file_id: string | null;
            /** @description An image that needs no key. */
            icon_url: string | null;
            input_schema: {
                [key: string]: unknown;
            } | null;
            output_schema: {
                [key: string]: unknown;
            } | null;
            /** @description Runs may send a `response_format`. */
            accepts_response_format: boolean;
            /** @description How often a run calls the model at most. */
            max_steps: number;
            /** @description The model that runs use: its price is in `pricing`. */
            model: string;
            pricing: {
                id: string;
                /** @constant */
                currency: "USD";
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                network_fee_percentage: number;
                /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                subsidised: boolean;
                meters: {
                    /** @enum {string} */
                    id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    unit: string;
                    /** @description For a unit, before the network fee. */
                    price_usd: number;
                    /** @description The part of the price that passes through to the platform. */
                    platform_cost_usd: number;
                    description: string;
                }[];
            };
            data_policy: {
                retention: string;
                retention_days: number | null;
                training: boolean;
                /** @description Hosts outside the platform that get data of a run: those of `http_tools`. */
                hosts: string[];
                /** @description Whether it remembers the `user` of a run, for the caller’s workspace alone: see `/v1/memories`. */
                remembers: boolean;
                /** @description How long; null: until the workspace deletes it. */
                memory_days: number | null;
                policy_url: string;
            };
            /** @description A more expensive version that becomes the default at this time, 14 days after its approval. Runs may name it before. */
            upcoming_version: {
                version: string;
                /** Format: date-time */
                effective_at: string;
                pricing: {
                    id: string;
                    /** @constant */
                    currency: "USD";
                    minimum_cost_usd: number;
                    maximum_cost_usd: number;
                    network_fee_percentage: number;
                    /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                    subsidised: boolean;
                    meters: {
                        /** @enum {string} */
                        id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                        unit: string;
                        /** @description For a unit, before the network fee. */
                        price_usd: number;
                        /** @description The part of the price that passes through to the platform. */
                        platform_cost_usd: number;
                        description: string;
                    }[];
                };
            } | null;
            /** @description Named channels beside the default, which is `stable`. */
            channels: {
                name: string;
                /** @description What an order names: `<namespace>/<slug>@<channel>`. */
                agent: string;
                version: string;
                pricing: {
                    id: string;
                    /** @constant */
                    currency: "USD";
                    minimum_cost_usd: number;
                    maximum_cost_usd: number;
                    network_fee_percentage: number;
                    /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                    subsidised: boolean;
                    meters: {
                        /** @enum {string} */
                        id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                        unit: string;
                        /** @description For a unit, before the network fee. */
                        price_usd: number;
                        /** @description The part of the price that passes through to the platform. */
                        platform_cost_usd: number;
                        description: string;
                    }[];
                };
                /** @description A more expensive version that the channel gets at this time. */
                upcoming_version: {
                    version: string;
                    /** Format: date-time */
                    effective_at: string;
                    pricing: {
                        id: string;
                        /** @constant */
                        currency: "USD";
                        minimum_cost_usd: number;
                        maximum_cost_usd: number;
                        network_fee_percentage: number;
                        /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                        subsidised: boolean;
                        meters: {
                            /** @enum {string} */
                            id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                            unit: string;
                            /** @description For a unit, before the network fee. */
                            price_usd: number;
                            /** @description The part of the price that passes through to the platform. */
                            platform_cost_usd: number;
                            description: string;
                        }[];
                    };
                } | null;
            }[];
            taken_down: {
                /** Format: date-time */
                at: string;
                message: string;
            } | null;
            deprecation: {
                /** Format: date-time */
                deprecated_at: string;
                /**
                 * Format: date-time
                 * @description New orders are refused from this time on.
                 */
                sunset_at: string;
                /** @description The agent to use instead. */
                successor: string | null;
                message: string | null;
            } | null;
            /** @description Runs that callers started in the last 30 days: those of its quality. */
            runs: number;
            /** Format: date-time */
            updated_at: string;
        };
        AgentQuality: {
            /** @constant */
            object: "agent.quality";
            agent: string;
            /** @constant */
            days: 30;
            runs: number;
            completed: number;
            completion_rate: number | null;
            median_cost_usd: number | null;
            median_duration_seconds: number | null;
            refund_rate: number | null;
        };
        McpMessage: {
            /** @constant */
            jsonrpc: "2.0";
            id?: string | number;
            method: string;
            params?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        McpAnswer: {
            /** @constant */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        };
        ToolPage: {
            /** @constant */
            object: "list";
            data: {
                name: string;
                description: string;
                /** @description JSON Schema of its arguments. */
                parameters: {
                    [key: string]: unknown;
                };
                /** @constant */
                object: "tool";
                /** @enum {string} */
                kind: "tool" | "sandbox" | "file";
                /** @description Of the programs that it runs, in the workers’ sandbox. */
                languages: string[] | null;
                meters: {
                    /** @enum {string} */
                    id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    unit: string;
                    /** @description For a unit: no agent sells it for less, unless it is subsidised. */
                    platform_cost_usd: number;
                }[];
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        PluginPage: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "plugin";
                plugin_id: string;
                version: string;
                name: string;
                /** @description What each caller of its agents sets first, with `PUT /v1/plugins/{plugin_id}/secrets`. */
                required_secrets: {
                    name: string;
                    description: string;
                }[];
                /** @description Whether each caller of its agents signs in to it, in the console. */
                requires_sign_in: boolean;
                /** @description As a worker has seen them last, under the names that a model calls; null before the first time. */
                tools: {
                    name: string;
                    description: string;
                    /** @description JSON Schema of its arguments. */
                    parameters: {
                        [key: string]: unknown;
                    };
                }[] | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        NewAgent: {
            namespace: string;
            slug: string;
            name?: string;
            description?: string;
            instructions?: string;
            /** @description Any of run_code, read_file, write_file, write_table, draw_chart, list_files, search_files, fetch_url, return_data, get_state, set_state, remember, recall, forget, ask_user. */
            tools?: string[];
            plugins?: {
                plugin_id: string;
                version: string;
            }[];
            pricing?: {
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                rates: {
                    /** @enum {string} */
                    meter: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    price_usd: number;
                }[];
            };
            icon_file_id?: string | null;
            categories?: string[];
            example_prompts?: string[];
            /** @description A text model of `/textapi/v1/models`; the platform’s model for agents when null. */
            model?: string | null;
            /** @description How often a run may call the model; 32 when null. The last call has to answer. */
            max_steps?: number | null;
            /** @description What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`. */
            compaction?: {
                /**
                 * @description `summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails.
                 * @enum {string}
                 */
                mode: "summarize" | "truncate" | "off";
                /** @description Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null. */
                compact_threshold?: number | null;
                /** @description The last turns that stay as they are, if they fit; 3 when null. */
                keep_turns?: number | null;
                /** @description What a summary has to keep. */
                instructions?: string | null;
            } | null;
            temperature?: number | null;
            /** @description Of the first call of a run: `auto`, `required`, or the name of one of its tools. */
            tool_choice?: string | null;
            /** @description JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it. */
            input_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description JSON Schema of an object: a completed run has then returned `output_data` that fits it. */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description Runs may send a `response_format` of their own. */
            accepts_response_format?: boolean;
            /** @description Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are paid out of the caller’s limit for its run. */
            agents?: string[] | null;
            /** @description `ask_user` may ask with a form (choices, fields), a default answer and a deadline. */
            question_forms?: boolean;
            /** @description Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`. */
            requires_approval?: string[] | null;
            /** @description The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments that the model sends. */
            http_tools?: {
                /** @description What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter. */
                name: string;
                /** @description For the model: what it does, and when to use it. */
                description: string;
                /** @description JSON Schema of an object: the arguments that the model sends. */
                input_schema: {
                    [key: string]: unknown;
                };
                /** @description An https address on the public internet, with a name as its host. */
                url: string;
                /** @description Of one call with its retries; 60 when null. */
                timeout_seconds?: number | null;
            }[] | null;
            /** @description For how many days the tool `remember` keeps a memory; until it is deleted when null. */
            memory_days?: number | null;
        };
        PublisherAgent: {
            id: string;
            /** @constant */
            object: "publisher.agent";
            namespace: string;
            slug: string;
            name: string;
            description: string;
            draft_revision: number;
            private_deployment: components["schemas"]["Deployment"] | null;
            public_deployment: components["schemas"]["Deployment"] | null;
            public_submission: components["schemas"]["Deployment"] | null;
            taken_down: {
                /** Format: date-time */
                at: string;
                message: string;
            } | null;
            deprecation: {
                /** Format: date-time */
                deprecated_at: string;
                /**
                 * Format: date-time
                 * @description New orders are refused from this time on.
                 */
                sunset_at: string;
                /** @description The agent to use instead. */
                successor: string | null;
                message: string | null;
            } | null;
            /** @description What its publisher should know of the draft: `runs_are_free` of prices that do not apply. */
            notices: {
                code: string;
                /** @description A JSON pointer into the configuration. */
                path: string;
                message: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PublisherAgentPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["PublisherAgent"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AgentFeedbackPage: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "agent.feedback";
                outcome: string;
                reason: string;
                source: string;
                version_id: string;
                version: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        Configuration: {
            name: string;
            description: string;
            instructions: string;
            tools: string[];
            plugins: {
                plugin_id: string;
                version: string;
            }[];
            pricing: {
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                rates: {
                    /** @enum {string} */
                    meter: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    price_usd: number;
                }[];
            };
            icon_file_id: string | null;
            categories: string[];
            example_prompts: string[];
            /** @description A text model of `/textapi/v1/models`; the platform’s model for agents when null. */
            model?: string | null;
            /** @description How often a run may call the model; 32 when null. The last call has to answer. */
            max_steps?: number | null;
            /** @description What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`. */
            compaction?: {
                /**
                 * @description `summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails.
                 * @enum {string}
                 */
                mode: "summarize" | "truncate" | "off";
                /** @description Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null. */
                compact_threshold?: number | null;
                /** @description The last turns that stay as they are, if they fit; 3 when null. */
                keep_turns?: number | null;
                /** @description What a summary has to keep. */
                instructions?: string | null;
            } | null;
            temperature?: number | null;
            /** @description Of the first call of a run: `auto`, `required`, or the name of one of its tools. */
            tool_choice?: string | null;
            /** @description JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it. */
            input_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description JSON Schema of an object: a completed run has then returned `output_data` that fits it. */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description Runs may send a `response_format` of their own. */
            accepts_response_format?: boolean;
            /** @description Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are paid out of the caller’s limit for its run. */
            agents?: string[] | null;
            /** @description `ask_user` may ask with a form (choices, fields), a default answer and a deadline. */
            question_forms?: boolean;
            /** @description Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`. */
            requires_approval?: string[] | null;
            /** @description The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments that the model sends. */
            http_tools?: {
                /** @description What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter. */
                name: string;
                /** @description For the model: what it does, and when to use it. */
                description: string;
                /** @description JSON Schema of an object: the arguments that the model sends. */
                input_schema: {
                    [key: string]: unknown;
                };
                /** @description An https address on the public internet, with a name as its host. */
                url: string;
                /** @description Of one call with its retries; 60 when null. */
                timeout_seconds?: number | null;
            }[] | null;
            /** @description For how many days the tool `remember` keeps a memory; until it is deleted when null. */
            memory_days?: number | null;
        };
        DraftChange: {
            name?: string;
            description?: string;
            instructions?: string;
            /** @description Any of run_code, read_file, write_file, write_table, draw_chart, list_files, search_files, fetch_url, return_data, get_state, set_state, remember, recall, forget, ask_user. */
            tools?: string[];
            plugins?: {
                plugin_id: string;
                version: string;
            }[];
            pricing?: {
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                rates: {
                    /** @enum {string} */
                    meter: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    price_usd: number;
                }[];
            };
            icon_file_id?: string | null;
            categories?: string[];
            example_prompts?: string[];
            /** @description A text model of `/textapi/v1/models`; the platform’s model for agents when null. */
            model?: string | null;
            /** @description How often a run may call the model; 32 when null. The last call has to answer. */
            max_steps?: number | null;
            /** @description What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`. */
            compaction?: {
                /**
                 * @description `summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails.
                 * @enum {string}
                 */
                mode: "summarize" | "truncate" | "off";
                /** @description Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null. */
                compact_threshold?: number | null;
                /** @description The last turns that stay as they are, if they fit; 3 when null. */
                keep_turns?: number | null;
                /** @description What a summary has to keep. */
                instructions?: string | null;
            } | null;
            temperature?: number | null;
            /** @description Of the first call of a run: `auto`, `required`, or the name of one of its tools. */
            tool_choice?: string | null;
            /** @description JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it. */
            input_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description JSON Schema of an object: a completed run has then returned `output_data` that fits it. */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description Runs may send a `response_format` of their own. */
            accepts_response_format?: boolean;
            /** @description Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are paid out of the caller’s limit for its run. */
            agents?: string[] | null;
            /** @description `ask_user` may ask with a form (choices, fields), a default answer and a deadline. */
            question_forms?: boolean;
            /** @description Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`. */
            requires_approval?: string[] | null;
            /** @description The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments that the model sends. */
            http_tools?: {
                /** @description What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter. */
                name: string;
                /** @description For the model: what it does, and when to use it. */
                description: string;
                /** @description JSON Schema of an object: the arguments that the model sends. */
                input_schema: {
                    [key: string]: unknown;
                };
                /** @description An https address on the public internet, with a name as its host. */
                url: string;
                /** @description Of one call with its retries; 60 when null. */
                timeout_seconds?: number | null;
            }[] | null;
            /** @description For how many days the tool `remember` keeps a memory; until it is deleted when null. */
            memory_days?: number | null;
        };
        TestRunOrder: {
            /** @description A new session when left out. */
            session_id?: string;
            /** @description A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user. */
            input: string | ({
                /** @constant */
                type: "input_text";
                text: string;
            } | {
                /** @constant */
                type: "input_file";
                file_id: string;
            } | {
                /** @constant */
                type: "input_data";
                /** @description Fits the agent’s `input_schema`. */
                data: {
                    [key: string]: unknown;
                };
            } | {
                /** @constant */
                type: "message";
                /**
                 * @description The agent’s own instructions stand above those of `system` and `developer`.
                 * @enum {string}
                 */
                role: "system" | "developer" | "user" | "assistant";
                name?: string;
                /** @description Files only in messages of the user. */
                content: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                })[];
            } | {
                /** @constant */
                type: "function_call";
                call_id: string;
                name: string;
                arguments: string;
            } | {
                /** @constant */
                type: "function_call_output";
                call_id: string;
                output: string;
            })[];
            /** @description The schema of this run’s `output_data`, for agents with `accepts_response_format`. */
            response_format?: {
                /** @constant */
                type: "json_schema";
                json_schema: {
                    /** @default output */
                    name?: string;
                    description?: string;
                    schema: {
                        [key: string]: unknown;
                    };
                    strict?: boolean | null;
                };
            };
            /** @description The agent’s maximum when left out. */
            max_cost_usd?: number;
            /**
             * @description With `pause` the run waits for a higher limit, while it is below the agent’s maximum.
             * @default stop
             * @enum {string}
             */
            on_limit?: "stop" | "pause";
            /**
             * @default reject
             * @enum {string}
             */
            if_session_busy?: "reject" | "enqueue" | "interrupt";
            /** @description Waits in a queue while as many runs with this key run. A run keeps its place until it has ended. */
            concurrency?: {
                /** @description Runs of the workspace with the same key are counted together, whichever agent they are of. */
                key: string;
                /** @description A run starts when fewer than so many of them run. */
                limit: number;
            };
            /**
             * @description Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first.
             * @default 0
             */
            priority?: number;
            /** @description Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`. */
            debounce?: {
                /** @description Orders of the same agent with the same key are one burst. */
                key: string;
                /** @description The run starts so long after the last order of its burst. */
                seconds: number;
                /** @description At the latest so long after the first order; while orders come, it waits on when left out. */
                max_seconds?: number;
            };
            /** @default 3600 */
            timeout_seconds?: number;
            /** @default {} */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your end user, by an id of your own: an agent with memory remembers for this user, across sessions. */
            user?: string;
            /** @description The state of the new session, as a JSON object. */
            state?: {
                [key: string]: unknown;
            };
            /**
             * @description Answers with the run’s events.
             * @default false
             */
            stream?: boolean;
            /** @description For `stream`. Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece. */
            include?: ("steps" | "deltas" | "reasoning" | "cost")[];
            /**
             * @description `cancel` only with `stream`; `continue` when left out.
             * @enum {string}
             */
            on_disconnect?: "continue" | "cancel";
            /** @description The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there. */
            webhook_url?: string;
            /** @description Which events go to `webhook_url`; all of these when left out. */
            webhook_events?: ("run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached")[];
        };
        EstimateOrder: {
            /** @description Those of the draft when left out. */
            pricing?: {
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                rates: {
                    /** @enum {string} */
                    meter: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    price_usd: number;
                }[];
            };
            /** @description That of the draft when left out. */
            model?: string | null;
            /** @description What the run uses, by meter. When left out: what the newest completed run in this workspace used. */
            quantities?: {
                [key: string]: number;
            };
        };
        PublisherEstimate: {
            /** @constant */
            object: "publisher.estimate";
            /**
             * @description Where the quantities are from. `assumed`: no run has completed in this workspace yet.
             * @enum {string}
             */
            based_on: "sent" | "run" | "assumed";
            /** @description The run that used them. */
            run_id: string | null;
            quantities: {
                [key: string]: number;
            };
            lines: {
                /** @description A meter, or `minimum_cost`: what raises a run to its minimum. */
                meter: string;
                unit: string;
                quantity: number;
                /** @description US dollars. */
                price_usd: number;
                /** @description US dollars. */
                cost_usd: number;
            }[];
            /** @description US dollars. */
            subtotal_usd: number;
            /** @description US dollars. */
            network_fee_usd: number;
            /** @description What the caller pays. US dollars. */
            total_usd: number;
            /** @description Of the subtotal, what model and sandbox cost. US dollars. */
            platform_cost_usd: number;
            /** @description US dollars. */
            subsidy_usd: number;
            /** @description What its publisher earns: the subtotal and the subsidy without the platform’s cost. */
            earned_usd: number;
            pricing: {
                /** @constant */
                currency: "USD";
                minimum_cost_usd: number;
                maximum_cost_usd: number;
                network_fee_percentage: number;
                /** @description Whether the platform pays the part of its own cost that the prices do not cover. */
                subsidised: boolean;
                meters: {
                    /** @enum {string} */
                    id: "model_input_tokens" | "model_output_tokens" | "sandbox_seconds" | "tool_calls";
                    unit: string;
                    /** @description For a unit, before the network fee. */
                    price_usd: number;
                    /** @description The part of the price that passes through to the platform. */
                    platform_cost_usd: number;
                    description: string;
                }[];
            };
        };
        AgentVersionPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AgentVersion"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AgentVersionDiff: {
            /** @constant */
            object: "agent.version.diff";
            agent_id: string;
            from_version_id: string;
            to_version_id: string;
            changes: {
                /** @enum {string} */
                op: "add" | "remove" | "replace";
                path: string;
                from?: unknown;
                to?: unknown;
            }[];
        };
        Deployment: {
            id: string;
            /** @constant */
            object: "agent.deployment";
            agent_id: string;
            version_id: string;
            /** @enum {string} */
            visibility: "public" | "private";
            /**
             * @description `scheduled`: an approved more expensive version, until `active_from`.
             * @enum {string}
             */
            status: "in_review" | "scheduled" | "changes_requested" | "rejected" | "withdrawn" | "active" | "superseded" | "suspended";
            /** @description Of a `scheduled` one: when it becomes the default, or starts to roll. */
            active_from: string | null;
            /** @description Of a public version that was approved, or whose steps are planned. */
            rollout: {
                /**
                 * @description `planned`: the publisher’s steps for a submission. `scheduled`: a more expensive version waits for its notice. `rolling`: a share of new sessions gets it. `complete`: it is what runs get that name no version.
                 * @enum {string}
                 */
                state: "planned" | "scheduled" | "rolling" | "complete" | "rolled_back";
                /** @description The share of new sessions that get it while it is rolling. */
                percentage: number;
                started_at: string | null;
                /** @description When a more expensive version becomes the default, or starts to roll. */
                effective_at: string | null;
                /** @description Why it was rolled back. */
                reason: string | null;
                /** @description With what each saw of both versions. Empty: for everyone at once. */
                steps: {
                    percentage: number;
                    runs_min: number;
                    hours_min: number;
                    started_at: string | null;
                    ended_at: string | null;
                    outcome: ("passed" | "failed") | null;
                    /** @description Its finished runs of callers since the step began. */
                    new_version: {
                        runs: number;
                        completion_rate: number | null;
                        median_cost_usd: number | null;
                    } | null;
                    /** @description Those of the present version in the last 30 days. */
                    live_version: {
                        runs: number;
                        completion_rate: number | null;
                        median_cost_usd: number | null;
                    } | null;
                }[];
            } | null;
            review_feedback: {
                id: string;
                /** @enum {string} */
                source: "automatic" | "operator";
                /** @enum {string} */
                severity: "blocking" | "advisory";
                code: string;
                /** @description A JSON pointer into the configuration. */
                path: string;
                message: string;
                /** Format: date-time */
                created_at: string;
            }[];
            /** Format: date-time */
            created_at: string;
            activated_at: string | null;
        };
        Rollback: {
            version_id: string;
        };
        PublisherStatement: {
            /** @constant */
            object: "publisher.statement";
            month: string;
            /** @constant */
            currency: "USD";
            totals: {
                runs: number;
                /** @description Paid by callers. With the subsidy it is the sum of the three parts that follow. */
                gross_usd: number;
                subsidy_usd: number;
                /** @description The platform’s part for model and sandbox, which is paid first. */
                platform_cost_usd: number;
                network_fee_usd: number;
                earned_usd: number;
            };
            /** @description The part of `totals` of the publisher’s own workspace, which paid itself. */
            own: {
                runs: number;
                /** @description Paid by callers. With the subsidy it is the sum of the three parts that follow. */
                gross_usd: number;
                subsidy_usd: number;
                /** @description The platform’s part for model and sandbox, which is paid first. */
                platform_cost_usd: number;
                network_fee_usd: number;
                earned_usd: number;
            };
            /** @description Owed at the month’s start: earned before and not paid out. A transfer is owed until it is sent. */
            opening_usd: number;
            /** @description The sum of `paid_out`. */
            paid_out_usd: number;
            /** @description Owed at its end: `opening_usd` + `totals.earned_usd` - `paid_out_usd`. */
            closing_usd: number;
            /** @description All earnings so far. */
            balance_usd: number;
            /** @description What of them may be paid out now, to the balance. */
            available_usd: number;
            /** @description The same as a transfer, in whole cents: without what the balance lacks. */
            transferable_usd: number;
            /** @description What was neither paid out nor requested, and has to wait: it is younger than `mature_days`, or its caller’s payment was taken back or is questioned. */
            maturing_usd: number;
            /** @description Earnings that are younger than `mature_days`, by the day (UTC) on which they can be paid out. */
            maturing_on: {
                /** Format: date */
                date: string;
                amount_usd: number;
            }[];
            /** @description Held for transfers that were requested and are not sent yet. */
            requested_usd: number;
            /** @description How old earnings are before they can be paid out. */
            mature_days: number;
            /** @description Payouts to the balance, and transfers that were sent, in the month. */
            paid_out: {
                /** Format: date */
                date: string;
                payout_id: string;
                /** @enum {string} */
                to: "balance" | "transfer";
                reference: string | null;
                amount_usd: number;
            }[];
            /** @description Requested in the month, the oldest first. */
            payouts: components["schemas"]["Payout"][];
            data: {
                /** Format: date */
                date: string;
                agent: string;
                version: string;
                /** @description Of the publisher’s own workspace: its runs have a line of their own. */
                is_own: boolean;
                /** @description Workspaces that ran it that day. */
                callers: number;
                runs: number;
                /** @description Paid by callers. With the subsidy it is the sum of the three parts that follow. */
                gross_usd: number;
                subsidy_usd: number;
                /** @description The platform’s part for model and sandbox, which is paid first. */
                platform_cost_usd: number;
                network_fee_usd: number;
                earned_usd: number;
            }[];
        };
        PayoutOrder: {
            /** @description All that may be paid out now, when left out. Of a transfer, whole cents. */
            amount_usd?: number;
            /** @enum {string} */
            to: "balance" | "transfer";
        };
        Payout: {
            id: string;
            /** @constant */
            object: "publisher.payout";
            amount_usd: number;
            /**
             * @description The workspace’s own prepaid balance, or a transfer that an operator makes.
             * @enum {string}
             */
            to: "balance" | "transfer";
            /**
             * @description To the balance it is `paid` at once. A transfer is `requested`, then `sent`, or `rejected`: its money is returned.
             * @enum {string}
             */
            status: "paid" | "requested" | "sent" | "rejected";
            /** @description Of a transfer that was sent. */
            reference: string | null;
            /** @description Why it was rejected. */
            reason: string | null;
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            ended_at: string | null;
        };
        PayoutPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Payout"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Namespace: {
            name: string;
            /** @constant */
            object: "publisher.namespace";
            provider_name: string;
            website: string | null;
            /** @description An operator has verified the publisher. */
            verified: boolean;
            /** Format: date-time */
            created_at: string;
        };
        NamespaceChange: {
            provider_name?: string;
            website?: string | null;
        };
        AgentVersion: {
            id: string;
            /** @constant */
            object: "agent.version";
            agent_id: string;
            number: number;
            /** @description Its date, by which orders name it: `2026-11-21`, or `2026-11-21.2`. */
            version: string;
            source_revision: number;
            configuration: components["schemas"]["Configuration"];
            /** @description For review. One that never was can be deleted. */
            was_submitted: boolean;
            /** Format: date-time */
            created_at: string;
        };
        HttpToolSecret: {
            /** @constant */
            object: "agent.http_tool_secret";
            agent_id: string;
            /** @description Null: there is none yet, and its HTTP tools cannot be called. */
            created_at: string | null;
            /** @description Until when a secret from before a rotation signs too. */
            previous_secret_expires_at: string | null;
        };
        NewHttpToolSecret: {
            /** @constant */
            object: "agent.http_tool_secret";
            agent_id: string;
            /** @description Null: there is none yet, and its HTTP tools cannot be called. */
            created_at: string | null;
            /** @description Until when a secret from before a rotation signs too. */
            previous_secret_expires_at: string | null;
            /** @description The signing secret, shown this once: `whsec_` and 32 bytes in base64. */
            secret: string;
        };
        HttpToolTestOrder: {
            /** @description The name of an HTTP tool of the saved draft. */
            name: string;
            /** @description Arguments that fit its `input_schema`; `{}` when left out. */
            arguments?: {
                [key: string]: unknown;
            };
        };
        HttpToolTest: {
            /** @description The `webhook-id` and `idempotency-key` of the request. */
            id: string;
            /** @constant */
            object: "agent.http_tool_test";
            agent_id: string;
            tool: string;
            request: {
                /** @constant */
                method: "POST";
                url: string;
                headers: {
                    [key: string]: string;
                };
                body: string;
            };
            /** @description Null: there was no whole answer. */
            response: {
                status: number;
                content_type: string | null;
                body: string;
                is_truncated: boolean;
            } | null;
            progress: {
                message: string;
                percentage: number | null;
            }[];
            /** @description What a model would read. */
            result: {
                text: string;
                is_error: boolean;
            };
            duration_ms: number;
            /** Format: date-time */
            created_at: string;
        };
        AgentChannelList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AgentChannel"][];
        };
        ChannelMove: {
            version_id: string;
        };
        AgentChannel: {
            /** @constant */
            object: "agent.channel";
            name: string;
            /** @description What an order names: `<namespace>/<slug>@<channel>`. */
            agent: string;
            agent_id: string;
            version_id: string;
            version: string;
            version_number: number;
            previous_version_id: string | null;
            /**
             * @description `scheduled`: a more expensive version, `next`, waits for its notice.
             * @enum {string}
             */
            status: "active" | "scheduled";
            next: {
                version_id: string;
                version: string;
                version_number: number;
                /** Format: date-time */
                active_from: string;
            } | null;
            moved_at: string | null;
        };
        DeletedChannel: {
            /** @constant */
            object: "agent.channel";
            agent_id: string;
            name: string;
            /** @constant */
            deleted: true;
        };
        TakeDown: {
            /** @description What callers are told. */
            message: string;
        };
        AgentDeprecation: {
            /**
             * Format: date-time
             * @description When new orders are refused; at least 14 days from now.
             */
            sunset_at: string;
            /**
             * @description The public agent to use instead.
             * @default null
             */
            successor?: string | null;
            /**
             * @description What else callers are told.
             * @default null
             */
            message?: string | null;
        };
        RolloutPlan: {
            steps: {
                /** @description The share of new sessions that get the version. */
                percentage: number;
                /**
                 * @description How many of its runs have to be finished before the next step.
                 * @default 20
                 */
                runs_min?: number;
                /**
                 * @description The least time of the step.
                 * @default 1
                 */
                hours_min?: number;
            }[];
        };
        TestReview: {
            /** @enum {string} */
            outcome: "approve" | "reject" | "changes";
        };
        ReviewTrialList: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "review.trial";
                /** @enum {string} */
                kind: "example" | "probe";
                /** @description The place among the prompts of its kind, from 0. */
                index: number;
                /** @description What the agent was asked; null when it was not tried, or when its content has expired. */
                prompt: unknown;
                /** @description With the submitted version; null: earlier trials used up what they may cost. */
                submitted: {
                    id: string;
                    version_id: string;
                    version: string;
                    /**
                     * @description The last four are final.
                     * @enum {string}
                     */
                    status: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
                    output: ({
                        /** @constant */
                        type: "output_text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "output_file";
                        file_id: string;
                        filename: string;
                        media_type: string;
                        size_bytes: number;
                    } | {
                        /** @constant */
                        type: "output_data";
                        data: unknown;
                    })[];
                    error: {
                        message: string;
                        type: string;
                        param: string | null;
                        code: string;
                    } | null;
                    started_at: string | null;
                    duration_seconds: number | null;
                    /** @description Paid by the platform, at its own prices. */
                    cost_usd: number;
                    steps: {
                        /** @description The same as `step_id`. */
                        id: string;
                        /** @constant */
                        object: "run.step";
                        run_id: string;
                        /** @description Orders the steps of the run. */
                        number: number;
                        step_id: string;
                        /**
                         * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                         * @enum {string}
                         */
                        kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                        /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                        name: string;
                        /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                        attempt: number;
                        model: string | null;
                        /**
                         * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
                         * @enum {string}
                         */
                        status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
                        /** @description When the next attempt begins, while one waits. */
                        retry_at: string | null;
                        is_error: boolean;
                        error_code: string | null;
                        /** @description The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself. */
                        reused_from: string | null;
                        /** @description The run of another agent that the step has started. It is billed as a run of its own. */
                        child_run: {
                            id: string;
                            status: string;
                            /** @description With the runs below it, US dollars. */
                            total_usd: number;
                        } | null;
                        /**
                         * Format: date-time
                         * @description Of the first attempt.
                         */
                        started_at: string;
                        /** @description Of the last attempt. */
                        ended_at: string | null;
                        duration_ms: number | null;
                        /** @description Of a model, and of a compaction. */
                        input_tokens: number | null;
                        /** @description Of a model, and of a compaction. */
                        output_tokens: number | null;
                        /** @description Of a sandbox. */
                        sandbox_seconds: number | null;
                        /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                        cost_usd: number;
                        arguments: string | null;
                        arguments_truncated: boolean;
                        result_preview: string | null;
                        result_truncated: boolean;
                    }[];
                } | null;
                /** @description With the version that was public during the review. */
                live: {
                    id: string;
                    version_id: string;
                    version: string;
                    /**
                     * @description The last four are final.
                     * @enum {string}
                     */
                    status: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
                    output: ({
                        /** @constant */
                        type: "output_text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "output_file";
                        file_id: string;
                        filename: string;
                        media_type: string;
                        size_bytes: number;
                    } | {
                        /** @constant */
                        type: "output_data";
                        data: unknown;
                    })[];
                    error: {
                        message: string;
                        type: string;
                        param: string | null;
                        code: string;
                    } | null;
                    started_at: string | null;
                    duration_seconds: number | null;
                    /** @description Paid by the platform, at its own prices. */
                    cost_usd: number;
                    steps: {
                        /** @description The same as `step_id`. */
                        id: string;
                        /** @constant */
                        object: "run.step";
                        run_id: string;
                        /** @description Orders the steps of the run. */
                        number: number;
                        step_id: string;
                        /**
                         * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                         * @enum {string}
                         */
                        kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                        /** @description The tool, or the model; of a compaction `summarize` or `truncate`. */
                        name: string;
                        /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                        attempt: number;
                        model: string | null;
                        /**
                         * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
                         * @enum {string}
                         */
                        status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
                        /** @description When the next attempt begins, while one waits. */
                        retry_at: string | null;
                        is_error: boolean;
                        error_code: string | null;
                        /** @description The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself. */
                        reused_from: string | null;
                        /** @description The run of another agent that the step has started. It is billed as a run of its own. */
                        child_run: {
                            id: string;
                            status: string;
                            /** @description With the runs below it, US dollars. */
                            total_usd: number;
                        } | null;
                        /**
                         * Format: date-time
                         * @description Of the first attempt.
                         */
                        started_at: string;
                        /** @description Of the last attempt. */
                        ended_at: string | null;
                        duration_ms: number | null;
                        /** @description Of a model, and of a compaction. */
                        input_tokens: number | null;
                        /** @description Of a model, and of a compaction. */
                        output_tokens: number | null;
                        /** @description Of a sandbox. */
                        sandbox_seconds: number | null;
                        /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                        cost_usd: number;
                        arguments: string | null;
                        arguments_truncated: boolean;
                        result_preview: string | null;
                        result_truncated: boolean;
                    }[];
                } | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        DeploymentCommentPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["DeploymentComment"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        NewComment: {
            message: string;
        };
        DeploymentComment: {
            id: string;
            /** @constant */
            object: "deployment.comment";
            deployment_id: string;
            /** @enum {string} */
            author: "publisher" | "operator";
            message: string;
            /** Format: date-time */
            created_at: string;
        };
        PublishedRunPage: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "publisher.run";
                agent_id: string;
                version_id: string;
                version: string;
                /** @description The same for all runs of one caller; it says nothing about who they are, and another publisher has another one. */
                caller_id: string;
                /** @description Of the publisher’s own workspace. */
                is_own: boolean;
                /** @enum {string} */
                status: "completed" | "limit_reached" | "cancelled" | "failed";
                /** @description Why it failed, or which limit it reached. */
                error_code: string | null;
                /** @description Whose fault a failure is. */
                fault: ("agent" | "caller" | "platform" | "provider") | null;
                source: string;
                is_called_by_agent: boolean;
                is_rerun: boolean;
                /** @description Rules replaced the model. */
                is_rehearsed: boolean;
                /** Format: date-time */
                created_at: string;
                started_at: string | null;
                /** Format: date-time */
                ended_at: string;
                duration_seconds: number | null;
                meters: {
                    id: string;
                    unit: string;
                    quantity: number;
                }[];
                /** @description What the caller paid. */
                total_usd: number;
                earned_usd: number;
                platform_cost_usd: number;
                /** @description The worth of what a failed run has used: nobody paid for it. */
                unbilled_usd: number;
                steps_deleted_at: string | null;
                /**
                 * @description `shared`: its caller shares what was asked and answered. `own`: it is a run of this workspace.
                 * @enum {string}
                 */
                content_access: "none" | "shared" | "own";
                shared_until: string | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        PublishedRun: {
            id: string;
            /** @constant */
            object: "publisher.run";
            agent_id: string;
            version_id: string;
            version: string;
            /** @description The same for all runs of one caller; it says nothing about who they are, and another publisher has another one. */
            caller_id: string;
            /** @description Of the publisher’s own workspace. */
            is_own: boolean;
            /** @enum {string} */
            status: "completed" | "limit_reached" | "cancelled" | "failed";
            /** @description Why it failed, or which limit it reached. */
            error_code: string | null;
            /** @description Whose fault a failure is. */
            fault: ("agent" | "caller" | "platform" | "provider") | null;
            source: string;
            is_called_by_agent: boolean;
            is_rerun: boolean;
            /** @description Rules replaced the model. */
            is_rehearsed: boolean;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            /** Format: date-time */
            ended_at: string;
            duration_seconds: number | null;
            meters: {
                id: string;
                unit: string;
                quantity: number;
            }[];
            /** @description What the caller paid. */
            total_usd: number;
            earned_usd: number;
            platform_cost_usd: number;
            /** @description The worth of what a failed run has used: nobody paid for it. */
            unbilled_usd: number;
            steps_deleted_at: string | null;
            /**
             * @description `shared`: its caller shares what was asked and answered. `own`: it is a run of this workspace.
             * @enum {string}
             */
            content_access: "none" | "shared" | "own";
            shared_until: string | null;
            /** @description Null without access, and once it is deleted. Files are never part of it. */
            content: {
                /** @description As it was sent; null when it was deleted, 30 days after the end. */
                input: unknown;
                output: ({
                    /** @constant */
                    type: "output_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "output_file";
                    file_id: string;
                    filename: string;
                    media_type: string;
                    size_bytes: number;
                } | {
                    /** @constant */
                    type: "output_data";
                    data: unknown;
                })[];
                error_message: string | null;
            } | null;
        };
        PublishedStepPage: {
            /** @constant */
            object: "list";
            data: {
                /** @description The same as `step_id`. */
                id: string;
                /** @description Orders the steps of the run. */
                number: number;
                /**
                 * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
                 * @enum {string}
                 */
                kind: "model" | "tool" | "sandbox" | "file" | "compaction";
                /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
                attempt: number;
                /**
                 * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
                 * @enum {string}
                 */
                status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
                is_error: boolean;
                error_code: string | null;
                /**
                 * Format: date-time
                 * @description Of the first attempt.
                 */
                started_at: string;
                /** @description Of the last attempt. */
                ended_at: string | null;
                duration_ms: number | null;
                /** @description Of a model, and of a compaction. */
                input_tokens: number | null;
                /** @description Of a model, and of a compaction. */
                output_tokens: number | null;
                /** @description Of a sandbox. */
                sandbox_seconds: number | null;
                /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
                cost_usd: number;
                /** @constant */
                object: "publisher.run.step";
                /** @description The model, the tool, or the plugin; null for a tool that the agent does not have. */
                name: string | null;
                /** @description A result of the run that this one repeats. */
                is_reused: boolean;
                /** @description Null without access. */
                content: {
                    arguments: string | null;
                    arguments_truncated: boolean;
                    result_preview: string | null;
                    result_truncated: boolean;
                } | null;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        PublishedStep: {
            /** @description The same as `step_id`. */
            id: string;
            /** @description Orders the steps of the run. */
            number: number;
            /**
             * @description `sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.
             * @enum {string}
             */
            kind: "model" | "tool" | "sandbox" | "file" | "compaction";
            /** @description Counts from 1. A step is retried when its worker or its upstream fails. */
            attempt: number;
            /**
             * @description `failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.
             * @enum {string}
             */
            status: "in_progress" | "retrying" | "completed" | "failed" | "cancelled";
            is_error: boolean;
            error_code: string | null;
            /**
             * Format: date-time
             * @description Of the first attempt.
             */
            started_at: string;
            /** @description Of the last attempt. */
            ended_at: string | null;
            duration_ms: number | null;
            /** @description Of a model, and of a compaction. */
            input_tokens: number | null;
            /** @description Of a model, and of a compaction. */
            output_tokens: number | null;
            /** @description Of a sandbox. */
            sandbox_seconds: number | null;
            /** @description US dollars, before the fee, the minimum and the limit of the whole run. */
            cost_usd: number;
            /** @constant */
            object: "publisher.run.step";
            /** @description The model, the tool, or the plugin; null for a tool that the agent does not have. */
            name: string | null;
            /** @description A result of the run that this one repeats. */
            is_reused: boolean;
            /** @description Null without access. */
            content: {
                /** @description The whole arguments. */
                arguments: string | null;
                result: {
                    /** @description What the model wrote, what the tool returned, or the summary. */
                    text: string;
                    /** @description Why the output in it does not fit its schema, as the model reads it. */
                    refusal: string | null;
                    tool_calls: {
                        /** @description Null for a call that is not run: the output of the run, over the limit of 20 in one answer, or cut by the model’s limit. */
                        step_id: string | null;
                        id: string;
                        name: string;
                        arguments: string;
                    }[];
                } | null;
            } | null;
        };
        AgentMetrics: {
            /** @constant */
            object: "publisher.agent.metrics";
            agent_id: string;
            /** @enum {string} */
            whose: "callers" | "own" | "all";
            /** @enum {string} */
            interval: "hour" | "day";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description Runs that have not ended, now. */
            open_runs: number;
            totals: {
                runs: number;
                completed: number;
                limit_reached: number;
                cancelled: number;
                failed: number;
                /** @description Completed runs among those not cancelled, 0 to 1. */
                success_rate: number | null;
                /** @description Of completed runs, to within 2.5 %. */
                p50_seconds: number | null;
                p95_seconds: number | null;
                /** @description What callers paid. */
                total_usd: number;
                /** @description Of a run that is not failed. */
                mean_cost_usd: number | null;
                earned_usd: number;
                platform_cost_usd: number;
                /** @description The worth of what failed runs have used: nobody paid for it. */
                unbilled_usd: number;
                refunded_runs: number;
                refunded_usd: number;
                /** @description The most frequent first. */
                errors: {
                    /** @enum {string} */
                    status: "completed" | "limit_reached" | "cancelled" | "failed";
                    error_code: string | null;
                    fault: ("agent" | "caller" | "platform" | "provider") | null;
                    runs: number;
                }[];
            };
            /** @description Side by side, the one that ended a run last first. */
            versions: {
                runs: number;
                completed: number;
                limit_reached: number;
                cancelled: number;
                failed: number;
                /** @description Completed runs among those not cancelled, 0 to 1. */
                success_rate: number | null;
                /** @description Of completed runs, to within 2.5 %. */
                p50_seconds: number | null;
                p95_seconds: number | null;
                /** @description What callers paid. */
                total_usd: number;
                /** @description Of a run that is not failed. */
                mean_cost_usd: number | null;
                earned_usd: number;
                platform_cost_usd: number;
                /** @description The worth of what failed runs have used: nobody paid for it. */
                unbilled_usd: number;
                refunded_runs: number;
                refunded_usd: number;
                version_id: string;
                version: string;
                errors: {
                    /** @enum {string} */
                    status: "completed" | "limit_reached" | "cancelled" | "failed";
                    error_code: string | null;
                    fault: ("agent" | "caller" | "platform" | "provider") | null;
                    runs: number;
                }[];
            }[];
            /** @description Over time; an interval without a run is left out. */
            data: {
                runs: number;
                completed: number;
                limit_reached: number;
                cancelled: number;
                failed: number;
                /** @description Completed runs among those not cancelled, 0 to 1. */
                success_rate: number | null;
                /** @description Of completed runs, to within 2.5 %. */
                p50_seconds: number | null;
                p95_seconds: number | null;
                /** @description What callers paid. */
                total_usd: number;
                /** @description Of a run that is not failed. */
                mean_cost_usd: number | null;
                earned_usd: number;
                platform_cost_usd: number;
                /** @description The worth of what failed runs have used: nobody paid for it. */
                unbilled_usd: number;
                refunded_runs: number;
                refunded_usd: number;
                /** Format: date-time */
                start: string;
            }[];
        };
        PublisherAlertList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["PublisherAlert"][];
        };
        NewPublisherAlert: {
            agent_id: string;
            /**
             * @description Told of when this part of the runs, in per cent, or this number of them has failed in the window.
             * @enum {string}
             */
            type: "failure_rate" | "failures";
            /** @description Per cent (at most 100), or a number of runs. */
            threshold: number;
            /**
             * @description Of the runs that ended last.
             * @default 60
             */
            window_minutes?: number;
            /**
             * @description Of a rate: with fewer runs in the window nothing is told.
             * @default 10
             */
            runs_min?: number;
            /**
             * @description Whose faults count as failures.
             * @default [
             *       "agent",
             *       "platform",
             *       "provider"
             *     ]
             */
            faults?: ("agent" | "caller" | "platform" | "provider")[];
            /**
             * @description Whether people get a mail too.
             * @default true
             */
            mail?: boolean;
            /**
             * @description The ids of the members who get it; null: owners and publishers.
             * @default null
             */
            mail_to?: string[] | null;
        };
        PublisherAlert: {
            id: string;
            /** @constant */
            object: "publisher.alert";
            agent_id: string;
            agent: string;
            /** @enum {string} */
            type: "failure_rate" | "failures";
            threshold: number;
            window_minutes: number;
            runs_min: number;
            faults: ("agent" | "caller" | "platform" | "provider")[];
            mail: boolean;
            /** @description Members by their ids; null: owners and publishers. */
            mail_to: string[] | null;
            /** @description That ended in the window, without cancelled ones. */
            runs: number;
            failures: number;
            /** @description 0 to 1; null without runs. */
            failure_rate: number | null;
            is_failing: boolean;
            /** Format: date-time */
            created_at: string;
        };
        PublisherAlertChange: {
            /**
             * @description Told of when this part of the runs, in per cent, or this number of them has failed in the window.
             * @enum {string}
             */
            type?: "failure_rate" | "failures";
            /** @description Per cent (at most 100), or a number of runs. */
            threshold?: number;
            /** @description Of the runs that ended last. */
            window_minutes?: number;
            /** @description Of a rate: with fewer runs in the window nothing is told. */
            runs_min?: number;
            /** @description Whose faults count as failures. */
            faults?: ("agent" | "caller" | "platform" | "provider")[];
            /** @description Whether people get a mail too. */
            mail?: boolean;
            /** @description The ids of the members who get it; null: owners and publishers. */
            mail_to?: string[] | null;
        };
        DeletedPublisherAlert: {
            id: string;
            /** @constant */
            object: "publisher.alert";
            /** @constant */
            deleted: true;
        };
        EvaluationSet: {
            /** @constant */
            object: "evaluation.set";
            agent_id: string;
            /** @description Counts the changes; 0 while the agent has no set. */
            revision: number;
            cases: {
                /** @description Unique in the set: by it, results of different versions are compared. */
                name: string;
                /** @description As the `input` of a run. */
                input: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                } | {
                    /** @constant */
                    type: "input_data";
                    /** @description Fits the agent’s `input_schema`. */
                    data: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    type: "message";
                    /**
                     * @description The agent’s own instructions stand above those of `system` and `developer`.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    name?: string;
                    /** @description Files only in messages of the user. */
                    content: string | ({
                        /** @constant */
                        type: "input_text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "input_file";
                        file_id: string;
                    })[];
                } | {
                    /** @constant */
                    type: "function_call";
                    call_id: string;
                    name: string;
                    arguments: string;
                } | {
                    /** @constant */
                    type: "function_call_output";
                    call_id: string;
                    output: string;
                })[];
                checks: ({
                    /** @constant */
                    type: "string_check";
                    /**
                     * @description Of the text of the output, without blanks around it. `regex`: a regular expression of JavaScript.
                     * @enum {string}
                     */
                    operation: "equals" | "not_equals" | "contains" | "not_contains" | "regex";
                    reference: string;
                    /** @default false */
                    ignore_case?: boolean;
                } | {
                    /** @constant */
                    type: "json_schema";
                    /** @description JSON Schema of an object that the output’s data, or the JSON in its text, must fit. */
                    schema: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    type: "score_model";
                    /**
                     * @description A text model of the catalogue; the platform’s model for agents when null.
                     * @default null
                     */
                    model?: string | null;
                    /** @description What a good output is like. */
                    rubric: string;
                    /**
                     * @description The model gives a score from 0 to 1; from this on the check passes.
                     * @default 0.5
                     */
                    pass_threshold?: number;
                } | {
                    /** @constant */
                    type: "tool_called";
                    /** @description A tool’s name; `call_agent` for other agents. */
                    tool: string;
                } | {
                    /** @constant */
                    type: "cost";
                    /** @description The most that the test run may cost, at the platform’s prices. US dollars. */
                    max_cost_usd: number;
                } | {
                    /** @constant */
                    type: "latency";
                    max_seconds: number;
                })[];
            }[];
            updated_at: string | null;
        };
        NewEvaluationSet: {
            cases: {
                /** @description Unique in the set: by it, results of different versions are compared. */
                name: string;
                /** @description As the `input` of a run. */
                input: string | ({
                    /** @constant */
                    type: "input_text";
                    text: string;
                } | {
                    /** @constant */
                    type: "input_file";
                    file_id: string;
                } | {
                    /** @constant */
                    type: "input_data";
                    /** @description Fits the agent’s `input_schema`. */
                    data: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    type: "message";
                    /**
                     * @description The agent’s own instructions stand above those of `system` and `developer`.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    name?: string;
                    /** @description Files only in messages of the user. */
                    content: string | ({
                        /** @constant */
                        type: "input_text";
                        text: string;
                    } | {
                        /** @constant */
                        type: "input_file";
                        file_id: string;
                    })[];
                } | {
                    /** @constant */
                    type: "function_call";
                    call_id: string;
                    name: string;
                    arguments: string;
                } | {
                    /** @constant */
                    type: "function_call_output";
                    call_id: string;
                    output: string;
                })[];
                checks: ({
                    /** @constant */
                    type: "string_check";
                    /**
                     * @description Of the text of the output, without blanks around it. `regex`: a regular expression of JavaScript.
                     * @enum {string}
                     */
                    operation: "equals" | "not_equals" | "contains" | "not_contains" | "regex";
                    reference: string;
                    /** @default false */
                    ignore_case?: boolean;
                } | {
                    /** @constant */
                    type: "json_schema";
                    /** @description JSON Schema of an object that the output’s data, or the JSON in its text, must fit. */
                    schema: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    type: "score_model";
                    /**
                     * @description A text model of the catalogue; the platform’s model for agents when null.
                     * @default null
                     */
                    model?: string | null;
                    /** @description What a good output is like. */
                    rubric: string;
                    /**
                     * @description The model gives a score from 0 to 1; from this on the check passes.
                     * @default 0.5
                     */
                    pass_threshold?: number;
                } | {
                    /** @constant */
                    type: "tool_called";
                    /** @description A tool’s name; `call_agent` for other agents. */
                    tool: string;
                } | {
                    /** @constant */
                    type: "cost";
                    /** @description The most that the test run may cost, at the platform’s prices. US dollars. */
                    max_cost_usd: number;
                } | {
                    /** @constant */
                    type: "latency";
                    max_seconds: number;
                })[];
            }[];
            /** @description The `revision` of the set that was seen, 0 for none: 409 when the set has changed since. */
            revision?: number;
        };
        DeletedEvaluationSet: {
            /** @constant */
            object: "evaluation.set";
            agent_id: string;
            /** @constant */
            deleted: true;
        };
        EvaluationQuoteOrder: {
            /**
             * @description `draft`; `live`: the public version; or a version’s date or id.
             * @default draft
             */
            version?: ("draft" | "live") | string;
        };
        EvaluationQuote: {
            /** @constant */
            object: "evaluation.quote";
            /** @description As it was sent. */
            version: string;
            cases: number;
            /**
             * @description `cases`: each case’s own former runs, as far as it has some; `runs`: runs of the agent in this workspace; `nothing`: there is no sample.
             * @enum {string}
             */
            based_on: "cases" | "runs" | "nothing";
            /** @description The runs that the estimate is made of. */
            sample_size: number;
            /** @description What it probably costs, in US dollars; null without a sample. */
            p50_usd: number | null;
            /** @description The most that it can cost: each run’s maximum, and the longest judgements. US dollars. */
            max_usd: number;
        };
        EvaluationRunOrder: {
            /**
             * @description `draft`; `live`: the public version; or a version’s date or id.
             * @default draft
             */
            version?: ("draft" | "live") | string;
            /** @description The limit of all cases together, with the models that judge; their maximum when left out. US dollars. */
            max_cost_usd?: number;
        };
        EvaluationRun: {
            id: string;
            /** @constant */
            object: "evaluation.run";
            agent_id: string;
            version_id: string;
            version: string;
            /** @description Versions with the same one have the same configuration. */
            configuration_hash: string;
            set_revision: number;
            /**
             * @description `passed`: every case has.
             * @enum {string}
             */
            status: "queued" | "in_progress" | "passed" | "failed" | "cancelled";
            /** @description Why cases were not run. */
            error: {
                code: string;
                message: string;
            } | null;
            max_cost_usd: number | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            cancel_requested_at: string | null;
            ended_at: string | null;
            result_counts: {
                total: number;
                passed: number;
                failed: number;
                errored: number;
                cancelled: number;
            };
            /** @description US dollars. */
            cost_usd: number;
            cases: {
                name: string;
                /**
                 * @description `errored`: for a reason that is not the agent’s, it could not be decided.
                 * @enum {string}
                 */
                status: "queued" | "passed" | "failed" | "errored" | "cancelled";
                run_id: string | null;
                input: unknown;
                /** @description The beginning of the output; null while its content is not kept. */
                output_text: string | null;
                /** @description In the order of the case’s checks; empty when its run did not complete. */
                checks: {
                    type: string;
                    /** @enum {string} */
                    status: "passed" | "failed" | "errored";
                    message: string;
                    /** @description Of `score_model`, from 0 to 1. */
                    score?: number;
                    /** @description The model’s words. */
                    reason?: string;
                    /** @description US dollars. */
                    cost_usd?: number;
                }[];
                error: {
                    code: string;
                    message: string;
                } | null;
                /** @description US dollars. */
                cost_usd: number;
                /** @description Of the models that judged, in US dollars. */
                judge_cost_usd: number;
                duration_seconds: number | null;
                /** @description The case in the compared run; null without one. */
                against: {
                    /** @enum {string} */
                    status: "passed" | "failed" | "errored" | "cancelled";
                    /** @description US dollars. */
                    cost_usd: number;
                    duration_seconds: number | null;
                    /** @enum {string} */
                    change: "same" | "regression" | "fixed";
                } | null;
            }[];
            /** @description With `against`; null when there is nothing to compare with. */
            comparison: {
                run_id: string;
                version: string;
                status: string;
                set_revision: number;
                /** @description US dollars. */
                cost_usd: number;
                /** @description Cases that passed there, and do not here. */
                regressions: string[];
                /** @description Cases that pass here, and did not there. */
                fixes: string[];
            } | null;
        };
        EvaluationRunPage: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "evaluation.run";
                agent_id: string;
                version_id: string;
                version: string;
                /** @description Versions with the same one have the same configuration. */
                configuration_hash: string;
                set_revision: number;
                /**
                 * @description `passed`: every case has.
                 * @enum {string}
                 */
                status: "queued" | "in_progress" | "passed" | "failed" | "cancelled";
                /** @description Why cases were not run. */
                error: {
                    code: string;
                    message: string;
                } | null;
                max_cost_usd: number | null;
                /** Format: date-time */
                created_at: string;
                started_at: string | null;
                cancel_requested_at: string | null;
                ended_at: string | null;
                result_counts: {
                    total: number;
                    passed: number;
                    failed: number;
                    errored: number;
                    cancelled: number;
                };
                /** @description US dollars. */
                cost_usd: number;
            }[];
            has_more: boolean;
            next_cursor: string | null;
        };
        DeploymentEvaluation: {
            /** @constant */
            object: "deployment.evaluation";
            /**
             * @description `not_run`: no run of the set has ended with the configuration of this version. `stale`: its cases have changed since.
             * @enum {string}
             */
            state: "no_set" | "not_run" | "stale" | "passed" | "failed";
            run: components["schemas"]["EvaluationRun"] | null;
        };
        DeviceCodesOrder: {
            /** @description What the program calls itself and its machine, such as `ledgerline on ada-laptop`. The person sees it as not verified. */
            client_name?: string;
            /** @description What the program would like to do. The person decides, and may give less. Left out: the person chooses. */
            scopes?: ("llm" | "voice" | "batch" | "agents" | "publisher" | "contents" | "manage" | "operator")[];
        };
        DeviceCodes: {
            /** @description For the program alone. */
            device_code: string;
            /** @description For the person to compare: `BCDF-GHJK`. */
            user_code: string;
            /** @description The page where a signed-in person enters the code. */
            verification_uri: string;
            /** @description The same page with the code. */
            verification_uri_complete: string;
            /** @description Seconds until both codes end. */
            expires_in: number;
            /** @description Seconds to wait between two questions for the key. */
            interval: number;
        };
        DeviceTokenOrder: {
            /** @description From `POST /platform/v1/device/codes`. */
            device_code: string;
        };
        DeviceKey: {
            /** @description The secret, in this answer and nowhere else. */
            api_key: string;
            key: {
                id: string;
                name: string;
                prefix: string;
                /** Format: date-time */
                created_at: string;
                last_used_at: string | null;
                expires_at: string | null;
                /** @description When the key was revoked; its spending stays listed. Null for a live key. */
                revoked_at: string | null;
                scopes: string[];
                spend_daily: number;
                spend_monthly: number;
                /** @description Null for none. */
                spend_limit: number | null;
                /** @description When the ceiling resets. */
                spend_limit_period: ("daily" | "monthly") | null;
                /** @description Null for the default tier. */
                rpm_limit: number | null;
                /** @description Null for the default tier. */
                concurrency_limit: number | null;
                is_calling_key: boolean;
                /** @description The key that made this one; null: none. */
                parent_id: string | null;
                /** @description The agents that it may run; null: all. */
                allowed_agents: string[] | null;
                /** @description For how many days the contents of its calls are kept; 0: they are not. */
                log_days: number;
                /** @description Whether it demands that of the upstreams, too. */
                no_retention: boolean;
                /** @description Its project: `default`, or the id of another. */
                project_id: string;
            };
            workspace: {
                id: string;
                name: string;
                /** @enum {string} */
                mode: "live" | "test";
            };
            /** @description Who approved it. */
            user: {
                id: string;
                name: string;
                email: string;
            };
        };
        AgentCard: {
            name: string;
            description: string;
            supportedInterfaces: {
                url: string;
                protocolBinding: string;
                protocolVersion: string;
            }[];
            provider: {
                organization: string;
                url: string;
            };
            iconUrl?: string;
            version: string;
            documentationUrl: string;
            capabilities: {
                streaming: boolean;
                pushNotifications: boolean;
                extendedAgentCard: boolean;
            };
            /** @description For clients of version 0.3, which read no interfaces. */
            url: string;
            /**
             * @description The same.
             * @constant
             */
            preferredTransport: "JSONRPC";
            /** @description The version of the protocol that this server speaks. */
            protocolVersion: string;
            /** @constant */
            supportsAuthenticatedExtendedCard: false;
            securitySchemes: {
                [key: string]: {
                    httpAuthSecurityScheme: {
                        scheme: string;
                        description: string;
                    };
                    /** @constant */
                    type: "http";
                    scheme: string;
                    description: string;
                };
            };
            security: {
                [key: string]: string[];
            }[];
            securityRequirements: {
                schemes: {
                    [key: string]: {
                        list: string[];
                    };
                };
            }[];
            /** @description Media types. */
            defaultInputModes: string[];
            /** @description Media types. */
            defaultOutputModes: string[];
            skills: {
                id: string;
                name: string;
                description: string;
                tags: string[];
                examples: string[];
                /** @description Media types. */
                inputModes: string[];
                /** @description Media types. */
                outputModes: string[];
            }[];
        };
        A2aRpcRequest: {
            /** @constant */
            jsonrpc: "2.0";
            id?: string | number | null;
            method: string;
            params?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        A2aRpcAnswer: {
            /** @constant */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        };
        A2aMessageRequest: {
            /** @description The agent, at the platform’s own address. */
            tenant?: string;
            message: {
                /** @description A repeated message does not begin another task. */
                messageId: string;
                /** @description Continues the context of an earlier task. */
                contextId?: string;
                /** @description Answers a task that requires input. */
                taskId?: string;
                /**
                 * @default ROLE_USER
                 * @enum {string}
                 */
                role?: "ROLE_USER" | "user";
                parts: ({
                    text?: string;
                    /** @description A file as base64. */
                    raw?: string;
                    /** @description Of a file at this server: `/v1/files/{file_id}/content`. No other address is fetched. */
                    url?: string;
                    data?: unknown;
                    filename?: string;
                    mediaType?: string;
                } & {
                    [key: string]: unknown;
                })[];
                metadata?: {
                    max_cost_usd?: number;
                    agent?: string;
                    user?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            configuration?: {
                acceptedOutputModes?: string[];
                taskPushNotificationConfig?: unknown;
                historyLength?: number;
                /** @description Answers at once, with the task as it is. */
                returnImmediately?: boolean;
            } & {
                [key: string]: unknown;
            };
            /** @description `max_cost_usd`: the most that the task may cost. `user`: the end user for whom the agent remembers. */
            metadata?: {
                max_cost_usd?: number;
                agent?: string;
                user?: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        A2aSendAnswer: {
            task: components["schemas"]["A2aTask"];
        };
        A2aError: {
            error: {
                /** @description The status of the answer. */
                code: number;
                /** @description Its name in gRPC, for example `NOT_FOUND`. */
                status: string;
                /** @description A sentence for humans. */
                message: string;
                details: {
                    /** @constant */
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo";
                    /** @description The error of the protocol, for example `TASK_NOT_FOUND`, or our code in capitals. */
                    reason: string;
                    /** @enum {string} */
                    domain: "a2a-protocol.org" | "ledgerline";
                    metadata: {
                        /** @description Our own code. */
                        code: string;
                        param?: string;
                    };
                }[];
            };
        };
        /** @description One of its members. */
        A2aStreamItem: {
            task?: components["schemas"]["A2aTask"];
            statusUpdate?: {
                [key: string]: unknown;
            };
            artifactUpdate?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        A2aTaskPage: {
            tasks: components["schemas"]["A2aTask"][];
            nextPageToken: string;
            pageSize: number;
            totalSize: number;
        };
        A2aTask: {
            /** @description The id of the run. */
            id: string;
            /** @description The id of its session. */
            contextId: string;
            status: {
                state: string;
                timestamp: string;
            } & {
                [key: string]: unknown;
            };
            artifacts?: ({
                artifactId: string;
                parts: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            })[];
            history?: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        ClientList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ClientPackage"][];
            /** @description Packages that this installation has not built, and what that needs. */
            absent: {
                /** @enum {string} */
                language: "typescript" | "python";
                reason: string;
            }[];
        };
        ClientPackage: {
            /** @enum {string} */
            language: "typescript" | "python";
            name: string;
            version: string;
            file: string;
            url: string;
            /** @description The command that installs it from here. */
            install: string;
            bytes: number;
            /** @description Of the file, in hexadecimal. */
            sha256: string;
            /** @description As npm’s lock files have it. */
            integrity: string;
        };
        BillKeys: {
            keys: {
                /** @constant */
                kty: "OKP";
                /** @constant */
                crv: "Ed25519";
                /** @constant */
                alg: "EdDSA";
                /** @constant */
                use: "sig";
                kid: string;
                x: string;
                /** Format: date-time */
                valid_from: string;
                /** @description When the next key replaced it; null for the current one. */
                valid_until: string | null;
            }[];
        };
        BillRoots: {
            roots: components["schemas"]["BillRoot"][];
            has_more: boolean;
        };
        BillRoot: {
            /** @description JSON, signed as these bytes: the day, the root over all accounts, and the hash of the root before. */
            signed: string;
            /** @description Ed25519, in base64. The keys: `/.well-known/ledgerline-bill-keys.json`. */
            signature: string;
            date: string;
        };
        Status: {
            status: string;
        };
        Readiness: {
            status: string;
            /**
             * @description While it is `away`, runs are accepted and start when it is back. `unknown` right after the start.
             * @enum {string}
             */
            temporal: "reachable" | "away" | "unknown";
        };
    };
    responses: {
        /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
        Error401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing ran: the balance is used up (`insufficient_balance`) or the key or its project reached its ceiling (`key_spend_limit_reached`, `project_spend_limit_reached`), or what is left of it is less than the request needs. The headers `x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which. A body of more than 1 MiB is refused so before it is read. */
        Error402: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The header `accept` names neither `application/json` nor `text/event-stream`, or no event stream where the answer is one. The error is in the form of JSON-RPC. */
        Error406: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["McpAnswer"];
            };
        };
        /** @description The request conflicts with another one or with the state of the resource: `idempotency_conflict`, `idempotency_in_progress`, `session_busy`, `name_conflict`, … */
        Error409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It is past its retention, `event_expired`, or was too large to be kept, `stream_not_kept`. */
        Error410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource has changed since it was read: read it again and send its new `ETag` in `If-Match`. */
        Error412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The range is outside of the file: `range_not_satisfiable`. */
        Error416: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request does not fit the schema: `validation_error`, `unsupported_parameter`. */
        Error422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The header `If-Match` is required: `if_match_required`. Read the resource and send its `ETag`. */
        Error428: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
        Error429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal error: `internal_error`. The message has the request id. */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The model failed to answer: `provider_failed`. Nothing was billed. */
        Error502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
        Error503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The model stopped answering: `provider_timeout`. Nothing was billed. */
        Error504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request in logs, bills and support. */
        "x-request-id": string;
        /** @description The date of this interface. */
        "x-api-version": string;
        /** @description Requests the key may make a minute. */
        "x-ratelimit-limit-requests": number;
        /** @description Requests left of them now. */
        "x-ratelimit-remaining-requests": number;
        /** @description When all are there again, for example `1s` or `6m0s`. */
        "x-ratelimit-reset-requests": string;
        /** @description Requests the key may have in flight; of a stream that follows a run or resumes an answer: such streams. */
        "x-ratelimit-limit-concurrency": number;
        /** @description How many more it may start now. */
        "x-ratelimit-remaining-concurrency": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    post_v1_chat_completions: {
        parameters: {
            query?: never;
            header?: {
                "x-ignored-parameters"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer; with `stream: true`, server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_v1_completions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionRequest"];
            };
        };
        responses: {
            /** @description The answer; with `stream: true`, server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completion"];
                    "text/event-stream": components["schemas"]["Completion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_v1_responses: {
        parameters: {
            query?: never;
            header?: {
                "x-ignored-parameters"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description The answer; with `stream: true`, server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_v1_responses_input_tokens: {
        parameters: {
            query?: never;
            header?: {
                "x-ignored-parameters"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseInputTokens"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_responses_response_id: {
        parameters: {
            query?: {
                include?: unknown;
                "include[]"?: unknown;
                include_obfuscation?: unknown;
                stream?: string;
                starting_after?: string;
            };
            header?: never;
            path: {
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_responses_response_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_responses_response_id_input_items: {
        parameters: {
            query?: {
                limit?: number;
                order?: "asc" | "desc";
                after?: string;
                include?: unknown;
                "include[]"?: unknown;
            };
            header?: never;
            path: {
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseInputItems"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_embeddings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Embeddings"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_v1_audio_speech: {
        parameters: {
            query?: never;
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpeechRequest"];
            };
        };
        responses: {
            /** @description The sound; with `stream_format: "sse"`, server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["SpeechEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_v1_audio_transcriptions: {
        parameters: {
            query?: never;
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["TranscriptionForm"];
            };
        };
        responses: {
            /** @description The transcription; with `stream: true`, server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcription"];
                    "text/plain": string;
                    "text/vtt": string;
                    "text/event-stream": components["schemas"]["TranscriptionEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_v1_audio_translations: {
        parameters: {
            query?: never;
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["TranslationForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcription"];
                    "text/plain": string;
                    "text/vtt": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    get_v1_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_models_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_models_namespace_slug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_realtime_client_secrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientSecretRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_realtime_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OlderSessionRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OlderSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectedKey"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_keys_derive: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DerivedKeyOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DerivedKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_platform_v1_keys_key_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_requests: {
        parameters: {
            query?: {
                model?: string;
                key?: string;
                status?: string;
                route?: string;
                product?: "text" | "embeddings" | "speech" | "transcription" | "voice_conversion" | "realtime" | "batch" | "agents";
                member?: string;
                code?: string;
                content?: "true" | "false";
                project?: string;
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPage"];
                    "text/csv": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_requests_totals: {
        parameters: {
            query?: {
                model?: string;
                key?: string;
                status?: string;
                route?: string;
                product?: "text" | "embeddings" | "speech" | "transcription" | "voice_conversion" | "realtime" | "batch" | "agents";
                member?: string;
                code?: string;
                content?: "true" | "false";
                project?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTotals"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_requests_request_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedRequest"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_requests_request_id_stream: {
        parameters: {
            query?: {
                starting_after?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events as they were sent first, here those of a chat completion. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletionChunk"];
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description Done: there is nothing to say. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_overview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_models_performance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPerformanceList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_models_id_prices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPriceList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_search: {
        parameters: {
            query: {
                query: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_explain_explained_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                explained_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_usage: {
        parameters: {
            query?: {
                group_by?: string;
                from?: string;
                to?: string;
                model?: string;
                key?: string;
                project?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                    "text/csv": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_usage_export: {
        parameters: {
            query: {
                month: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_usage_latency: {
        parameters: {
            query?: {
                group_by?: string;
                from?: string;
                to?: string;
                model?: string;
                key?: string;
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LatencyReport"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_usage_errors: {
        parameters: {
            query?: {
                group_by?: string;
                from?: string;
                to?: string;
                model?: string;
                key?: string;
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReport"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_balance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_ledger: {
        parameters: {
            query?: {
                kind?: string;
                key?: string;
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerPage"];
                    "text/csv": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_ledger_totals: {
        parameters: {
            query?: {
                kind?: string;
                key?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerTotals"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_requests_request_id_content: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestContent"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_platform_v1_requests_request_id_content: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedContent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_platform_v1_keys_key_id_contents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedContents"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_audit_log: {
        parameters: {
            query?: {
                action?: string;
                subject?: string;
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_audit_log_download: {
        parameters: {
            query?: {
                action?: string;
                subject?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_audit_log_audit_entry_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                audit_entry_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_details: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetails"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_billing_details: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingDetailsChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetails"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_invoices: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_invoices_invoice_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_invoices_invoice_id_pdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_alerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_alerts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlert"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_alerts_alert_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_platform_v1_alerts_alert_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAlert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_alerts_alert_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_flow_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRuleList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_flow_rules: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFlowRule"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_flow_rules_flow_rule_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flow_rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRule"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_platform_v1_flow_rules_flow_rule_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flow_rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedFlowRule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_flow_rules_flow_rule_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flow_rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowRuleChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_projects: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_projects_project_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_projects_project_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_test_clock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_test_clock_advance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_billing_checkout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_billing_card: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CardBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_billing_stripe_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_statement: {
        parameters: {
            query?: {
                month?: string;
                format?: "json" | "csv" | "pdf" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountStatement"];
                    "text/csv": string;
                    "application/pdf": string;
                    "application/jsonl": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_receipts_request_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_topups: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_billing_auto_topup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopup"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_billing_auto_topup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutoTopupChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopup"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_events_stream: {
        parameters: {
            query?: {
                types?: string | string[];
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as a stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            410: components["responses"]["Error410"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_events_event_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_webhook_endpoints: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_webhook_endpoints: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_webhook_endpoints_endpoint_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_platform_v1_webhook_endpoints_endpoint_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_platform_v1_webhook_endpoints_endpoint_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_webhook_endpoints_endpoint_id_rotate_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_webhook_endpoints_endpoint_id_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_webhook_endpoints_endpoint_id_deliveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                event_id?: string;
                status?: "pending" | "delivered" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_webhook_endpoints_endpoint_id_deliveries_delivery_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedWebhookDelivery"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_platform_v1_events: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: ("run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "run.limit_reached" | "schedule.paused" | "batch.completed" | "batch.failed" | "batch.expired" | "batch.cancelled" | "deployment.approved" | "deployment.changes_requested" | "deployment.rejected" | "deployment.withdrawn" | "deployment.suspended" | "deployment.reinstated" | "deployment.rollout_advanced" | "deployment.rollout_completed" | "deployment.rolled_back" | "agent.failing" | "agent.recovered" | "agent.run_shared" | "agent.price_increase" | "agent.channel_moved" | "agent.taken_down" | "agent.deprecated" | "agent.restored" | "payout.sent" | "payout.rejected" | "balance.low" | "balance.depleted" | "alert.spend_reached" | "alert.runway_short" | "invoice.issued" | "topup.succeeded" | "topup.failed" | "audit.entry_recorded" | "workspace.erasure_ordered" | "workspace.erasure_cancelled" | "key.created" | "key.revoked" | "key.spend_threshold" | "key.limit_reached") | "webhook_endpoint.test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEventPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_events_event_id_redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs: {
        parameters: {
            query?: {
                agent?: string;
                version?: string;
                session_id?: string;
                schedule_id?: string;
                parent_run_id?: string;
                source?: "api" | "chat" | "workstream" | "schedule" | "agent" | "test";
                user?: string;
                status?: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
                fault?: "platform" | "provider" | "agent" | "caller";
                error_code?: string;
                error?: string;
                metadata?: {
                    [key: string]: string;
                };
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunOrder"];
            };
        };
        responses: {
            /** @description The run, or with `stream` its events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description The run, or with `stream` its events. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_quote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunQuote"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_totals: {
        parameters: {
            query?: {
                agent?: string;
                version?: string;
                session_id?: string;
                schedule_id?: string;
                parent_run_id?: string;
                source?: "api" | "chat" | "workstream" | "schedule" | "agent" | "test";
                user?: string;
                status?: "queued" | "in_progress" | "requires_action" | "cancelling" | "completed" | "limit_reached" | "cancelled" | "failed";
                fault?: "platform" | "provider" | "agent" | "caller";
                error_code?: string;
                error?: string;
                metadata?: {
                    [key: string]: string;
                };
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTotals"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description It is what is known already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_runs_run_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id_events: {
        parameters: {
            query?: {
                starting_after?: string;
                cursor?: string;
                limit?: number;
                include?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events: a stream, or with `Accept: application/json` a list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description Done: there is nothing to say. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            410: components["responses"]["Error410"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id_steps: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStepPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id_steps_step_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStep"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_replay_quote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayQuote"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_replay: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_run_id_rerun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RerunOrder"];
            };
        };
        responses: {
            /** @description The run, or with `stream` its events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description The run, or with `stream` its events. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id_compare: {
        parameters: {
            query?: {
                with?: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunComparison"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_run_id_cancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunCancellation"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_sessions_session_id_cancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunCancellation"];
            };
        };
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_run_id_input: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAnswer"];
            };
        };
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFeedback"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    put_v1_runs_run_id_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFeedback"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_runs_run_id_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: there is nothing to say. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_usage: {
        parameters: {
            query?: {
                range?: "7d" | "30d" | "90d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceUsage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_runs_run_id_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunShare"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_runs_run_id_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunShareOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunShare"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_runs_run_id_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunShare"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_schedules: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_schedules: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSchedule"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_schedules_schedule_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_schedules_schedule_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_v1_schedules_schedule_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_schedules_schedule_id_pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SchedulePause"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_schedules_schedule_id_resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScheduleResumption"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_schedules_schedule_id_trigger: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_schedules_schedule_id_runs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_voiceapi_v1_text_to_speech_voice_id: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceSpeechRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_text_to_speech_voice_id_stream: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceSpeechRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_text_to_speech_voice_id_with_timestamps: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceSpeechRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimedSpeech"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_text_to_speech_voice_id_stream_with_timestamps: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceSpeechRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": components["schemas"]["TimedSpeech"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_speech_to_text: {
        parameters: {
            query?: {
                enable_logging?: "true" | "false";
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["HearingForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeardText"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_speech_to_speech_voice_id: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ConversionForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_speech_to_speech_voice_id_stream: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ConversionForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_voice_changer_voice_id: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ConversionForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    post_voiceapi_v1_voice_changer_voice_id_stream: {
        parameters: {
            query?: {
                output_format?: "mp3_22050_32" | "mp3_24000_48" | "mp3_44100_32" | "mp3_44100_64" | "mp3_44100_96" | "mp3_44100_128" | "mp3_44100_192" | "opus_48000_32" | "opus_48000_64" | "opus_48000_96" | "opus_48000_128" | "opus_48000_192" | "pcm_8000" | "wav_8000" | "pcm_16000" | "wav_16000" | "pcm_22050" | "wav_22050" | "pcm_24000" | "wav_24000" | "pcm_32000" | "wav_32000" | "pcm_44100" | "wav_44100" | "pcm_48000" | "wav_48000" | "ulaw_8000" | "alaw_8000";
                enable_logging?: "true" | "false";
                optimize_streaming_latency?: number;
            };
            header?: {
                "x-allow-partial"?: "true" | "false";
            };
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ConversionForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    get_voiceapi_v1_voices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v2_voices: {
        parameters: {
            query?: {
                page_size?: number;
                next_page_token?: string;
                search?: string;
                category?: "premade" | "cloned" | "generated" | "professional" | "famous" | "high_quality";
                voice_type?: "personal" | "community" | "default" | "workspace" | "non-default" | "non-community" | "saved";
                voice_ids?: string | string[];
                gender?: string;
                accent?: string;
                age?: string;
                language?: string | string[];
                use_cases?: string | string[];
                sort?: "created_at_unix" | "name";
                sort_direction?: "asc" | "desc";
                include_total_count?: "true" | "false";
                collection_id?: string;
                fine_tuning_state?: "draft" | "not_verified" | "not_started" | "queued" | "fine_tuning" | "fine_tuned" | "failed" | "delayed";
                high_quality?: "true" | "false";
                include_custom_rates?: "true" | "false";
                include_live_moderated?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoicePage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_voiceapi_v1_voices_add: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["NewVoiceForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewVoice"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    get_voiceapi_v1_voices_settings_default: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceSettings"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_voices_voice_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Voice"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_voiceapi_v1_voices_voice_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceDone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    get_voiceapi_v1_voices_voice_id_samples_sample_id_audio: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
                sample_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_voiceapi_v1_voices_voice_id_edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["VoiceChangeForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceDone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    get_voiceapi_v1_voices_voice_id_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceSettings"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_voiceapi_v1_voices_voice_id_settings_edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceSettingsRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceDone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceModels"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceUser"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_user_subscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceSubscription"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_history: {
        parameters: {
            query?: {
                page_size?: number;
                start_after_history_item_id?: string;
                voice_id?: string;
                model_id?: string;
                source?: "TTS" | "STS";
                search?: string;
                date_after_unix?: number;
                date_before_unix?: number;
                sort_direction?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpeechHistory"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_voiceapi_v1_history_download: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HistoryDownload"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_history_item_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpeechHistoryItem"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_voiceapi_v1_history_item_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceDone"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_history_item_id_audio: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_files: {
        parameters: {
            query?: {
                purpose?: string;
                limit?: number;
                order?: "asc" | "desc";
                after?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_files: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_files_file_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_files_file_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_files_file_id_content: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
                Range?: string;
                "If-Range"?: string;
            };
            path: {
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The answer. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description It is what is known already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_uploads: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_uploads_upload_id_parts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadPartForm"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadPart"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_uploads_upload_id_complete: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadCompletion"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_uploads_upload_id_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_batches: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_batches: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_batches_batch_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_batches_batch_id_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_sessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_sessions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_sessions_session_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_sessions_session_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_sessions_session_id_files: {
        parameters: {
            query?: {
                parent_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionFileList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_sessions_session_id_files: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["SessionFileForm"];
                "application/json": components["schemas"]["NewSessionFile"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionFile"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_sessions_session_id_files_entry_id_revisions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                session_id: string;
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionFileRevisionPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_sessions_session_id_files_entry_id: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                session_id: string;
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_v1_sessions_session_id_files_entry_id: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                session_id: string;
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionFileChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionFile"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_sessions_session_id_state: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionState"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    put_v1_sessions_session_id_state: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionStateReplacement"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionState"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_v1_sessions_session_id_state: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionStatePatch"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionState"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_sessions_session_id_state_versions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStateVersionPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_memories: {
        parameters: {
            query?: {
                agent?: string;
                user?: string;
                query?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_memories: {
        parameters: {
            query: {
                user: string;
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedMemories"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_memories_memory_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_memories_memory_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedMemory"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_plugins_plugin_id_secrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginSecretPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    put_v1_plugins_plugin_id_secrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PluginSecretValues"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginSecretPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_plugins_plugin_id_secrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginSecretPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_plugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallerPluginPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_plugins_plugin_id_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginSignIn"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_plugins_plugin_id_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginSignIn"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_agents: {
        parameters: {
            query?: {
                search?: string;
                category?: string;
                max_cost_usd?: number;
                sort?: "newest" | "popular" | "price" | "name";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_agents_namespace_slug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_agents_namespace_slug_quality: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentQuality"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_mcp: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpMessage"];
            };
        };
        responses: {
            /** @description The answer, alone or after progress notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAnswer"];
                    "text/event-stream": components["schemas"]["McpAnswer"];
                };
            };
            /** @description The answer, alone or after progress notifications. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAnswer"];
                    "text/event-stream": components["schemas"]["McpAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            406: components["responses"]["Error406"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_tools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_plugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgentPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_publisher_agents_agent_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_feedback: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentFeedbackPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Configuration"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_v1_publisher_agents_agent_id_draft: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            428: components["responses"]["Error428"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_test_runs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestRunOrder"];
            };
        };
        responses: {
            /** @description The run, or with `stream` its events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description The run, or with `stream` its events. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_estimate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherEstimate"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_versions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_versions_a_diff_b: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                a: string;
                b: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionDiff"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_deploy_private: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_submit_public: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key"?: string;
                "If-Match": string;
                "x-test-review"?: "approve" | "reject" | "changes" | "wait";
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            428: components["responses"]["Error428"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_rollback: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rollback"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_statement: {
        parameters: {
            query?: {
                month?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherStatement"];
                    "text/csv": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_payouts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_payouts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_namespaces_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_v1_publisher_namespaces_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamespaceChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agent_versions_version_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_publisher_agent_versions_version_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_http_tools_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpToolSecret"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_http_tools_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewHttpToolSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_http_tools_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HttpToolTestOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpToolTest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_channels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentChannelList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    put_v1_publisher_agents_agent_id_channels_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                channel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelMove"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentChannel"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_publisher_agents_agent_id_channels_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                channel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedChannel"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_take_down: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TakeDown"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_deprecate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentDeprecation"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_undeprecate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAgent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_deployments_deployment_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_deployments_deployment_id_promote: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_deployments_deployment_id_roll_back: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_deployments_deployment_id_rollout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RolloutPlan"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_deployments_deployment_id_withdraw: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_deployments_deployment_id_test_review: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestReview"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_deployments_deployment_id_trials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewTrialList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_deployments_deployment_id_trials_files_file_id_content: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
                Range?: string;
                "If-Range"?: string;
            };
            path: {
                deployment_id: string;
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The answer. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description It is what is known already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            416: components["responses"]["Error416"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_deployments_deployment_id_comments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentCommentPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_deployments_deployment_id_comments: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewComment"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentComment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_runs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                whose?: "callers" | "own" | "all";
                status?: "completed" | "limit_reached" | "cancelled" | "failed";
                error_code?: string;
                fault?: "agent" | "caller" | "platform" | "provider";
                version_id?: string;
                caller_id?: string;
                shared?: "true" | "false";
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedRunPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_runs_run_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedRun"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_runs_run_id_steps: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                agent_id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedStepPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_runs_run_id_steps_step_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                run_id: string;
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedStep"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_metrics: {
        parameters: {
            query?: {
                whose?: "callers" | "own" | "all";
                interval?: "hour" | "day";
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentMetrics"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_alerts: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAlertList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_alerts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPublisherAlert"];
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAlert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_alerts_agent_alert_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAlert"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_publisher_alerts_agent_alert_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPublisherAlert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patch_v1_publisher_alerts_agent_alert_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublisherAlertChange"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublisherAlert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_evaluation_set: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationSet"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    put_v1_publisher_agents_agent_id_evaluation_set: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEvaluationSet"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationSet"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    delete_v1_publisher_agents_agent_id_evaluation_set: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedEvaluationSet"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_evaluation_set_quote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationQuoteOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationQuote"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_evaluation_runs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRunPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_evaluation_runs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationRunOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRun"];
                };
            };
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRun"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_agents_agent_id_evaluation_runs_evaluation_run_id: {
        parameters: {
            query?: {
                against?: "live" | string;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                agent_id: string;
                evaluation_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRun"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_v1_publisher_agents_agent_id_evaluation_runs_evaluation_run_id_cancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
            };
            path: {
                agent_id: string;
                evaluation_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRun"];
                };
            };
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRun"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_publisher_deployments_deployment_id_evaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentEvaluation"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_device_codes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeviceCodesOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceCodes"];
                };
            };
            400: components["responses"]["Error400"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_platform_v1_device_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenOrder"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceKey"];
                };
            };
            400: components["responses"]["Error400"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_agents_namespace_slug_icon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description It is what is known already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_logos_logo_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                logo_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description It is what is known already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_voiceapi_v1_voices_voice_id_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_well_known_agent_card_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_v1_agents_namespace_slug_card: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_a2a_namespace_slug_well_known_agent_card_json: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_a2a: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aRpcRequest"];
            };
        };
        responses: {
            /** @description With SendStreamingMessage and SubscribeToTask. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aRpcAnswer"];
                    "text/event-stream": components["schemas"]["A2aRpcAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_a2a_message_send: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                send: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aMessageRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aSendAnswer"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Nothing ran: the balance is used up (`insufficient_balance`) or the key or its project reached its ceiling (`key_spend_limit_reached`, `project_spend_limit_reached`), or what is left of it is less than the request needs. The headers `x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which. A body of more than 1 MiB is refused so before it is read. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The request conflicts with another one or with the state of the resource: `idempotency_conflict`, `idempotency_in_progress`, `session_busy`, `name_conflict`, … */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model failed to answer: `provider_failed`. Nothing was billed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model stopped answering: `provider_timeout`. Nothing was billed. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_message_stream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aMessageRequest"];
            };
        };
        responses: {
            /** @description Always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["A2aStreamItem"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Nothing ran: the balance is used up (`insufficient_balance`) or the key or its project reached its ceiling (`key_spend_limit_reached`, `project_spend_limit_reached`), or what is left of it is less than the request needs. The headers `x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which. A body of more than 1 MiB is refused so before it is read. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The request conflicts with another one or with the state of the resource: `idempotency_conflict`, `idempotency_in_progress`, `session_busy`, `name_conflict`, … */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model failed to answer: `provider_failed`. Nothing was billed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model stopped answering: `provider_timeout`. Nothing was billed. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_tasks: {
        parameters: {
            query?: {
                contextId?: string;
                status?: "" | "TASK_STATE_UNSPECIFIED" | "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED";
                pageSize?: number;
                pageToken?: string;
                historyLength?: number;
                statusTimestampAfter?: string;
                includeArtifacts?: boolean | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aTaskPage"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_tasks_run_id_subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                subscribe: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["A2aStreamItem"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_tasks_run_id_subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                subscribe: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["A2aStreamItem"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_tasks_run_id: {
        parameters: {
            query?: {
                historyLength?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aTask"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_tasks_run_id_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                cancel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aTask"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_tasks_run_id_pushNotificationConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_tasks_run_id_pushNotificationConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_tasks_run_id_pushNotificationConfigs_config_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    delete_a2a_tasks_run_id_pushNotificationConfigs_config_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_extendedAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_namespace_slug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aRpcRequest"];
            };
        };
        responses: {
            /** @description With SendStreamingMessage and SubscribeToTask. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aRpcAnswer"];
                    "text/event-stream": components["schemas"]["A2aRpcAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    post_a2a_namespace_slug_message_send: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                send: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aMessageRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aSendAnswer"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Nothing ran: the balance is used up (`insufficient_balance`) or the key or its project reached its ceiling (`key_spend_limit_reached`, `project_spend_limit_reached`), or what is left of it is less than the request needs. The headers `x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which. A body of more than 1 MiB is refused so before it is read. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The request conflicts with another one or with the state of the resource: `idempotency_conflict`, `idempotency_in_progress`, `session_busy`, `name_conflict`, … */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model failed to answer: `provider_failed`. Nothing was billed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model stopped answering: `provider_timeout`. Nothing was billed. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_namespace_slug_message_stream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aMessageRequest"];
            };
        };
        responses: {
            /** @description Always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["A2aStreamItem"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Nothing ran: the balance is used up (`insufficient_balance`) or the key or its project reached its ceiling (`key_spend_limit_reached`, `project_spend_limit_reached`), or what is left of it is less than the request needs. The headers `x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which. A body of more than 1 MiB is refused so before it is read. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The request conflicts with another one or with the state of the resource: `idempotency_conflict`, `idempotency_in_progress`, `session_busy`, `name_conflict`, … */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model failed to answer: `provider_failed`. Nothing was billed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The model stopped answering: `provider_timeout`. Nothing was billed. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_namespace_slug_tasks: {
        parameters: {
            query?: {
                contextId?: string;
                status?: "" | "TASK_STATE_UNSPECIFIED" | "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED";
                pageSize?: number;
                pageToken?: string;
                historyLength?: number;
                statusTimestampAfter?: string;
                includeArtifacts?: boolean | string;
            };
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aTaskPage"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_namespace_slug_tasks_run_id_subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
                subscribe: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["A2aStreamItem"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_namespace_slug_tasks_run_id_subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
                subscribe: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "text/event-stream": components["schemas"]["A2aStreamItem"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_namespace_slug_tasks_run_id: {
        parameters: {
            query?: {
                historyLength?: number;
            };
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aTask"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_namespace_slug_tasks_run_id_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
                cancel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aTask"];
                };
            };
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    post_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs_config_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    delete_a2a_namespace_slug_tasks_run_id_pushNotificationConfigs_config_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
                run_id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is too large: `request_too_large`. Chat and responses take 64 MiB, so that images and files fit; other routes for long texts or token numbers 4 MiB, all others 256 KiB. A body may be compressed (gzip, br, zstd): the limits are of what it inflates to. Uploads have the limits of their routes: `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The body is not of a media type this route reads: `unsupported_media_type`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_a2a_namespace_slug_extendedAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request is wrong, or asks for what this service refuses: `unsupported_parameter`, `invalid_value`, `invalid_type`, `missing_required_parameter`, … */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key is missing, wrong or revoked (`invalid_api_key`), or its project is archived (`project_archived`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key does not have the scope for this (`scope_not_allowed`), or is not accepted from this address (`ip_not_allowed`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Not found: `model_not_found` (the message names the nearest model), `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests a minute (`rate_limit_exceeded`) or at once (`concurrency_limit_exceeded`), or running requests hold what is left of the balance or of the key’s ceiling (`balance_held`). `retry-after` says when to try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description Internal error: `internal_error`. The message has the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot take the request now: `overloaded`, `model_unavailable`, `file_store_unavailable`. `retry-after` says when to try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    get_clients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientList"];
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_clients_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description It is what is known already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_well_known_ledgerline_bill_keys_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillKeys"];
                };
            };
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_well_known_ledgerline_roots_json: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillRoots"];
                };
            };
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_well_known_ledgerline_roots_day: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                day: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillRoot"];
                };
            };
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    get_readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
