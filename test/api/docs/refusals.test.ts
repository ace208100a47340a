import { afterAll, expect, test } from '@jest/globals';
import { urlOf } from '../../../api/http/router.ts';
import { newId } from '../../../db/ids.ts';
import { documentOf, routes as everyRoute } from '../../support/everyRoute.ts';
import { setGuardStage } from '../../support/guardStage.ts';

const routes = everyRoute.filter(({ doc }) => doc !== undefined);
const document = documentOf(routes, '/');
const scopes = ['llm', 'voice', 'batch', 'agents', 'publisher', 'contents', 'operator', 'manage'];

const stage = await setGuardStage();
afterAll(() => stage.close());

type Route = (typeof routes)[number];
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const refusalsOf = ({ guards }: Route) => guards.flatMap(({ refusals }) => refusals);

/** What routes need in their addresses. */
const QUERIES: Record<string, string> = {
  '/v1/memories': '?user=anyone',
  '/platform/v1/search': '?query=anything',
  '/platform/v1/usage/export': '?month=2026-01',
  '/console/v1/platform/search': '?query=anything',
};

/** The status with which a route answers a request with example ids. */
async function statusOf({ method, path, doc }: Route, asked: { headers?: Record<string, string>; body?: string } = {}) {
  const isRead = method === 'GET' || (!doc!.input && !doc!.form);
  const example = isRead ? undefined : JSON.stringify(doc!.input?.example ?? {});
  const response = await stage.ask(urlOf(path, (name) => newId(name.replace('_id', ''))) + (QUERIES[path] ?? ''), {
    method,
    headers: asked.headers ?? {},
    body: isRead ? undefined : (asked.body ?? example),
  });
  await response.body?.cancel();
  return response.status;
}

/** The routes that answer with the status, besides those whose guards declare it. */
async function compare(status: number, answers: (route: Route) => Promise<number>, among = routes) {
  const answered: string[] = [];
  for (const route of among) if ((await answers(route)) === status) answered.push(nameOf(route));
  const told = among.filter((route) => refusalsOf(route).includes(status as 401)).map(nameOf);
  return { answered, told };
}

test('without a key, exactly the routes with that refusal in their guards answer 401', async () => {
  const { answered, told } = await compare(401, (route) => statusOf(route));
  expect(answered).toEqual(told);
  expect(answered.length).toBeGreaterThan(100);
});

test('without a scope, exactly the routes with that refusal in their guards answer 403', async () => {
  const { secret } = await stage.account({ scopes: [], creditUsd: '1', rpmLimit: 10_000 });
  const headers = { 'x-api-key': secret };
  const { answered, told } = await compare(403, (route) => statusOf(route, { headers }));
  expect(answered).toEqual(told);
});

test('with its rate used up, a key gets 429 from exactly the routes with that refusal in their guards', async () => {
  const { secret } = await stage.account({ scopes, rpmLimit: 1, creditUsd: '1' });
  const headers = { 'x-api-key': secret };
  await stage.ask('/v1/models', { headers });
  // On the console, only keys of the platform's own workspace get this far. Published data is limited by address.
  const among = routes.filter(({ path }) => !/^\/(console|\.well-known)\//.test(path));
  const { answered, told } = await compare(429, (route) => statusOf(route, { headers }), among);
  expect(answered).toEqual(told);
});

test('for a body of another type, the routes with that refusal in their guards answer 415', async () => {
  const { secret } = await stage.account({ scopes, rpmLimit: 10_000, creditUsd: '1' });
  const headers = { 'x-api-key': secret, 'content-type': 'text/plain' };
  const among = routes.filter(({ path, doc }) => !path.startsWith('/console/') && doc!.input && !doc!.form);
  const { answered, told } = await compare(415, (route) => statusOf(route, { headers, body: 'Hello.' }), among);
  expect(answered).toEqual(told);
});

test("the document contains the guards' refusals, and lists by hand only what does not follow from them", () => {
  for (const route of routes) {
    const { responses } = document.paths[urlOf(route.path, (name) => `{${name}}`)]![route.method.toLowerCase()]!;
    const missing = refusalsOf(route).filter((status) => !(status in responses));
    const repeated = (route.doc!.errors ?? []).filter((status) => refusalsOf(route).includes(status));
    expect({ name: nameOf(route), missing, repeated }).toEqual({ name: nameOf(route), missing: [], repeated: [] });
  }
});
