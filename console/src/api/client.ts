import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.d.ts';
import { isAttended } from './attended.ts';
import { failureOf } from './failure.ts';
import { fetchOnce } from './once.ts';
import { withPlainNames } from './plainNames.ts';
import { inWorkspace, tabWorkspace } from './tab.ts';

/** Sent with every write: other sites cannot send this header. */
const WRITE_HEADERS = { 'x-ledgerline-csrf': '1' };

const RULES: [string, string][] = [
  ['/platform/v1/billing/', '/console/v1/'],
  ['/platform/v1/', '/console/v1/'],
  ['/voiceapi/v1/', '/console/v1/voice/'],
  ['/v1/', '/console/v1/'],
];

/** The path of an API route for signed-in members. */
function consolePath(path: string): string {
  const rule = RULES.find(([from]) => path.startsWith(from));
  return rule ? rule[1] + path.slice(rule[0].length) : path;
}

/** The address of a download or an image, for this tab's workspace. */
export const linkPath = (path: string): string => inWorkspace(consolePath(path));

/** What every request says: that it comes from a page of the console, for which workspace, and whether that page is without input. */
function ownHeaders(): Record<string, string> {
  const workspace = tabWorkspace();
  return {
    ...WRITE_HEADERS,
    ...(workspace !== undefined && { 'x-ledgerline-workspace': workspace }),
    ...(!isAttended() && { 'x-ledgerline-unattended': '1' }),
  };
}

const client = createClient<paths>({ baseUrl: '', fetch: fetchOnce });
client.use({
  onRequest: ({ request }) => {
    for (const [name, value] of Object.entries(ownHeaders())) request.headers.set(name, value);
  },
});

type Call = (path: string, init?: unknown) => Promise<Result<unknown>>;

const mirrored =
  (call: unknown): Call =>
  (path, init) =>
    (call as Call)(consolePath(path), init);

/** The API, typed by its own document; each path of the document is requested under `/console/v1`. */
export const api = {
  GET: mirrored(client.GET),
  POST: mirrored(client.POST),
  PUT: mirrored(client.PUT),
  PATCH: mirrored(client.PATCH),
  DELETE: mirrored(client.DELETE),
} as unknown as Pick<Client<paths, 'application/json'>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>;

/** The result of a call of `api`. */
export interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The answer of a call; throws `ApiFailure` for a refusal. */
export async function answerOf<T>(call: Promise<Result<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw failureOf(response, error);
  return withPlainNames(data as NonNullable<T>);
}

/** Untyped requests: forms, streams, files. `path` is the API's own. Throws `ApiFailure` for a refusal. */
export async function send(
  path: string,
  init: RequestInit = {},
  fetched: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(ownHeaders())) headers.set(name, value);
  const response = await fetched(new Request(consolePath(path), { ...init, headers }));
  if (!response.ok) throw failureOf(response, await response.json().catch(() => null));
  return response;
}

/** Sends and reads JSON without types, for routes that are not in the document. */
export async function sendJson<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await send(path, { method, ...sent }, fetchOnce);
  const text = await response.text();
  return withPlainNames(text === '' ? null : JSON.parse(text)) as T;
}
