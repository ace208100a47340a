import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { beginRun } from '../../support/run.ts';
import { pauseRun, resumeRun } from '../../../db/runs/states/pauseRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const answer = (id: string, body: object, key?: string) =>
  stage.call(`/v1/runs/${id}/input`, { body, ...(key !== undefined && { key }) });

/** A run that waits as described by `pause`. */
async function waitingRun(
  pause: Parameters<typeof pauseRun>[2],
  key = stage.mine.secret,
  members = {},
): Promise<string> {
  const { id } = await stage.create(members, { key });
  await beginRun(stage.db.pool, id);
  await pauseRun(stage.db, id, pause);
  return id;
}

/** An account with 0.3 US dollars, and a function that adds money. */
async function poorAccount() {
  const { secret, workspaceId } = await stage.account({ creditUsd: '0.3' });
  const topUp = (usd: string) =>
    stage.db.ledger.transfer({
      kind: 'topup',
      subject: newId('test'),
      workspaceId,
      houseAccountId: 'payments',
      amountNanos: nanosOfUsd(usd),
    });
  return { secret, topUp };
}

const question = { type: 'text' as const, step: 2, question: 'Which year?' };

describe('POST /v1/runs/{run_id}/input', () => {
  test('passes an answer to the workflow once, and does not show it', async () => {
    const id = await waitingRun(question);
    expect((await stage.getRun(id)).required_action).toMatchObject({ type: 'text', question: 'Which year?' });
    const run = await read<RunObject>(await answer(id, { type: 'text', text: '2026' }), 202);
    // Even before its workflow has read it.
    const continued = { status: 'in_progress', required_action: null };
    expect(run).toMatchObject(continued);
    expect(await stage.getRun(id)).toMatchObject(continued);
    const waiting = await read<{ data: { id: string }[] }>(await stage.call('/v1/runs?status=requires_action'), 200);
    expect(waiting.data.map((one) => one.id)).not.toContain(id);
    const going = await read<{ data: { id: string }[] }>(await stage.call('/v1/runs?status=in_progress'), 200);
    expect(going.data.map((one) => one.id)).toContain(id);
    expect(await errorOf(await answer(id, { type: 'text', text: '2027' }))).toMatchObject({
      status: 409,
      code: 'run_not_waiting',
    });
    await resumeRun(stage.db.pool, { runId: id, step: 2 });
    expect(await stage.getRun(id)).toMatchObject({ status: 'in_progress', required_action: null });
    const { rows } = await stage.db.pool.query('select result from run_steps where run_id = $1 and step = 2', [id]);
    expect(rows).toEqual([{ result: { text: '2026', isError: false } }]);
  });

  test('raises the limit and the hold', async () => {
    const { secret } = await stage.account({ creditUsd: '1' });
    const id = await waitingRun({ type: 'raise_limit', step: 1 }, secret, { max_cost_usd: 0.1 });
    const run = await read<RunObject>(await answer(id, { type: 'raise_limit', max_cost_usd: 0.4 }, secret), 202);
    expect(run).toMatchObject({ max_cost_usd: 0.4, held_usd: 0.4 });
    const balance = await stage.call('/platform/v1/billing/balance', { key: secret });
    expect(await balance.json()).toEqual({ balance_usd: 1, held_usd: 0.4, available_usd: 0.6 });
  });

  test('lets a limited key raise no limit of another key, but that of its own runs', async () => {
    const { secret } = await stage.account({ creditUsd: '2' });
    const body = { name: 'child', scopes: ['agents'], spend_limit: 1 };
    const derived = await stage.call('/platform/v1/keys/derive', { key: secret, body });
    const { key: child } = await read<{ key: string }>(derived, 201);
    const raise = { type: 'raise_limit', max_cost_usd: 0.4 };
    const above = await waitingRun({ type: 'raise_limit', step: 1 }, secret, { max_cost_usd: 0.1 });
    expect(await errorOf(await answer(above, raise, child))).toMatchObject({ status: 403, code: 'run_of_another_key' });
    expect(await stage.getRun(above, secret)).toMatchObject({ status: 'requires_action', max_cost_usd: 0.1 });
    const own = await waitingRun({ type: 'raise_limit', step: 1 }, child, { max_cost_usd: 0.1 });
    expect(await read<RunObject>(await answer(own, raise, child), 202)).toMatchObject({ max_cost_usd: 0.4 });
    expect((await answer(above, raise, secret)).status).toBe(202);
  });

  test('refuses a limit that the money does not cover, and changes nothing', async () => {
    const { secret } = await stage.account({ creditUsd: '0.3' });
    const id = await waitingRun({ type: 'raise_limit', step: 1 }, secret, { max_cost_usd: 0.1 });
    const response = await answer(id, { type: 'raise_limit', max_cost_usd: 0.4 }, secret);
    expect(response.headers.get('x-limit-source')).toBe('balance');
    expect(await errorOf(response)).toMatchObject({ status: 402, code: 'insufficient_balance' });
    expect(await stage.getRun(id, secret)).toMatchObject({ status: 'requires_action', max_cost_usd: 0.1, held_usd: 0 });
  });

  test('releases the unused hold while it waits, and takes it again with the answer', async () => {
    const { secret } = await stage.account({ creditUsd: '1' });
    const id = await waitingRun(question, secret, { max_cost_usd: 0.4 });
    const heldUsd = async () => {
      const balance = await read<{ held_usd: number }>(
        await stage.call('/platform/v1/billing/balance', { key: secret }),
        200,
      );
      return [balance.held_usd, (await stage.getRun(id, secret)).held_usd];
    };
    expect(await heldUsd()).toEqual([0, 0]);
    await read(await answer(id, { type: 'text', text: '2026' }, secret), 202);
    expect(await heldUsd()).toEqual([0.4, 0.4]);
  });

  test('releases money for other calls while it waits, although it had taken everything', async () => {
    const { secret, topUp } = await poorAccount();
    const id = await waitingRun({ type: 'raise_limit', step: 1 }, secret, { max_cost_usd: 0.4 });
    // It got only a part of the requested money: all that was free.
    expect((await stage.getRun(id, secret)).required_action).toMatchObject({ held_usd: 0.3 });
    const other = await stage.create({ max_cost_usd: 0.2 }, { key: secret });
    expect(other.held_usd).toBe(0.2);
    const raise = (max_cost_usd: number) => answer(id, { type: 'raise_limit', max_cost_usd }, secret);
    expect(await errorOf(await raise(0.4))).toMatchObject({ status: 402, code: 'insufficient_balance' });
    await topUp('0.3');
    expect(await read<RunObject>(await raise(0.4), 202)).toMatchObject({ max_cost_usd: 0.4, held_usd: 0.4 });
  });

  test('keeps waiting when no money is left', async () => {
    const { secret } = await poorAccount();
    const id = await waitingRun(question, secret, { max_cost_usd: 0.3 });
    const { id: other } = await stage.create({ max_cost_usd: 0.3 }, { key: secret });
    const text = { type: 'text', text: '2026' };
    expect(await errorOf(await answer(id, text, secret))).toMatchObject({ status: 429, code: 'balance_held' });
    expect((await stage.getRun(id, secret)).status).toBe('requires_action');
    await read(await stage.call(`/v1/runs/${other}/cancel`, { key: secret, method: 'POST' }), 202);
    expect(await read<RunObject>(await answer(id, text, secret), 202)).toMatchObject({ held_usd: 0.3 });
  });

  test.each([
    [0.05, 'lower than it is'],
    [0.6, 'higher than the agent allows'],
  ])('refuses a limit of %d: %s', async (max_cost_usd) => {
    const id = await waitingRun({ type: 'raise_limit', step: 1 }, stage.mine.secret, { max_cost_usd: 0.1 });
    expect(await errorOf(await answer(id, { type: 'raise_limit', max_cost_usd }))).toEqual({
      status: 422,
      code: 'validation_error',
      param: 'max_cost_usd',
    });
  });

  test("refuses an answer of another type, for a run that does not wait, and for another workspace's run", async () => {
    const id = await waitingRun(question);
    const { id: queued } = await stage.create();
    const text = { type: 'text', text: 'x' };
    for (const [response, status, code] of [
      [await answer(id, { type: 'raise_limit', max_cost_usd: 0.5 }), 409, 'input_not_wanted'],
      [await answer(queued, text), 409, 'run_not_waiting'],
      [await answer(id, text, stage.other.secret), 404, 'run_not_found'],
      [await answer(id, { type: 'file' }), 422, 'validation_error'],
    ] as const)
      expect(await errorOf(response)).toMatchObject({ status, code });
  });
});
