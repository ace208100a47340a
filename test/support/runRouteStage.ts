import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import type { RunObject } from '../../db/runs/runObject.ts';
import type { ErrorBody } from './guardStage.ts';
import { setGuardStage } from './guardStage.ts';
import { publishAgent } from './agent.ts';
import { read } from './http.ts';

export { read };

export type RunRouteStage = Awaited<ReturnType<typeof setRunRouteStage>>;

/** A test's request: a body makes it a POST unless the method is given. */
interface Asked {
  key?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export const writer = 'ledgerline/writer';
export const analyst = 'ledgerline/analyst';

/** The API without Temporal, the platform's agents, and two workspaces. Only the test drives the runs. */
export async function setRunRouteStage({ env = {} }: { env?: Record<string, string> } = {}) {
  const stage = await setGuardStage({ env });
  await seedAgents(stage.db.everywhere);
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

  /** Creates a run and returns its answer. */
  async function create(members: object = {}, asked: Asked = {}): Promise<RunObject> {
    return read<RunObject>(await post(members, asked), 202);
  }

  const getRun = async (id: string, key = mine.secret) => read<RunObject>(await call(`/v1/runs/${id}`, { key }), 200);

  /** Publishes an agent of another workspace, or of the given one. */
  const publish = (
    configuration: Partial<AgentConfiguration>,
    { workspaceId = other.workspaceId, visibility = 'public' }: { workspaceId?: string; visibility?: string } = {},
  ): Promise<string> => publishAgent(stage.db, configuration, { workspaceId, visibility });

  return { ...stage, mine, other, call, order, post, create, getRun, publish };
}

/** The status, code and place of an error answer. */
export async function errorOf(response: Response) {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, param: error.param };
}
