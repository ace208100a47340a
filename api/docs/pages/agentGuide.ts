import { example } from './example.ts';
import type { Guide } from './html.ts';

/** The doors to agents: HTTP, OpenAI's API, MCP and A2A. */
export const agentCalls: Guide = {
  id: 'call-agents',
  title: 'Call an agent from everywhere',
  parts: [
    'Each public agent (`GET /v1/agents`) has the same price, cap and bill through every door. The programs below send a workbook, `sales.xlsx`, to the agent that `AGENT` names, such as `ledgerline/analyst`, and keep the chart that it draws. Over HTTP it is a run:',
    { code: example('salesReport/call.sh') },
    'For OpenAI’s clients it is a model, in chat completions and in responses, streamed or whole. Files and pictures go along as data: URLs. `metadata` may set `max_cost_usd` and continue a `session_id`. A typed agent answers with its data as JSON; `run.files` of a whole answer are the files that it has made. In Python, as a chat:',
    { code: example('salesReport/call_as_model.py') },
    'In Node, as a response:',
    { code: example('salesReport/callAsModel.mjs') },
    'For MCP clients, such as coding agents and desktop assistants, all public agents are tools of one server. Its configuration:',
    {
      code: `{
  "mcpServers": {
    "ledgerline": {
      "type": "http",
      "url": "BASE_URL/v1/mcp",
      "headers": { "Authorization": "Bearer API_KEY" }
    }
  }
}`,
    },
    'A program calls it with the official client:',
    { code: example('salesReport/call_over_mcp.py') },
    'A tool is called `<namespace>__<slug>`. It takes the agent’s own `input_schema`, or else `input`, `files` (each a `file_id`, or base64 in `data` with its `media_type` and `name`), `session_id` and `max_cost_usd`; of a typed agent, `_meta` takes `ledgerline/max-cost-usd` and `ledgerline/session-id`. Its answer is in `structuredContent`, by the agent’s `output_schema` or with `text`, `data`, `files`, `run_id` and `cost_usd`. Files are resources: `resources/read` returns up to 8 MiB.',
    'A question of the agent is asked by elicitation when the client of the 2026 edition declares it. Otherwise the answer names the run: the tool `answer_run` takes `run_id` and `text`, and `get_run` waits for a run that goes on. A cancelled call cancels its run. `_meta` with `ledgerline/idempotency-key` makes a repeated call find the same run.',
    'For A2A clients each agent is an A2A 1.0 server of its own, over JSON-RPC and HTTP+JSON. Its card is at the well-known path below its address, without a key; clients of version 0.3 can read it, too, but need 1.0 to call:',
    { code: example('salesReport/call_over_a2a.py') },
    '`/.well-known/agent-card.json` has all agents as skills of one: at its address, `/a2a`, a message names its agent in `metadata.agent`. A task is a run: its id is the run’s, its context the session. `metadata.max_cost_usd` is its cap, and a repeated `messageId` finds the same task. Data goes to typed agents as a `data` part; files as `raw` bytes, or as the `url` of an uploaded file (no other address is fetched). Files of an answer up to 256 KiB are `raw`, larger ones a `url` for your key.',
    'States: `queued` is SUBMITTED, `in_progress` WORKING, `requires_action` INPUT_REQUIRED (send a message with its `taskId`), `completed` COMPLETED, `cancelled` CANCELED, `failed` FAILED; `limit_reached` is FAILED too, with its output so far. Leaving a stream does not cancel a task: `SubscribeToTask` follows it again. Push notifications are refused; register a webhook endpoint.',
    'By a schedule it runs every Monday; `trigger` fires it now:',
    { code: example('salesReport/schedule.sh') },
    'Another agent calls it when its version lists it in `agents`: its model then has the tool `call_agent`, and each call is a run of its own, paid out of the calling run’s hold, at most what is left of it. The called agent gets a text, in a session of its own. `usage.children_usd` is what the calls have cost, `parent_run_id` the run that made them.',
    'A publisher tries a draft before anybody else sees it: `POST /v1/publisher/agents/{agent_id}/test-runs` takes what `POST /v1/runs` takes, at the platform’s cost. `GET /v1/publisher/tools` and `plugins` list what a draft can name.',
  ],
};
