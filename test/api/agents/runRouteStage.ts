import type { AgentConfiguration } from '../../../db/agents/configuration.ts';
import { seedAgents } from '../../../db/agents/seedAgents.ts';
import { newId } from '../../../db/ids.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import type { ErrorBody } from '../../support/guardStage.ts';
import { setGuardStage } from '../../support/guardStage.ts';

export type RunRouteStage = Awaited<ReturnType<typeof setRunRouteStage>>;

/** What a test asks: a body makes it a POST unless the method is named. */
interface Asked {
  key?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export const writer = 'ledgerline/writer';
export const analyst = 'ledgerline/analyst';

/** The API as a process without a Temporal, the platform's agents, and two workspaces. Nothing works on the runs but the test. */
export async function setRunRouteStage({ env = {} }: { env?: Record<string, string> } = {}) {
  const stage = await setGuardStage({ env });
  await seedAgents(stage.db.pool);
  const mine = await stage.account();
  const other = await stage.account();

  const call = (path: string, { key = mine.secret, headers = {}, body, method, signal }: Asked = {}) =>
    stage.ask(path, {
      ...(method !== undefined && { method }),
      ...(signal && { signal }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: { authorization: `Bearer ${key}`, ...headers },
    });

  const order = (members: object = {}) => ({ agent: writer, input: 'Write a haiku.', ...members });

  const post = (members: object = {}, asked: Asked = {}) => call('/v1/runs', { ...asked, body: order(members) });

  /** Creates a run and returns it as it was answered. */
  async function create(members: object = {}, asked: Asked = {}): Promise<RunObject> {
    return read<RunObject>(await post(members, asked), 202);
  }

  const getRun = async (id: string, key = mine.secret) => read<RunObject>(await call(`/v1/runs/${id}`, { key }), 200);

  /** Publishes an agent of another workspace, or of one that is named. */
  async function publish(
    configuration: Partial<AgentConfiguration>,
    { workspaceId = other.workspaceId, visibility = 'public' }: { workspaceId?: string; visibility?: string } = {},
  ): Promise<string> {
    const slug = newId('a').replace('_', '').toLowerCase();
    const text = JSON.stringify({ ...PLAIN, ...configuration });
    const ids = [newId('agent'), newId('aver'), newId('dep')];
    await stage.db.pool.query(PUBLISH, [...ids, workspaceId, slug, text, visibility]);
    return `test/${slug}`;
  }

  return { ...stage, mine, other, call, order, post, create, getRun, publish };
}

const PLAIN: AgentConfiguration = {
  name: 'Plain',
  description: 'Answers.',
  instructions: 'Answer.',
  tools: [],
  plugins: [],
  pricing: {
    minimum_cost_usd: 0.01,
    maximum_cost_usd: 1,
    rates: [
      { meter: 'model_output_tokens', price_usd: 0.000002 },
      { meter: 'tool_calls', price_usd: 0.001 },
    ],
  },
  icon_file_id: null,
  categories: ['test'],
  example_prompts: ['Hello.'],
};

const PUBLISH = `
with agent as (
  insert into agents (id, workspace_id, namespace, slug, draft) values ($1, $4, 'test', $5, $6)),
version as (
  insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
  values ($2, $4, $1, 1, '2026-01-01', 1, $6))
insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
values ($3, $4, $1, $2, $7, 'active', now(), now())`;

/** The body of an answer that has the status; throws with the body of any other. */
export async function read<T>(response: Response, status: number): Promise<T> {
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** The status, code and place of an error answer. */
export async function errorOf(response: Response) {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, param: error.param };
}
