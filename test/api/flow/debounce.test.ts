import { afterAll, describe, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { until } from '../../support/until.ts';
import { setFlowStage, type Shown } from './flowStage.ts';

const stage = await setFlowStage();
afterAll(() => stage.close());

const burst = (input: string, more: object = {}) => ({
  input,
  max_cost_usd: 0.01,
  debounce: { key: 'document 7', seconds: 60, ...more },
});

/** Seconds from an order to the start of a waiting run. */
const secondsFrom = (order: Shown, { queue }: Shown): number =>
  Math.round((Date.parse(queue!.starts_at!) - Date.parse(order.created_at)) / 1_000);

describe('debounce of an order', () => {
  test('of a burst only the last order runs; the earlier ones cost nothing and name their successor', async () => {
    const { secret, workspaceId } = await stage.account();
    const first = await stage.order(secret, burst('one'));
    expect(first.queue).toMatchObject({ waits_for: 'debounce', key: 'document 7', position: null });
    await stage.age(workspaceId, 30);
    const second = await stage.order(secret, burst('two'));
    await stage.wait(workspaceId, 40);
    expect(await stage.isAdmitted(second.id)).toBe(false);
    const third = await stage.order(secret, burst('three'));
    await stage.wait(workspaceId, 61);
    expect(await stage.admittedOf(workspaceId)).toEqual([third.id]);
    expect(await stage.show(third.id, secret)).toMatchObject({ status: 'queued', input: 'three', queue: null });
    for (const [earlier, later] of [
      [first, second],
      [second, third],
    ] as const)
      expect(await stage.show(earlier.id, secret)).toMatchObject({
        status: 'cancelled',
        status_reason: `superseded by ${later.id}`,
        held_usd: 0,
        usage: { total_usd: 0 },
      });
  });

  test('starts at the latest max_seconds after the first order', async () => {
    const { secret, workspaceId } = await stage.account();
    const first = await stage.order(secret, burst('one', { max_seconds: 90 }));
    await stage.age(workspaceId, 50);
    const second = await stage.order(secret, burst('two', { max_seconds: 90 }));
    // The first order is 50 seconds older by now.
    expect(secondsFrom(first, second)).toBe(90 - 50);
    await stage.age(workspaceId, 45);
    // Its time has come, and nobody has looked yet: the last input is in it, and it starts at once.
    const third = await stage.order(secret, burst('three', { max_seconds: 90 }));
    expect(third.queue).toBeNull();
    expect(await stage.admittedOf(workspaceId)).toEqual([third.id]);
  });

  test('an order after the start begins a new burst', async () => {
    const { secret, workspaceId } = await stage.account();
    const first = await stage.order(secret, burst('one', { max_seconds: 60 }));
    await stage.wait(workspaceId, 61);
    const second = await stage.order(secret, burst('two', { max_seconds: 60 }));
    expect(secondsFrom(second, second)).toBe(60);
    expect(await stage.admittedOf(workspaceId)).toEqual([first.id]);
  });

  test('other keys and other agents are other bursts', async () => {
    const { secret } = await stage.account();
    await stage.order(secret, burst('one'));
    await stage.order(secret, { ...burst('two'), debounce: { key: 'document 8', seconds: 60 } });
    await stage.order(secret, { ...burst('three'), agent: 'ledgerline/researcher' });
    const list = await stage.call('/v1/runs?status=queued', { key: secret });
    expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(3);
  });

  test('needs money for one run only', async () => {
    const { secret } = await stage.account({ creditUsd: '0.015' });
    for (const input of ['one', 'two', 'three']) await stage.order(secret, burst(input));
    expect(await (await stage.call('/platform/v1/billing/balance', { key: secret })).json()).toMatchObject({
      held_usd: 0.01,
    });
  });

  test('a refused order supersedes nothing', async () => {
    const { secret } = await stage.account({ creditUsd: '0.015' });
    const first = await stage.order(secret, burst('one'));
    const refused = await stage.post({ ...burst('two'), session_id: 'ses_none' }, { key: secret });
    expect(refused.status).toBe(404);
    expect(await stage.show(first.id, secret)).toMatchObject({ status: 'queued' });
  });

  test('in one session the new order takes the place of the old one', async () => {
    const { secret, workspaceId } = await stage.account();
    const before = await stage.order(secret, { max_cost_usd: 0.01 });
    await stage.end(workspaceId, before.id);
    const inSession = { session_id: before.session_id };
    const first = await stage.order(secret, { ...burst('one'), ...inSession });
    const second = await stage.order(secret, { ...burst('two'), ...inSession });
    expect(second.session_id).toBe(first.session_id);
    await stage.wait(workspaceId, 61);
    expect(await stage.admittedOf(workspaceId)).toEqual([second.id]);
  });

  test('a repeated request with its Idempotency-Key gets its own run and changes nothing', async () => {
    const { secret } = await stage.account();
    const send = (input: string, name: string) =>
      stage.post(burst(input), { key: secret, headers: { 'idempotency-key': `${name}-0123456789` } });
    const answers = [await send('one', 'first'), await send('two', 'second'), await send('one', 'first')];
    const [first, second, again] = await Promise.all(answers.map((answer) => answer.text()));
    expect(again).toBe(first);
    expect(await stage.show((JSON.parse(second!) as Shown).id, secret)).toMatchObject({ status: 'queued' });
  });

  test('of 30 orders at once, at the deadline, none is lost: one runs, and every other one names a later one', async () => {
    const { secret, workspaceId } = await stage.account();
    const earliest = await stage.order(secret, burst('0'));
    await stage.age(workspaceId, 60);
    // The timer's turn and the orders come at the same instant.
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, (_, nth) => stage.order(secret, burst(`${nth + 1}`)))),
      stage.turns.take({ workspaceId }),
    ]);
    await stage.wait(workspaceId, 61);
    const shown = await Promise.all([earliest, ...answers].map(({ id }) => stage.show(id, secret)));
    const superseded = shown.filter(({ status }) => status === 'cancelled');
    const kept = shown.filter(({ status }) => status !== 'cancelled');
    // The first one may have started by itself.
    expect(kept.length).toBe(await stage.isAdmitted(earliest.id).then((alone) => (alone && kept.length === 2 ? 2 : 1)));
    expect(await stage.admittedOf(workspaceId)).toEqual(expect.arrayContaining(kept.map(({ id }) => id)));
    const ids = new Set(shown.map(({ id }) => id));
    for (const { status_reason: reason } of superseded)
      expect(ids.has(reason!.replace('superseded by ', ''))).toBe(true);
    expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
  });

  test('the API starts it by itself when its time has come', async () => {
    const { secret } = await stage.account();
    const { id } = await stage.order(secret, { ...burst('soon'), debounce: { key: 'soon', seconds: 1 } });
    await until(() => stage.isAdmitted(id));
  });
});
