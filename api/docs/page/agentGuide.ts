import type { Guide } from './html.ts';

/** The doors to agents: HTTP, OpenAI's API, MCP and A2A. */
export const agentCalls: Guide = {
  id: 'call-agents',
  title: 'Call an agent from everywhere',
  parts: [
    'Each public agent (`GET /v1/agents`) has the same price, cap and bill through every door. Over HTTP it is a run:',
    {
      code: `curl -sS "$BASE_URL/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -H "Prefer: wait=30" \\
  -d '{"agent": "ledgerline/writer", "input": "Write a haiku about rain.", "max_cost_usd": 0.05}'`,
    },
    'For OpenAI’s clients it is a model, in chat completions and in responses, streamed or whole. `metadata` may set `max_cost_usd` and continue a `session_id`:',
    {
      code: `from openai import OpenAI  # pip install openai

client = OpenAI(base_url=f"{BASE_URL}/v1", api_key=API_KEY)
answer = client.chat.completions.create(
    model="ledgerline/writer",
    messages=[{"role": "user", "content": "Write a haiku about rain."}],
    metadata={"max_cost_usd": "0.05"},
)
print(answer.choices[0].message.content)`,
    },
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
    'A tool is called `<namespace>__<slug>`. It takes the agent’s own `input_schema`, or else `input`, `files` (each a `file_id`, or base64 in `data` with its `media_type` and `name`), `session_id` and `max_cost_usd`; of a typed agent, `_meta` takes `ledgerline/max-cost-usd` and `ledgerline/session-id`. Its answer is in `structuredContent`, by the agent’s `output_schema` or with `text`, `data`, `files`, `run_id` and `cost_usd`. Files are resources: `resources/read` returns up to 8 MiB.',
    'A question of the agent is asked by elicitation when the client of the 2026 edition declares it. Otherwise the answer names the run: the tool `answer_run` takes `run_id` and `text`, and `get_run` waits for a run that goes on. A cancelled call cancels its run. `_meta` with `ledgerline/idempotency-key` makes a repeated call find the same run.',
    'For A2A clients each agent is an A2A 1.0 server of its own, over JSON-RPC and HTTP+JSON. Its card is at the well-known path below its address, without a key:',
    {
      code: `import asyncio, os, uuid, httpx  # pip install a2a-sdk
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a

async def main():
    address = os.environ["BASE_URL"] + "/a2a/ledgerline/writer"
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {os.environ['API_KEY']}"}, timeout=120) as http:
        card = await A2ACardResolver(http, address).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http)).create(card)
        text = a2a.Part(text="Write a haiku about rain.")
        message = a2a.Message(message_id=str(uuid.uuid4()), role=a2a.ROLE_USER, parts=[text])
        async for item in client.send_message(a2a.SendMessageRequest(message=message)):
            if item.HasField("artifact_update"):
                print(item.artifact_update.artifact.parts[0].text, end="", flush=True)

asyncio.run(main())`,
    },
    '`/.well-known/agent-card.json` has all agents as skills of one: at its address, `/a2a`, a message names its agent in `metadata.agent`. A task is a run: its id is the run’s, its context the session. `metadata.max_cost_usd` is its cap, and a repeated `messageId` finds the same task. Data goes to typed agents as a `data` part; files as `raw` bytes, or as the `url` of an uploaded file (no other address is fetched). Files of an answer up to 256 KiB are `raw`, larger ones a `url` for your key.',
    'States: `queued` is SUBMITTED, `in_progress` WORKING, `requires_action` INPUT_REQUIRED (send a message with its `taskId`), `completed` COMPLETED, `cancelled` CANCELED, `failed` FAILED; `limit_reached` is FAILED too, with its output so far. Leaving a stream does not cancel a task: `SubscribeToTask` follows it again. Push notifications are refused; register a webhook endpoint.',
    'A publisher tries a draft before anybody else sees it: `POST /v1/publisher/agents/{agent_id}/test-runs` takes what `POST /v1/runs` takes, at the platform’s cost. `GET /v1/publisher/tools` and `plugins` list what a draft can name.',
  ],
};
