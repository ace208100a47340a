import { expect, test } from '@jest/globals';
import type { Context } from '../../../api/context.ts';
import { createRouter, get, post, type Route } from '../../../api/http/router.ts';

/** What answers a request of these routes: the name that its handler has set. */
async function answerOf(routes: Route[], method: string, path: string) {
  const pages = () => Promise.reject(new Error('no page'));
  const route = createRouter(async () => routes, { pages, onNowhere: async () => undefined });
  const state: { params?: object; route?: string } = {};
  const req = { method, headers: {} };
  const ctx = { method, path, host: 'api', req, request: {}, state, body: '' };
  await route(ctx as unknown as Context).catch((error: Error) => (ctx.body = error.message));
  return [ctx.body, state.params, state.route];
}

const named = (name: string) => (ctx: Context) => void (ctx.body = name);
const byId = get('/v1/things/:id', [], named('by id'));
const own = get('/v1/things/own', [], named('own'));

test('the first route that matches answers, whether its path has parameters or not', async () => {
  expect(await answerOf([byId, own], 'GET', '/v1/things/own')).toEqual(['by id', { id: 'own' }, '/v1/things/:id']);
  expect(await answerOf([own, byId], 'GET', '/v1/things/own')).toEqual(['own', {}, '/v1/things/own']);
  expect(await answerOf([own, byId], 'GET', '/v1/things/1')).toEqual(['by id', { id: '1' }, '/v1/things/:id']);
});

test('routes of one path differ by their methods', async () => {
  const routes = [own, post('/v1/things/own', [], named('made')), byId];
  expect((await answerOf(routes, 'POST', '/v1/things/own'))[0]).toBe('made');
  expect((await answerOf(routes, 'HEAD', '/v1/things/own'))[0]).toBe('own');
  expect((await answerOf(routes, 'PUT', '/v1/things/own'))[0]).toMatch(/PUT/);
});

test('a path with another last character is another path', async () => {
  expect((await answerOf([own], 'GET', '/v1/things/own/'))[0]).toBe('own');
  expect((await answerOf([own], 'GET', '/v1/things/Own'))[0]).not.toBe('own');
});
