import { afterAll, describe, expect, test } from '@jest/globals';
import { RunOrder } from '../../../orders/order.ts';
import { codeOf } from '../../support/guardStage.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { read, setFileStage } from '../../support/fileStage.ts';

const stage = await setFileStage();
afterAll(() => stage.close());

interface SessionBody {
  id: string;
  status: string;
  active_run_id: string | null;
}

const post = (body: object, headers: Record<string, string> = {}) =>
  stage.call('/v1/sessions', { body: JSON.stringify(body), headers });

describe('POST /v1/sessions', () => {
  test('refuses a caller without a key, and a key without the scope agents', async () => {
    expect((await stage.call('/v1/sessions', { body: '{}', key: 'sk_live_none' })).status).toBe(401);
    const { secret: key } = await stage.account({ scopes: ['voice', 'batch'] });
    expect((await stage.call('/v1/sessions', { body: '{}', key })).status).toBe(403);
  });

  test('creates an idle session', async () => {
    const response = await post({ title: 'Notes', metadata: { a: 'b' } });
    const session = await read<SessionBody>(response, 201);
    expect(session).toEqual({
      id: expect.stringMatching(/^ses_[0-9A-Za-z]+$/),
      object: 'session',
      title: 'Notes',
      status: 'idle',
      active_run_id: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      metadata: { a: 'b' },
    });
    expect(response.headers.get('location')).toBe(`/v1/sessions/${session.id}`);
    expect(await read(await stage.call(`/v1/sessions/${session.id}`), 200)).toEqual(session);
  });

  test('accepts a request without a body', async () => {
    const response = await stage.call('/v1/sessions', { method: 'POST' });
    expect(await read(response, 201)).toMatchObject({ title: null, metadata: {} });
  });

  test('takes the metadata that a run takes: names of up to 64 characters, also none', async () => {
    const metadata = { '': 'unnamed', ['k'.repeat(64)]: 'v'.repeat(512) };
    expect(await read(await post({ metadata }), 201)).toMatchObject({ metadata });
    expect(RunOrder.parse({ agent: 'a/b', input: 'Hi', metadata }).metadata).toEqual(metadata);
    for (const wrong of [{ ['k'.repeat(65)]: '' }, { k: 'v'.repeat(513) }]) {
      expect((await post({ metadata: wrong })).status).toBe(422);
      expect(RunOrder.safeParse({ agent: 'a/b', input: 'Hi', metadata: wrong }).success).toBe(false);
    }
  });

  test.each([
    { title: 5 },
    { title: 'x'.repeat(201) },
    { metadata: { a: 1 } },
    { metadata: { ['__proto__']: 'a' } },
    { state: { ['__proto__']: 'a' } },
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ''])) },
    { title: 'a\0b' },
    { unknown: true },
  ])('refuses %j', async (body) => {
    const response = await post(body);
    expect([response.status, await codeOf(response)]).toEqual([422, 'validation_error']);
  });

  test('creates one session for two requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'session-0001' };
    const [first, second] = [await post({ title: 'once' }, headers), await post({ title: 'once' }, headers)];
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await post({ title: 'other' }, headers)).status).toBe(409);
  });
});

describe('GET /v1/sessions', () => {
  test('lists newest first, in pages', async () => {
    const { secret: key } = await stage.account();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await stage.newSession(key));
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const response = await stage.call(`/v1/sessions?limit=2${next && `&cursor=${next}`}`, { key });
      const page = await read<{ data: SessionBody[]; next_cursor: string | null }>(response, 200);
      seen.push(...page.data.map(({ id }) => id));
      next = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test('refuses a forged cursor and a limit out of range', async () => {
    for (const query of ['cursor=made-up', 'limit=0', 'limit=101', 'limit=x'])
      expect((await stage.call(`/v1/sessions?${query}`)).status).toBe(422);
  });
});

describe('a session with a run that has not ended', () => {
  test('is busy, cannot be deleted before the run has ended, and shows that as its last change', async () => {
    const id = await stage.newSession();
    const run = await makeRun(stage.db, stage.mine);
    await stage.db.pool.query('update runs set session_id = $2 where id = $1', [run.id, id]);
    expect(await read(await stage.call(`/v1/sessions/${id}`), 200)).toMatchObject({
      status: 'busy',
      active_run_id: run.id,
    });
    expect((await stage.listing(id)).busy).toBe(true);
    const refused = await stage.call(`/v1/sessions/${id}`, { method: 'DELETE' });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'session_busy']);
    await finishTestRun(stage.db, run);
    const { rows } = await stage.db.pool.query('select completed_at from runs where id = $1', [run.id]);
    expect(await read(await stage.call(`/v1/sessions/${id}`), 200)).toMatchObject({
      status: 'idle',
      active_run_id: null,
      updated_at: rows[0].completed_at.toISOString(),
    });
    expect((await stage.call(`/v1/sessions/${id}`, { method: 'DELETE' })).status).toBe(200);
  });
});

describe('DELETE /v1/sessions/{session_id}', () => {
  test('deletes the session with the files created for it, and no others', async () => {
    const id = await stage.newSession();
    const own = await stage.addFile(id, 'mine', 'own.txt');
    const { id: sharedId } = await stage.upload('shared');
    await stage.call(`/v1/sessions/${id}/files`, { body: JSON.stringify({ file_id: sharedId }) });
    const response = await stage.call(`/v1/sessions/${id}`, { method: 'DELETE' });
    expect(await read(response, 200)).toEqual({ id, object: 'session', deleted: true });
    for (const path of [`/v1/sessions/${id}`, `/v1/sessions/${id}/files`, `/v1/files/${own.file!.id}`])
      expect((await stage.call(path)).status).toBe(404);
    expect((await stage.call(`/v1/files/${sharedId}`)).status).toBe(200);
  });
});

describe('a session of another workspace', () => {
  test('answers 404 on every route, as for an unknown session', async () => {
    const id = await stage.newSession();
    const entry = await stage.addFile(id, 'secret', 'canary.txt');
    const { secret: key } = stage.other;
    const asked = [
      { method: 'GET', end: '' },
      { method: 'DELETE', end: '' },
      { method: 'GET', end: '/files' },
      { method: 'GET', end: `/files?parent_id=${entry.id}` },
      { method: 'POST', end: '/files', body: '{"kind":"directory","name":"d"}' },
      { method: 'PATCH', end: `/files/${entry.id}`, body: '{"name":"n"}' },
      { method: 'DELETE', end: `/files/${entry.id}` },
    ];
    for (const { method, end, body } of asked) {
      const foreign = await stage.call(`/v1/sessions/${id}${end}`, { method, body, key });
      const unknown = await stage.call(`/v1/sessions/ses_none${end}`, { method, body, key });
      expect([foreign.status, unknown.status]).toEqual([404, 404]);
      expect((await foreign.text()).replace(id, 'ses_none')).toBe(await unknown.text());
    }
    const theirs = await stage.newSession(key);
    for (const [method, body] of [
      ['PATCH', '{"name":"n"}'],
      ['DELETE', undefined],
    ] as const)
      expect((await stage.call(`/v1/sessions/${theirs}/files/${entry.id}`, { method, body, key })).status).toBe(404);
    const moved = JSON.stringify({ kind: 'directory', name: 'd', parent_id: entry.id });
    expect((await stage.call(`/v1/sessions/${theirs}/files`, { body: moved, key })).status).toBe(404);
    expect((await stage.listing(id)).data).toHaveLength(1);
  });

  test('cannot be listed with its cursor', async () => {
    const id = await stage.newSession();
    await stage.addFile(id, '1', 'a.txt');
    await stage.addFile(id, '2', 'b.txt');
    const { next_cursor: cursor } = await stage.listing(id, '?limit=1');
    const theirs = await stage.newSession(stage.other.secret);
    const response = await stage.call(`/v1/sessions/${theirs}/files?cursor=${cursor}`, { key: stage.other.secret });
    expect(response.status).toBe(422);
  });

  test('answers 422 for a malformed id', async () => {
    const response = await stage.call('/v1/sessions/no-session/files');
    expect([response.status, await codeOf(response)]).toEqual([422, 'validation_error']);
  });
});
