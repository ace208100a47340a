import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildOpenApi } from '../../../api/docs/openapi/openapi.ts';
import { createRoutes } from '../../../api/routes.ts';
import type { Services } from '../../../api/services.ts';
import { newId } from '../../../db/ids.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';

// Handlers are made, and never called.
const services = { db: {}, limits: {}, catalog: { models: [] }, config: { publicUrl: 'http://127.0.0.1:8080' } };
const routes = createRoutes(services as unknown as Services).filter(({ doc }) => doc !== undefined);
const document = buildOpenApi(routes, { version: '2026-01-01', baseUrl: '/' });
const scopes = ['llm', 'voice', 'batch', 'agents', 'publisher', 'operator'];

let stage: GuardStage;
beforeAll(async () => {
  stage = await setGuardStage();
});
afterAll(() => stage?.close());

type Route = (typeof routes)[number];
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const refusalsOf = ({ guards }: Route) => guards.flatMap(({ refusals }) => refusals);

/** The status with which a route answers a request to some resource of it. */
async function statusOf({ method, path, doc }: Route, asked: { headers?: Record<string, string>; body?: string } = {}) {
  const isRead = method === 'GET' || (!doc!.input && !doc!.form);
  const example = isRead ? undefined : JSON.stringify(doc!.input?.example ?? {});
  const response = await stage.ask(
    path.replaceAll(/:(\w+)/g, (_, name: string) => newId(name.replace('_id', ''))),
    { method, headers: asked.headers ?? {}, body: isRead ? undefined : (asked.body ?? example) },
  );
  await response.body?.cancel();
  return response.status;
}

/** The routes that answer with the status, beside those of which a guard says that it may. */
async function compare(status: number, answers: (route: Route) => Promise<number>, among = routes) {
  const answered: string[] = [];
  for (const route of among) if ((await answers(route)) === status) answered.push(nameOf(route));
  const told = among.filter((route) => refusalsOf(route).includes(status as 401)).map(nameOf);
  return { answered, told };
}

test('without a key, the routes whose guards say so answer 401, and no others', async () => {
  const { answered, told } = await compare(401, (route) => statusOf(route));
  expect(answered).toEqual(told);
  expect(answered.length).toBeGreaterThan(100);
});

test('without a scope, the routes whose guards say so answer 403, and no others', async () => {
  const { secret } = await stage.account({ scopes: [], creditUsd: '1', rpmLimit: 10_000 });
  const headers = { 'x-api-key': secret };
  const { answered, told } = await compare(403, (route) => statusOf(route, { headers }));
  expect(answered).toEqual(told);
});

test('with its rate used up, a key gets 429 of the routes whose guards say so, and of no others', async () => {
  const { secret } = await stage.account({ scopes, rpmLimit: 1, creditUsd: '1' });
  const headers = { 'x-api-key': secret };
  await stage.ask('/v1/models', { headers });
  // Only keys of the platform's own workspace come that far on the console.
  const among = routes.filter(({ path }) => !path.startsWith('/console/'));
  const { answered, told } = await compare(429, (route) => statusOf(route, { headers }), among);
  expect(answered).toEqual(told);
});

test('of a body of another type, the routes whose guards say so answer 415', async () => {
  const { secret } = await stage.account({ scopes, rpmLimit: 10_000, creditUsd: '1' });
  const headers = { 'x-api-key': secret, 'content-type': 'text/plain' };
  const among = routes.filter(({ path, doc }) => !path.startsWith('/console/') && doc!.input && !doc!.form);
  const { answered, told } = await compare(415, (route) => statusOf(route, { headers, body: 'Hello.' }), among);
  expect(answered).toEqual(told);
});

test('what guards say is in the document, which lists by hand nothing that follows from them', () => {
  for (const route of routes) {
    const { responses } = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]![route.method.toLowerCase()]!;
    const missing = refusalsOf(route).filter((status) => !(status in responses));
    const repeated = (route.doc!.errors ?? []).filter((status) => refusalsOf(route).includes(status));
    expect({ name: nameOf(route), missing, repeated }).toEqual({ name: nameOf(route), missing: [], repeated: [] });
  }
});
