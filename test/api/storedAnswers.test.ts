import { describe, expect, test } from '@jest/globals';
import { read, writer } from '../support/runRouteStage.ts';
import { setCommitStage } from './commitStage.ts';

// A client retries after an error, so the answer for a stored row must not depend on a further read.
const { commits, stage } = await setCommitStage();

const user = await stage.account({ scopes: ['llm', 'agents', 'batch', 'voice'], creditUsd: '10' });
const manager = await stage.account({ scopes: ['manage'] });
const publisher = await stage.account({ scopes: ['publisher'] });

type Made = Record<string, unknown> & { id: string };

/** The answer to a request for which the database fails once it is stored. */
const stored = (table: string, path: string, key: string, body: object) =>
  commits.during(`insert into "${table}"`, () => stage.call(path, { key, body }));

describe('what is created is answered once it is stored, also when nothing more can be read', () => {
  test.each<[string, { path: string; key: string; body: object }]>([
    ['projects', { path: '/platform/v1/projects', key: manager.secret, body: { name: 'Shop' } }],
    [
      'alerts',
      { path: '/platform/v1/alerts', key: manager.secret, body: { type: 'spend', amount_usd: 5, period: 'daily' } },
    ],
    [
      'flow_rules',
      { path: '/platform/v1/flow-rules', key: manager.secret, body: { agent: writer, concurrency: { limit: 2 } } },
    ],
    [
      'agent_alerts',
      {
        path: '/v1/publisher/alerts',
        key: stage.publisher.secret,
        body: { agent_id: stage.agent.id, type: 'failure_rate', threshold: 20 },
      },
    ],
    [
      'schedules',
      { path: '/v1/schedules', key: user.secret, body: { cron: '0 8 * * *', run: { agent: writer, input: 'Write.' } } },
    ],
    ['sessions', { path: '/v1/sessions', key: user.secret, body: { title: 'Order 7' } }],
    ['agents', { path: '/v1/publisher/agents', key: publisher.secret, body: { namespace: 'verses', slug: 'poet' } }],
    [
      'webhook_endpoints',
      { path: '/platform/v1/webhook_endpoints', key: manager.secret, body: { url: 'https://example.com/hooks' } },
    ],
  ])('%s', async (table, { path, key, body }) => {
    const { secret: _, ...made } = await read<Made>(await stored(table, path, key, body), 201);
    expect(await read(await stage.call(`${path}/${made.id}`, { key }), 200)).toEqual(made);
  });

  test('a key, with its secret', async () => {
    const path = '/console/v1/keys';
    const made = await read<Made>(await stored('api_keys', path, manager.secret, { name: 'new' }), 201);
    expect((await stage.call('/platform/v1/key', { key: String(made.key) })).status).toBe(200);
    const rotated = await commits.during('insert into "rotated_secrets"', () =>
      stage.call(`${path}/${made.id}/rotate`, { key: manager.secret, body: {} }),
    );
    const { key, prefix, previous_expires_at: ends } = await read<Made>(rotated, 200);
    expect(String(key).startsWith(String(prefix))).toBe(true);
    expect(ends).not.toBeNull();
    expect((await stage.call('/platform/v1/key', { key: String(key) })).status).toBe(200);
  });

  test('a derived key, with its secret', async () => {
    const made = await stored('api_keys', '/platform/v1/keys/derive', user.secret, { name: 'child' });
    const { key } = await read<Made>(made, 201);
    expect((await stage.call('/platform/v1/key', { key: String(key) })).status).toBe(200);
  });

  test("a webhook endpoint's next secret", async () => {
    const path = '/platform/v1/webhook_endpoints';
    const { id } = await read<Made>(
      await stage.call(path, { key: manager.secret, body: { url: 'https://example.com/' } }),
      201,
    );
    const answer = await commits.during('update "webhook_endpoints"', () =>
      stage.call(`${path}/${id}/rotate_secret`, { key: manager.secret, method: 'POST' }),
    );
    const { secret, ...rotated } = await read<Made>(answer, 200);
    expect(secret).toMatch(/^whsec_/);
    expect(rotated.previous_secret_expires_at).not.toBeNull();
    expect(await read(await stage.call(`${path}/${id}`, { key: manager.secret }), 200)).toEqual(rotated);
  });

  test("a session's directory, whose name the retry would find taken", async () => {
    const session = await read<Made>(await stage.call('/v1/sessions', { key: user.secret, body: {} }), 201);
    const path = `/v1/sessions/${session.id}/files`;
    const made = await stored('session_entries', path, user.secret, { kind: 'directory', name: 'notes' });
    expect(made.headers.get('etag')).not.toBeNull();
    expect(await read<Made>(made, 201)).toMatchObject({ name: 'notes', kind: 'directory' });
  });

  test('a file', async () => {
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('file', new Blob(['x']), 'a.txt');
    const sent = commits.during('update "files"', () =>
      fetch(`${stage.url}/v1/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.secret}` },
        body: form,
      }),
    );
    const { id } = await read<Made>(await sent, 200);
    expect((await stage.call(`/v1/files/${id}`, { key: user.secret })).status).toBe(200);
  });

  test('a run that waits for another one, with or without Prefer: wait', async () => {
    const { secret: key } = await stage.account({ scopes: ['agents', 'manage'], creditUsd: '10' });
    const rule = { agent: writer, concurrency: { limit: 1 } };
    await read(await stage.call('/platform/v1/flow-rules', { key, body: rule }), 201);
    const order = { agent: writer, input: 'Write.', max_cost_usd: 0.01 };
    await read(await stage.call('/v1/runs', { key, body: order }), 202);
    const send = (headers: Record<string, string>) =>
      commits.during('insert into runs', () => stage.call('/v1/runs', { key, body: order, headers }));
    expect(await read<Made>(await send({}), 202)).toMatchObject({ status: 'queued', queue: null });
    expect(await read<Made>(await send({ prefer: 'wait=1' }), 202)).toMatchObject({ status: 'queued', queue: null });
  });
});
