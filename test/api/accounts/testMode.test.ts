import { afterAll, expect, test } from '@jest/globals';
import { setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

test('a member switches to the test workspace and back: its keys, money and rights are apart', async () => {
  const owner = await stage.person({ name: 'Tess' });
  expect((await owner.post('keys', { name: 'real' })).status).toBe(201);
  expect(await owner.post('mode', { mode: 'test' })).toMatchObject({ status: 200, body: { mode: 'test' } });
  const me = (await owner.get('me')).body;
  expect(me).toMatchObject({ mode: 'test', workspace: owner.me.workspace, features: { payments: 'test' } });
  expect(me.scopes).toContain('publisher');
  expect((await owner.get('keys')).body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  const made = await owner.post('keys', { name: 'ci' });
  expect(made).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^sk_test_/) } });
  expect(await owner.post('checkout', { amount: 10 })).toMatchObject({ status: 200 });
  expect((await owner.get('balance')).body).toMatchObject({ balance_usd: 10 });
  expect((await owner.get('test_clock')).body).toMatchObject({ object: 'test_clock', ahead_seconds: 0 });
  await owner.post('mode', { mode: 'live' });
  expect((await owner.get('me')).body).toMatchObject({ mode: 'live', workspace: owner.me.workspace });
  expect((await owner.get('balance')).body).toMatchObject({ balance_usd: 0 });
  expect(await owner.get('test_clock')).toMatchObject({ status: 409, body: { error: { code: 'test_mode_only' } } });
  expect(await owner.post('mode', { mode: 'other' })).toMatchObject({ status: 422 });
});

test('who leaves a workspace leaves its test workspace too', async () => {
  const owner = await stage.person({ name: 'Vera' });
  await owner.post('mode', { mode: 'test' });
  const { workspace } = owner.me;
  await stage.db.pool.query('delete from members where user_id = $1', [owner.me.user.id]);
  const me = (await owner.get('me')).body;
  expect(me.mode).toBe('live');
  expect((me.workspace as { id: string }).id).not.toBe(workspace.id);
});
