import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HTTP_TOOLS, SMALL_BODY } from '../../base/limits.ts';
import { faultsOfData } from '../../base/jsonSchema.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import { validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { webhooksUnavailable } from '../../base/errors/serviceErrors.ts';
import { checkConfiguration, type AgentConfiguration } from '../../db/agents/configuration.ts';
import type { HttpToolSettings } from '../../db/entities/agentJson.ts';
import { shownNamespace } from '../../db/agents/namespaces.ts';
import { findToolSecret, rotateToolSecret, type ToolSecretRow } from '../../db/agents/toolSecrets.ts';
import {
  findToolTest,
  insertToolTest,
  TOOL_TESTS_PER_MINUTE_MAX,
  type ToolTestRow,
} from '../../db/agents/toolTests.ts';
import { readKnown } from '../../db/publishing/submit.ts';
import { liveSecrets, ROTATION_HOURS } from '../../db/sealing/signingSecrets.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import { body } from '../body/body.ts';
import { parseWith, pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import type { Keyed } from '../guard/key.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { readPublisherAgent } from './agents.ts';
import { agentNotFound, incompleteConfiguration } from './errors.ts';
import { record } from '../../base/record.ts';

const WAIT_MS = 28_000;
const POLL_MS = 100;

const time = z.iso.datetime();

const Secret = z.object({
  object: z.literal('agent.http_tool_secret'),
  agent_id: z.string(),
  created_at: time.nullable().describe('Null: there is none yet, and its HTTP tools cannot be called.'),
  previous_secret_expires_at: time.nullable().describe('Until when a secret from before a rotation signs too.'),
});

const NewSecret = Secret.extend({
  secret: z.string().describe('The signing secret, shown this once: `whsec_` and 32 bytes in base64.'),
});

const TestOrder = z.strictObject({
  name: z.string().max(64).describe('The name of an HTTP tool of the saved draft.'),
  arguments: record(z.string(), z.unknown())
    .default({})
    .describe('Arguments that fit its `input_schema`; `{}` when left out.'),
});

const Test = z.object({
  id: z.string().describe('The `webhook-id` and `idempotency-key` of the request.'),
  object: z.literal('agent.http_tool_test'),
  agent_id: z.string(),
  tool: z.string(),
  request: z.object({
    method: z.literal('POST'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  response: z
    .object({
      status: z.int(),
      content_type: z.string().nullable(),
      body: z.string(),
      is_truncated: z.boolean(),
    })
    .nullable()
    .describe('Null: there was no whole answer.'),
  progress: z.array(z.object({ message: z.string(), percentage: z.number().nullable() })),
  result: z.object({ text: z.string(), is_error: z.boolean() }).describe('What a model would read.'),
  duration_ms: z.int(),
  created_at: time,
});

const TAG = 'Tools of agents';

const about = {
  retrieve: {
    tag: TAG,
    summary: 'Read when the secret of HTTP tools was made',
    description: 'Of the secret that signs the calls of an agent’s HTTP tools, without the secret.',
    answer: { id: 'HttpToolSecret', schema: Secret },
  },
  rotate: {
    tag: TAG,
    summary: 'Make or rotate the secret of HTTP tools',
    description:
      'One secret signs the calls of all HTTP tools of the agent, as Standard Webhooks say. It is in this answer and nowhere else. ' +
      `For ${ROTATION_HOURS} hours each call has a signature of the earlier one too.`,
    answer: { id: 'NewHttpToolSecret', schema: NewSecret },
    errors: [503],
  },
  test: {
    tag: TAG,
    summary: 'Test an HTTP tool',
    description:
      'Sends one signed call with these arguments to an HTTP tool of the saved draft, and answers with what was sent and received. It is not ' +
      `billed and not retried, waits at most ${HTTP_TOOLS.testSecondsMax} seconds, and has \`"mode": "test"\`. At most ${TOOL_TESTS_PER_MINUTE_MAX} in a minute.`,
    input: {
      id: 'HttpToolTestOrder',
      schema: TestOrder,
      example: { name: 'find_order', arguments: { order: 'A-1001' } },
    },
    answer: { id: 'HttpToolTest', schema: Test },
    errors: [503],
  },
} satisfies Record<string, RouteDoc>;

/** The routes of an agent's HTTP tools. */
export function httpToolRoutes(services: Services, publisher: Keyed): Route[] {
  const tools = '/v1/publisher/agents/:agent_id/http_tools';
  const order = publisher(body(parseWith(TestOrder, 'body'), { ...SMALL_BODY, data: [['arguments']] }));
  return [
    get(`${tools}/secret`, publisher(), retrieveSecret(services), about.retrieve),
    post(`${tools}/secret`, publisher(), rotateSecret(services), about.rotate),
    post(`${tools}/test`, order, testTool(services), about.test),
  ];
}

/** `GET /v1/publisher/agents/{agent_id}/http_tools/secret`. */
function retrieveSecret(services: Services): Handler {
  return async (ctx) => {
    const { id } = await readPublisherAgent(ctx, services.db);
    ctx.body = presentSecret(id, await findToolSecret(services.db.write(ctx.state.key.workspaceId), id));
  };
}

/** `POST /v1/publisher/agents/{agent_id}/http_tools/secret`: a new secret, shown only here. */
function rotateSecret({ db }: Services): Handler {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const rows = db.write(ctx.state.key.workspaceId);
    const made = await rotateToolSecret(rows, agentId, actorOf(ctx));
    if (made === 'not_found') throw agentNotFound(agentId);
    if (made === 'no_worker') throw webhooksUnavailable();
    ctx.body = {
      ...presentSecret(agentId, await findToolSecret(rows, agentId)),
      secret: made.secret,
    } satisfies z.infer<typeof NewSecret>;
  };
}

function presentSecret(agentId: string, row: ToolSecretRow | undefined): z.infer<typeof Secret> {
  const earlier = liveSecrets(row?.secrets ?? []).flatMap(({ expiresAt }) => expiresAt ?? []);
  return {
    object: 'agent.http_tool_secret',
    agent_id: agentId,
    created_at: row?.rotatedAt.toISOString() ?? null,
    previous_secret_expires_at: earlier.toSorted().at(-1) ?? null,
  };
}

/** `POST /v1/publisher/agents/{agent_id}/http_tools/test`: a worker sends it, and the answer waits for its result. */
function testTool(services: Services): Handler<z.output<typeof TestOrder>> {
  const { db, toolTests } = services;
  return async (ctx) => {
    const agent = await readPublisherAgent(ctx, services.db);
    const { name, arguments: args } = ctx.state.input;
    const tool = await testableTool(ctx, services, agent);
    const faults = faultsOfData(tool.input_schema, args);
    if (faults.length > 0)
      throw validationError(
        faults.map(({ path, message }) => ({
          loc: ['body', 'arguments', ...path.map(String)],
          msg: message,
          type: 'value_error',
        })),
      );
    const { workspaceId } = ctx.state.key;
    const agentName = `${shownNamespace(agent.namespace)}/${agent.slug}`;
    const test = { agentId: agent.id, agent: agentName, tool, arguments: args };
    const id = await insertToolTest(db.write(workspaceId), test);
    if (id === undefined) throw tooManyTests();
    await toolTests.start(id, workspaceId).catch((cause: unknown) => {
      throw testsUnavailable(cause);
    });
    ctx.body = presentTest(await endedTest(services, ctx, id), name);
  };
}

/** The tool of the draft that the body names. Throws 422 when there is none, or when it could not be published. */
async function testableTool(
  ctx: Context & { state: { input: z.output<typeof TestOrder> } },
  { db, agentModels: models, config }: Services,
  { id, draft }: { id: string; draft: AgentConfiguration },
): Promise<HttpToolSettings> {
  const { name } = ctx.state.input;
  const at = (draft.http_tools ?? []).findIndex((tool) => tool.name === name);
  if (at < 0) {
    const msg = `The draft has no HTTP tool '${name}'.`;
    throw validationErrorAt(['body', 'name'], msg);
  }
  const order = { tools: AGENT_TOOL_NAMES, models, toolLoopback: config.webhookLoopback };
  const known = await db.write(ctx.state.key.workspaceId).transaction((tx) => readKnown(tx, order, draft, id));
  const findings = checkConfiguration(draft, known).filter(
    ({ path }) => path === '/http_tools' || path.startsWith(`/http_tools/${at}/`),
  );
  if (findings.length > 0) throw incompleteConfiguration(findings);
  return draft.http_tools![at]!;
}

async function endedTest({ db }: Services, ctx: Context, id: string): Promise<ToolTestRow> {
  const endMs = performance.now() + WAIT_MS;
  while (performance.now() < endMs && !ctx.res.destroyed) {
    const test = (await findToolTest(db.write(ctx.state.key.workspaceId), id))!;
    if (test.result) return test;
    await sleep(POLL_MS);
  }
  throw testsUnavailable();
}

function presentTest({ id, agentId, tool, result, createdAt }: ToolTestRow, name: string): z.infer<typeof Test> {
  const { request, response, progress, result: read, duration_ms } = result!;
  return {
    id,
    object: 'agent.http_tool_test',
    agent_id: agentId,
    tool: name,
    request: { method: 'POST', url: tool.url, ...request },
    response,
    progress,
    result: read,
    duration_ms,
    created_at: createdAt.toISOString(),
  };
}

const tooManyTests = () =>
  new ApiError({
    status: 429,
    code: 'too_many_tool_tests',
    message: `A workspace may test HTTP tools ${TOOL_TESTS_PER_MINUTE_MAX} times in a minute.`,
    headers: retryIn(30_000),
  });

const testsUnavailable = (cause?: unknown) =>
  new ApiError({
    status: 503,
    code: 'tool_tests_unavailable',
    message: 'No worker has carried out the test. Try again in a few seconds.',
    headers: retryIn(5_000),
    cause,
  });
