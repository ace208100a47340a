import { afterAll, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { newId } from '../../../db/ids.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { batchWorkflowId } from '../../../contracts/batch.ts';
import { balanceOf } from '../../support/account.ts';
import { chatLine, setBatchStage, slowLines } from '../../support/batchStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { limitProjectOf } from '../../support/limitedProject.ts';
import { until } from '../../support/until.ts';
import { openTemporalClient } from '../../support/temporal.ts';
import { makeEndpointOf, startReceiver } from '../stages/webhookStage.ts';

const stage = await setBatchStage({ env: { BATCH_CONCURRENCY: '2', WEBHOOK_LOOPBACK: 'on' } });
const client = stage.clientOf((await stage.account({ creditUsd: '100' })).secret);
await stage.startWorker();
afterAll(() => stage.close());

const run = async (lines: (object | string)[], by: OpenAI) => stage.ended(by, (await stage.create(by, lines)).id);

test('the rest of a batch whose money is gone is in the error file as insufficient_balance', async () => {
  const account = await stage.account({ balanceNanos: 200_000n });
  const by = stage.clientOf(account.secret);
  const batch = await run(
    Array.from({ length: 40 }, (_, nth) => chatLine(`${nth}`, 'Say a few words about the weather in spring.')),
    by,
  );
  const [answers, errors] = [await stage.read(by, batch.output_file_id), await stage.read(by, batch.error_file_id)];
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 40, completed: answers.length } });
  expect(answers.length).toBeGreaterThan(0);
  expect(errors.length).toBe(40 - answers.length);
  expect(errors.at(-1)).toMatchObject({ response: null, error: { code: 'insufficient_balance' } });
  expect(await balanceOf(stage.db, account.workspaceId)).toBeGreaterThanOrEqual(0n);
  await expectSoundLedger(stage.db);
});

test("the rest is there as key_spend_limit_reached when the key's limit is reached", async () => {
  const account = await stage.account({ spendLimitNanos: 100_000n, spendLimitPeriod: 'daily' });
  const by = stage.clientOf(account.secret);
  const batch = await run(
    Array.from({ length: 30 }, (_, nth) => chatLine(`${nth}`, 'Hello.')),
    by,
  );
  const errors = await stage.read(by, batch.error_file_id);
  expect(errors.at(-1)).toMatchObject({ response: null, error: { code: 'key_spend_limit_reached' } });
  expect(await balanceOf(stage.db, account.workspaceId)).toBeGreaterThanOrEqual(10_000_000_000n - 100_000n);
});

test("the rest is there as project_spend_limit_reached when the limit of the key's project is reached", async () => {
  const account = await limitProjectOf(stage.db, await stage.account(), 100_000n);
  const by = stage.clientOf(account.secret);
  const batch = await run(
    Array.from({ length: 30 }, (_, nth) => chatLine(`${nth}`, 'Hello.')),
    by,
  );
  const [answers, errors] = [await stage.read(by, batch.output_file_id), await stage.read(by, batch.error_file_id)];
  expect([batch.status, answers.length > 0, errors.length]).toEqual(['completed', true, 30 - answers.length]);
  expect(errors.at(-1)).toMatchObject({
    response: null,
    error: { code: 'project_spend_limit_reached', message: expect.stringContaining("the key's project") },
  });
});

test('a revoked key ends its batch, whose answered lines stay', async () => {
  const account = await stage.account();
  const by = stage.clientOf(account.secret);
  const created = await stage.create(by, slowLines(30));
  await until(async () => (await by.batches.retrieve(created.id)).request_counts!.completed > 2, { pollMs: 50 });
  await revokeKey(stage.db, account.keyId);
  const rows = async () =>
    (await stage.db.pool.query('select status, completed, failed from batches where id = $1', [created.id])).rows[0];
  await until(async () => (await rows()).status === 'completed', { pollMs: 100 });
  const { completed, failed } = await rows();
  expect([completed > 2, failed > 0, completed + failed]).toEqual([true, true, 30]);
});

test('a cancelled batch finishes what runs, bills it, and has the rest as batch_cancelled', async () => {
  const created = await stage.create(client, slowLines(20));
  await until(async () => (await client.batches.retrieve(created.id)).request_counts!.completed > 2, { pollMs: 50 });
  const cancelling = await client.batches.cancel(created.id);
  expect(cancelling).toMatchObject({ status: 'cancelling', cancelling_at: expect.any(Number) });
  expect(await client.batches.cancel(created.id)).toMatchObject({ id: created.id });
  const batch = await stage.ended(client, created.id);
  const [answers, errors] = [
    await stage.read(client, batch.output_file_id),
    await stage.read(client, batch.error_file_id),
  ];
  expect(batch).toMatchObject({
    status: 'cancelled',
    cancelled_at: expect.any(Number),
    request_counts: { total: 20, completed: answers.length, failed: errors.length },
  });
  expect([answers.length > 2, errors.length > 5, answers.length + errors.length]).toEqual([true, true, 20]);
  expect(new Set(errors.map(({ error }) => error!.code))).toEqual(new Set(['batch_cancelled']));
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select count(*)::int as count from requests where id = any ($1)', [
    answers.map(({ response }) => response!.request_id),
  ]);
  expect(rows[0].count).toBe(answers.length);
  await expect(client.batches.cancel(created.id)).resolves.toMatchObject({ status: 'cancelled' });
});

test('a batch whose time is over keeps its answers, and has the rest as batch_expired', async () => {
  const created = await stage.create(client, slowLines(20));
  await until(async () => (await client.batches.retrieve(created.id)).request_counts!.completed > 2, { pollMs: 50 });
  await stage.db.pool.query('update batches set expires_at = now() where id = $1', [created.id]);
  const batch = await stage.ended(client, created.id);
  const [answers, errors] = [
    await stage.read(client, batch.output_file_id),
    await stage.read(client, batch.error_file_id),
  ];
  expect(batch).toMatchObject({ status: 'expired', expired_at: expect.any(Number) });
  expect([answers.length > 2, answers.length + errors.length]).toEqual([true, 20]);
  expect(errors.at(-1)!.error!.code).toBe('batch_expired');
});

test('the clock of a test workspace ends the window of a batch, whose lines are as slow as it asks', async () => {
  const { secret, workspaceId } = await stage.account({ isTest: true });
  const by = stage.clientOf(secret);
  const lines = Array.from({ length: 20 }, (_, nth) => chatLine(`${nth}`, 'Hello.'));
  const created = await stage.create(by, lines, { metadata: { test_fault: 'slow_first_byte=500' } });
  await until(async () => (await by.batches.retrieve(created.id)).request_counts!.completed > 2, { pollMs: 50 });
  const headers = { authorization: `Bearer ${secret}` };
  const body = JSON.stringify({ seconds: 86_400 });
  expect((await stage.ask('/platform/v1/test_clock/advance', { headers, body })).status).toBe(200);
  const batch = await stage.ended(by, created.id);
  const [answers, errors] = [await stage.read(by, batch.output_file_id), await stage.read(by, batch.error_file_id)];
  expect([batch.status, answers.length > 2, answers.length + errors.length]).toEqual(['expired', true, 20]);
  expect(errors.at(-1)!.error!.code).toBe('batch_expired');
  expect(await balanceOf(stage.db, workspaceId)).toBeLessThan(10_000_000_000n);
  await expectSoundLedger(stage.db);
});

test('webhooks say how a batch ended', async () => {
  const account = await stage.account();
  const by = stage.clientOf(account.secret);
  const receiver = await startReceiver();
  const secret = await makeEndpointOf(stage.db, account, { url: receiver.url });
  const ended = [await run([chatLine('a', 'x')], by), await run(['x'], by)];
  const [cancelled, expired] = [await stage.create(by, slowLines(30)), await stage.create(by, slowLines(30))];
  await by.batches.cancel(cancelled.id);
  await stage.db.pool.query('update batches set expires_at = now() where id = $1', [expired.id]);
  for (const { id } of [cancelled, expired]) ended.push(await stage.ended(by, id));
  const wanted = ended.map(({ id, status }) => `batch.${status} ${id}`).toSorted();
  await until(() => receiver.received.length >= wanted.length, { timeoutMs: 60_000 });
  const events = await Promise.all(
    receiver.received.map(({ body, headers }) => by.webhooks.unwrap(body, headers as Record<string, string>, secret)),
  );
  expect(events.map(({ type, data }) => `${type} ${(data as { id: string }).id}`).toSorted()).toEqual(wanted);
  const types = ['batch.cancelled', 'batch.completed', 'batch.expired', 'batch.failed'];
  expect(wanted.map((one) => one.split(' ')[0])).toEqual(types);
  await receiver.stop();
});

test('a batch whose workflow an operator ended goes on where it was', async () => {
  const created = await stage.create(client, slowLines(12));
  await until(async () => (await client.batches.retrieve(created.id)).request_counts!.completed > 2, { pollMs: 50 });
  const temporal = await openTemporalClient(stage.temporal);
  await temporal.client.workflow.getHandle(batchWorkflowId(created.id)).terminate();
  // As if a minute had passed.
  await stage.db.pool.query(`update batches set workflow_started_at = now() - interval '2 minutes' where id = $1`, [
    created.id,
  ]);
  const batch = await stage.ended(client, created.id);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 12, completed: 12, failed: 0 } });
  await temporal.close();
  await expectSoundLedger(stage.db);
});

test('a batch whose files are being written ends as completed, also when its time is over before', async () => {
  const created = await stage.create(client, slowLines(12));
  await until(async () => (await client.batches.retrieve(created.id)).request_counts!.completed > 2, { pollMs: 50 });
  const temporal = await openTemporalClient(stage.temporal);
  await temporal.client.workflow.getHandle(batchWorkflowId(created.id)).terminate();
  // As if its worker had been lost while it wrote them.
  await stage.db.pool.query(
    `update batches set status = 'finalizing', finalizing_at = now(), output_file_id = $2, error_file_id = $3, expires_at = now(),
       workflow_started_at = now() - interval '2 minutes' where id = $1`,
    [created.id, newId('file'), newId('file')],
  );
  expect(await stage.ended(client, created.id)).toMatchObject({ status: 'completed' });
  await temporal.close();
});

test('a cancellation in Temporal cancels the batch', async () => {
  const created = await stage.create(client, slowLines(20));
  await until(async () => (await client.batches.retrieve(created.id)).request_counts!.completed > 0, { pollMs: 50 });
  const temporal = await openTemporalClient(stage.temporal);
  await temporal.client.workflow.getHandle(batchWorkflowId(created.id)).cancel();
  expect(await stage.ended(client, created.id)).toMatchObject({ status: 'cancelled' });
  await temporal.close();
});
