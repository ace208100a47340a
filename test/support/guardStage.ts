import { Client } from 'pg';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { makeAccount } from './account.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from './database.ts';
import { startApi, startApiProcess, textModel, type ApiSetting, type RunningApi } from './startApi.ts';

export const chatPath = '/v1/chat/completions';

/** The parts of a request besides its path; a body makes it a POST. */
export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

/** An error body as every route answers it. */
export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

export type GuardStage<Api extends RunningApi = RunningApi> = Awaited<ReturnType<typeof setGuardStage<Api>>>;

/** The API, a scripted upstream, and accounts of any kind. `start` is for a test that needs the API as a process. */
export async function setGuardStage<Api extends RunningApi = RunningApi>({
  env = {},
  config,
  realtime,
  start,
}: {
  env?: Record<string, string>;
  config?: ApiSetting['config'];
  realtime?: ApiSetting['realtime'];
  start?: (setting: ApiSetting) => Promise<Api>;
} = {}) {
  const database = await makeDatabase();
  const db = await openTestDatabase({ url: database.url, spends: false });
  const upstream = await startScripted();
  const apis: RunningApi[] = [];
  const addresses = { databaseUrl: database.url, upstreamUrl: upstream.url, realtime };
  const api = (await (start ?? startApi)({ ...addresses, env, config })) as Api;
  apis.push(api);
  const startAnother = async (envOfIts: Record<string, string> = {}) => {
    const started = await startApiProcess({ ...addresses, env: { ...env, ...envOfIts } });
    apis.push(started);
    return started;
  };

  async function close(): Promise<void> {
    await Promise.all(apis.map((started) => started.stop()));
    await upstream.stop();
    await db.close();
    await database.drop();
  }

  return {
    api,
    db,
    upstream,
    /** The settings for an API process. */
    addresses,
    /** Runs a statement with rights that no role of the platform has. */
    asOwner: (text: string, values: unknown[] = []) => queryAsOwner(ownerUrlOf(database.url), text, values),
    /** Another API process on the same database. */
    startAnother,
    account: (options?: Parameters<typeof makeAccount>[1]) => makeAccount(db, options),
    url: api.url,
    ask: (path: string, asked?: Asked) => ask(api.url, path, asked),
    close,
  };
}

async function queryAsOwner(url: string, text: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** Sends one request and waits for the head of its answer. */
export function ask(url: string, path: string, { method, headers = {}, body, signal }: Asked = {}): Promise<Response> {
  return fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body,
    signal,
  });
}

/** A chat body; members may be added or replaced. */
export function chatBody(members: Record<string, unknown> = {}): string {
  return JSON.stringify({
    model: textModel,
    messages: [{ role: 'user', content: 'What is two and two?' }],
    ...members,
  });
}

/** A user message with the script of the upstream. */
export function told(script: object) {
  return [{ role: 'user', content: JSON.stringify({ scripted: script }) }];
}

/** The code of an error answer. */
export async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as ErrorBody).error.code;
}
