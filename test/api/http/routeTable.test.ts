import { expect, test } from '@jest/globals';
import { familyOf, get, type Route } from '../../../api/http/router.ts';
import { createRouteTable, openRoom, room } from '../../../api/http/routeTable.ts';

const at = (path: string): Route => get(path, [], () => {});
const pathsOf = (routes: Route[] | undefined) => routes?.map(({ path }) => path);

test('a room is loaded at the first request for one of its families, once', async () => {
  const loaded: string[] = [];
  const load =
    (name: string, ...paths: string[]) =>
    async () => {
      loaded.push(name);
      return paths.map(at);
    };
  const table = createRouteTable([
    room('/v1/runs /v1/sessions', load('runs', '/v1/runs/:id', '/v1/sessions/:id/cancel')),
    room('/v1/files', load('files', '/v1/files')),
    room('/v1/sessions', load('sessions', '/v1/sessions')),
  ]);
  expect(loaded).toEqual([]);
  expect(table.find('/v1/other')).toBeUndefined();
  expect(table.isRoute('/v1/runs/:id')).toBe(false);
  const found = await Promise.all([table.find('/v1/sessions'), table.find('/v1/sessions')]);
  for (const routes of found) expect(pathsOf(routes)).toEqual(['/v1/sessions/:id/cancel', '/v1/sessions']);
  expect(loaded).toEqual(['runs', 'sessions']);
  expect(table.isRoute('/v1/runs/:id')).toBe(true);
  expect(pathsOf(await table.all())).toEqual(['/v1/runs/:id', '/v1/sessions/:id/cancel', '/v1/files', '/v1/sessions']);
  expect(loaded).toEqual(['runs', 'sessions', 'files']);
});

test('a room that could not be loaded is loaded by the next request', async () => {
  let count = 0;
  const table = createRouteTable([
    room('/v1/runs', async () => {
      if (++count === 1) throw new Error('no such file');
      return [at('/v1/runs')];
    }),
  ]);
  await expect(table.find('/v1/runs')).rejects.toThrow('no such file');
  expect(pathsOf(await table.find('/v1/runs'))).toEqual(['/v1/runs']);
});

test('a route outside of the families of its room is refused, as no request would find it', async () => {
  const table = createRouteTable([room('/v1/runs', async () => [at('/v1/quotes')])]);
  await expect(table.all()).rejects.toThrow('/v1/quotes is not in the families of its room');
});

test('an open room has the families of its routes', async () => {
  const table = createRouteTable([openRoom([at('/healthz'), at('/v1/models/:id')])]);
  expect(pathsOf(await table.find(familyOf('/v1/models/one')))).toEqual(['/v1/models/:id']);
  expect(pathsOf(await table.find('/healthz'))).toEqual(['/healthz']);
});

test('gives the event loop a turn after each room that it loads, and none for loaded ones', async () => {
  const seen: string[] = [];
  const rooms = ['one', 'two'].map((name) =>
    room(name, async () => {
      seen.push(name);
      setImmediate(() => seen.push('turn'));
      return [];
    }),
  );
  const table = createRouteTable(rooms);
  await table.all();
  expect(seen).toEqual(['one', 'turn', 'two', 'turn']);
  setImmediate(() => seen.push('late'));
  await table.all();
  expect(seen).not.toContain('late');
});
