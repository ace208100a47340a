import { afterAll, describe, expect, test } from '@jest/globals';
import { STATE_BYTES_MAX } from '../../../db/sessions/sessionState.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

interface StateBody {
  version: number;
  state: Record<string, unknown>;
  run_id: string | null;
  size_bytes: number;
}

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const newSession = async (body: object = {}) =>
  (await read<{ id: string }>(await stage.call('/v1/sessions', { body }), 201)).id;

const edit = (
  id: string,
  method: 'PUT' | 'PATCH',
  state: unknown,
  headers: Record<string, string> = {},
  key?: string,
) => stage.call(`/v1/sessions/${id}/state`, { method, body: { state }, headers, ...(key && { key }) });

const stateOf = async (id: string, query = '') =>
  read<StateBody>(await stage.call(`/v1/sessions/${id}/state${query}`), 200);

describe('the state of a session', () => {
  test('is empty at first, is replaced whole, and changed by a merge patch', async () => {
    const id = await newSession();
    const first = await stage.call(`/v1/sessions/${id}/state`);
    expect(first.headers.get('etag')).toBe('"state-0"');
    expect(await first.json()).toMatchObject({ object: 'session.state', session_id: id, version: 0, state: {} });
    const put = await edit(id, 'PUT', { step: 1, user: { name: 'Ada', city: 'London' } });
    expect([put.status, put.headers.get('etag')]).toEqual([200, '"state-1"']);
    const patched = await read<StateBody>(
      await edit(id, 'PATCH', { step: null, user: { city: 'Paris' }, list: [1] }),
      200,
    );
    expect(patched).toMatchObject({
      version: 2,
      state: { user: { name: 'Ada', city: 'Paris' }, list: [1] },
      run_id: null,
    });
    expect(JSON.stringify((await stateOf(id)).state)).toBe('{"user":{"name":"Ada","city":"Paris"},"list":[1]}');
  });

  test('has its versions, newest first, and each can be read', async () => {
    const id = await newSession({ state: { n: 0 } });
    for (const n of [1, 2]) await edit(id, 'PATCH', { n });
    const path = `/v1/sessions/${id}/state/versions`;
    const page = await read<{ data: StateBody[]; next_cursor: string }>(await stage.call(`${path}?limit=2`), 200);
    expect(page.data.map(({ version, size_bytes }) => [version, size_bytes])).toEqual([
      [3, 7],
      [2, 7],
    ]);
    const rest = await read<{ data: StateBody[]; has_more: boolean }>(
      await stage.call(`${path}?limit=2&cursor=${page.next_cursor}`),
      200,
    );
    expect([rest.data.map(({ version }) => version), rest.has_more]).toEqual([[1], false]);
    expect((await stateOf(id, '?version=1')).state).toEqual({ n: 0 });
    expect((await stateOf(id, '?version=0')).state).toEqual({});
    expect(await errorOf(await stage.call(`/v1/sessions/${id}/state?version=9`))).toMatchObject({
      status: 404,
      code: 'state_version_not_found',
    });
  });

  test('keeps the last hundred versions', async () => {
    const id = await newSession();
    for (let n = 1; n <= 103; n += 1) await edit(id, 'PATCH', { n });
    expect((await stateOf(id, '?version=4')).state).toEqual({ n: 4 });
    expect((await stage.call(`/v1/sessions/${id}/state?version=3`)).status).toBe(404);
  });

  test('is changed by exactly one of ten callers with the same If-Match', async () => {
    const id = await newSession({ state: { lock: null } });
    const tag = { 'if-match': '"state-1"' };
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => edit(id, 'PATCH', { lock: n }, tag)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(412)]);
    const refused = answers.find(({ status }) => status === 412)!;
    expect(refused.headers.get('etag')).toBe('"state-2"');
    expect(await refused.json()).toMatchObject({
      error: { code: 'state_changed', message: expect.stringContaining('version is 2') },
    });
    expect((await stateOf(id)).version).toBe(2);
  });

  test('is changed by the last caller without If-Match, and no change is lost', async () => {
    const id = await newSession();
    const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
    await Promise.all(names.map((name) => edit(id, 'PATCH', { [name]: true })));
    const { version, state } = await stateOf(id);
    expect([version, Object.keys(state).toSorted()]).toEqual([10, names]);
  });

  test.each([
    ['an array', [1], 'state'],
    ['a text', 'x', 'state'],
    ['no value', undefined, 'state'],
    ['what cannot be stored', { a: 'x\0' }, 'state.a'],
    ['a name that would be lost', { ['__proto__']: 'x' }, 'state.__proto__'],
  ])('refuses %s', async (_what, state, param) => {
    const id = await newSession();
    for (const method of ['PUT', 'PATCH'] as const)
      expect(await errorOf(await edit(id, method, state))).toMatchObject({ status: 422, param });
  });

  test.each(['state-1', '"dir-1"', '"state-01"', 'W/"state-1"'])('refuses the tag %s', async (tag) => {
    const refused = await edit(await newSession(), 'PUT', {}, { 'if-match': tag });
    expect(await errorOf(refused)).toMatchObject({ status: 422, param: 'if-match' });
  });

  test('has a bounded size, also after a patch', async () => {
    const id = await newSession();
    const half = 'x'.repeat(STATE_BYTES_MAX / 2 + 1);
    expect((await edit(id, 'PUT', { a: half })).status).toBe(200);
    const refused = await errorOf(await edit(id, 'PATCH', { b: half }));
    expect(refused).toMatchObject({ status: 413, code: 'state_too_large' });
    expect(await errorOf(await edit(id, 'PUT', { a: half + half }))).toMatchObject({ status: 422, param: 'state' });
    expect((await stateOf(id)).version).toBe(1);
  });

  test('is of its workspace alone, and ends with the session', async () => {
    const id = await newSession({ state: { secret: 1 } });
    const { secret: key } = stage.other;
    expect((await stage.call(`/v1/sessions/${id}/state`, { key })).status).toBe(404);
    expect((await edit(id, 'PATCH', { a: 1 }, {}, key)).status).toBe(404);
    expect((await stage.call(`/v1/sessions/${id}/state/versions`, { key })).status).toBe(404);
    await stage.call(`/v1/sessions/${id}`, { method: 'DELETE' });
    expect((await stage.call(`/v1/sessions/${id}/state`)).status).toBe(404);
    const { rows } = await stage.db.pool.query('select from session_states where session_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('an order', () => {
  test('gives a new session its state, and its run the user', async () => {
    const run = await stage.create({ state: { topic: 'rain' }, user: 'customer-7' });
    expect(run.user).toBe('customer-7');
    expect(await stateOf(run.session_id)).toMatchObject({ version: 1, state: { topic: 'rain' } });
    expect((await stage.getRun(run.id)).user).toBe('customer-7');
  });

  test('gives an existing session none', async () => {
    const id = await newSession();
    const refused = await stage.post({ session_id: id, state: { a: 1 } });
    expect(await errorOf(refused)).toMatchObject({ status: 422, param: 'state' });
    expect((await stateOf(id)).version).toBe(0);
  });

  test('refuses an empty user', async () => {
    expect(await errorOf(await stage.post({ user: ' ' }))).toMatchObject({ status: 422, param: 'user' });
  });
});

test('a change by a caller is an event of the open run', async () => {
  const run = await stage.create({ state: { step: 1 } });
  await edit(run.session_id, 'PATCH', { step: 2 });
  const { rows } = await stage.db.pool.query(
    `select data from run_events where run_id = $1 and type = 'run.state.updated'`,
    [run.id],
  );
  expect(rows).toEqual([{ data: { session_id: run.session_id, version: 2, step_id: null } }]);
});
