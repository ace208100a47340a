import { z } from 'zod';
import { isObject, storableJson } from '../../base/json.ts';
import { textOfFaults } from '../../base/jsonSchema.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import type { ResolvedAgent } from '../../db/agents/publicAgents.ts';
import { readAllowedAgents } from '../../db/keys/keys.ts';
import { mayRun } from '../../db/keys/scopes.ts';
import { usdOf } from '../../db/money.ts';
import type { InputItem, LockedRun, RunRow } from '../../db/runs/runRow.ts';
import type { ToolCall } from '../../db/runs/steps/stepRecords.ts';
import { sessionFilesOf } from '../../db/sessions/saveRunFiles.ts';
import { errorOf } from '../../orders/errors.ts';
import { findCallable, type Orderer } from '../../orders/findAgent.ts';
import { TEXT_CHARACTERS_MAX } from '../../orders/inputItems.ts';
import { UNATTENDED, type Order } from '../../orders/order.ts';
import { placeChild } from '../../orders/place.ts';
import { OrderRefused, type Refusal } from '../../orders/refused.ts';
import { faultOfValue } from '../../tools/foreignJson.ts';
import { CALL_AGENT_NAME, type ToolDefinition } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';

/** The call cannot be carried out; the model reads why. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
}

/** The call is made again once others of its turn have ended: they hold most of the run's money. */
export class CallWaits extends Error {
  override readonly name = 'CallWaits';
}

const SCHEMA_CHARACTERS_MAX = 4_000;
const FILES_MAX = 16;

/**
 * The tool by which a model calls another agent, with what it should know about each one. The run waits for that agent's run instead of
 * executing it. Undefined when none of the agents is available.
 */
export async function callAgentTool(
  { db, orders }: Pick<RunDependencies, 'db' | 'orders'>,
  run: RunRow,
  names: string[],
): Promise<ToolDefinition | undefined> {
  const by = await ordererOf(db, run);
  const found = await Promise.all(
    names.filter((name) => mayRun(by, name)).map((name) => findIfAvailable(orders, by, name)),
  );
  const agents = found.filter((agent) => agent !== undefined);
  if (agents.length === 0) return undefined;
  return {
    name: CALL_AGENT_NAME,
    description:
      'Gives a task to another agent, waits, and returns its answer. The other agent knows nothing but the input and the files. ' +
      `What it costs is paid out of this run’s limit. The agents:\n${agents.map(lineOf).join('\n')}`,
    parameters: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: agents.map(({ name }) => name) },
        input: inputSchemaOf(agents),
        files: {
          type: 'array',
          items: { type: 'string' },
          maxItems: FILES_MAX,
          description: 'Paths of files of this session to give along. Files that it writes come into this session.',
        },
        max_cost_usd: {
          type: 'number',
          description: 'The most that it may cost in US dollars; all that is left when omitted.',
        },
      },
      required: ['agent', 'input'],
      additionalProperties: false,
    },
  };
}

/** An agent of the tool. `refusal`: it was taken down, or is retired. */
type Callable =
  { name: string; configuration: AgentConfiguration; refusal?: undefined } | { name: string; refusal: string };

async function findIfAvailable(
  orders: RunDependencies['orders'],
  by: Orderer,
  name: string,
): Promise<Callable | undefined> {
  try {
    const { agent } = await findCallable(orders, by, name);
    return { name, configuration: agent.configuration };
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    const refusal = endedText(error.refusal);
    return refusal === undefined ? undefined : { name, refusal };
  }
}

function lineOf(agent: Callable): string {
  if (agent.refusal !== undefined) return `- ${agent.name}: cannot be called. ${agent.refusal}`;
  const { name, configuration } = agent;
  const { description, input_schema: schema } = configuration;
  if (!schema) return `- ${name}: ${description} Its input is a text.`;
  const json = JSON.stringify(schema);
  const shown =
    json.length <= SCHEMA_CHARACTERS_MAX ? `: ${json}` : '; a call that does not fit is told what is wrong.';
  return `- ${name}: ${description} Its input is an object that fits this JSON Schema${shown}`;
}

function inputSchemaOf(all: Callable[]): object {
  const agents = all.filter((agent) => agent.refusal === undefined);
  const isTyped = ({ configuration }: (typeof agents)[number]) => Boolean(configuration.input_schema);
  const text = { type: 'string', description: 'The whole task, with everything that it needs.' };
  const data = { type: 'object', description: 'Fits the agent’s schema.' };
  if (agents.length > 0 && agents.every(isTyped)) return data;
  return agents.some(isTyped) ? { anyOf: [text, data] } : text;
}

/** Who orders the runs that a run's model starts. */
export async function ordererOf(
  { pool }: Pick<RunDependencies['db'], 'pool'>,
  { workspace_id: workspaceId, key_id: keyId, account_id: accountId, no_retention: noRetention }: RunRow,
): Promise<Orderer> {
  return { workspaceId, keyId, accountId, noRetention, allowedAgents: await readAllowedAgents(pool, keyId) };
}

const unavailable = (agent: string) => `The agent ${agent} is not available.`;

/** The model's text about a refused order. Other reasons are omitted: the model could not act on them. */
const REFUSALS: Partial<Record<Refusal['reason'], (agent: string) => string>> = {
  agent_not_found: unavailable,
  agent_suspended: unavailable,
  model_unavailable: unavailable,
  too_deep: () => 'Agents call each other at most three levels deep: do this without another agent.',
  no_budget: () => 'The money that is left for this run is too little for that agent.',
  too_many_runs: () => 'The workspace has too many open runs. Try again later.',
  parent_over: () => 'The run has ended.',
  file_not_found: () => 'A file of the call is no longer there.',
  storage_refused: () => 'The files of the call do not fit into a session.',
};

function textOf(refusal: Refusal, agent: string): string | undefined {
  if (refusal.reason === 'unfit_data') return unfit(textOfFaults(refusal.faults));
  if (refusal.reason === 'unsupported_input') return refusal.message;
  return endedText(refusal) ?? REFUSALS[refusal.reason]?.(agent);
}

/** What the publisher says of an agent that it ended, and what to use instead. */
const endedText = (refusal: Refusal): string | undefined =>
  refusal.reason === 'agent_taken_down' || refusal.reason === 'agent_retired' ? errorOf(refusal).message : undefined;

const unfit = (fault: string) => `The agent takes JSON that fits its schema: ${fault}.`;

const Arguments = z.object({
  agent: z.string(),
  input: z.union(
    [z.string().min(1).max(TEXT_CHARACTERS_MAX), z.record(z.string(), z.unknown())],
    'The input is a text or an object',
  ),
  files: z.array(z.string()).max(FILES_MAX).nullish(),
  max_cost_usd: z.number().positive().max(1_000).nullish(),
});

interface Called {
  run: LockedRun;
  call: ToolCall;
  order: { step: number; deadlineMs: number };
}

/** Creates the run of a call. Throws `CallRefused`, and `CallWaits` while others hold the money. */
export async function orderCalled({ db, orders }: RunDependencies, { run, call, order }: Called): Promise<RunRow> {
  const asked = Arguments.safeParse(usable(dataIn(call.arguments)));
  if (!asked.success) throw new CallRefused(`The arguments do not fit: ${asked.error.issues[0]!.message}.`);
  const { agent: name, input, files, max_cost_usd } = asked.data;
  const by = await ordererOf(db, run);
  const callable = (call.configuration.agents ?? []).filter((agent) => mayRun(by, agent));
  if (!callable.includes(name)) throw new CallRefused(`Agents that can be called: ${callable.join(', ') || 'none'}.`);
  try {
    const { agent, visibility } = await findCallable(orders, by, name);
    const given = await filesOf(db, run, files ?? []);
    const isTrial = run.source === 'review';
    const child: Order = {
      ...UNATTENDED,
      agent: name,
      visibility,
      input: inputOf(agent.configuration, input, given),
      max_cost_usd: max_cost_usd ?? undefined,
      timeout_seconds: Math.max(1, Math.floor((order.deadlineMs - run.real_at.getTime()) / 1000)),
      source: isTrial ? 'review' : 'agent',
      user: run.end_user ?? undefined,
    };
    return await placeChild(orders, {
      by,
      order: child,
      ...(isTrial ? soldForTrial(agent, run) : { agent }),
      parent: { runId: run.id, step: order.step },
    });
  } catch (error) {
    if (error instanceof OrderRefused && error.refusal.reason === 'budget_held') throw new CallWaits();
    const text = error instanceof OrderRefused ? textOf(error.refusal, name) : undefined;
    throw text === undefined ? error : new CallRefused(text);
  }
}

/** For a trial of a review, which the platform pays, at its own costs: publishers would earn from submitting agents that call theirs. */
const soldForTrial = (
  agent: ResolvedAgent,
  { workspace_id: publisherWorkspaceId, max_cost_nanos: mostNanos }: RunRow,
) => ({
  agent: { ...agent, publisherWorkspaceId },
  prices: { minimum_cost_usd: 0, maximum_cost_usd: usdOf(BigInt(mostNanos)), rates: [] },
});

function inputOf(
  { input_schema: schema }: AgentConfiguration,
  input: string | object,
  files: InputItem[],
): Order['input'] {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  if (!schema) return files.length === 0 ? text : [{ type: 'input_text', text }, ...files];
  const data = typeof input === 'string' ? usable(dataIn(input)) : input;
  if (!isObject(data)) throw new CallRefused(unfit('it is no JSON object'));
  return [{ type: 'input_data', data }, ...files];
}

/** JSON that a model wrote, with texts that can be stored. Throws `CallRefused` for what nobody could read. */
function usable(value: unknown): unknown {
  const fault = faultOfValue(value);
  if (fault) throw new CallRefused(`The arguments cannot be used: ${fault}.`);
  return isObject(value) ? storableJson(value) : value;
}

/** Files of the run's session, by their paths. */
async function filesOf(
  db: Pick<RunDependencies['db'], 'read'>,
  { workspace_id: workspaceId, session_id: sessionId }: RunRow,
  paths: string[],
): Promise<InputItem[]> {
  if (paths.length === 0) return [];
  const files = await sessionFilesOf(db.read(workspaceId), sessionId);
  return paths.map((path) => {
    const file = files.find((one) => one.path === path.replace(/^\.?\//, ''));
    if (!file) throw new CallRefused(`There is no file ${path} in this session.`);
    return { type: 'input_file', file_id: file.fileId };
  });
}
