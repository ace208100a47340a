import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { errorOf, read, setRunRouteStage, writer } from '../../support/runRouteStage.ts';

// Temporal is away: a firing that is allowed is 503.
const stage = await setRunRouteStage();
afterAll(() => stage.close());

const order = { every_seconds: 3600, run: { agent: writer, input: 'Write the plan.' } };

const make = async (key?: string) =>
  `/v1/schedules/${(await read<{ id: string }>(await stage.call('/v1/schedules', { key, body: order }), 201)).id}`;
const derive = async (key: string, body: object = {}) =>
  (
    await read<{ key: string }>(
      await stage.call('/platform/v1/keys/derive', { key, body: { name: 'child', ...body } }),
      201,
    )
  ).key;

/** The statuses of all that lets the schedule spend. */
const spendingBy = async (key: string, schedule: string) => ({
  change: (await stage.call(schedule, { key, method: 'PATCH', body: { remaining_runs: 5 } })).status,
  resume: (await stage.call(`${schedule}/resume`, { key, method: 'POST' })).status,
  trigger: (await stage.call(`${schedule}/trigger`, { key, method: 'POST' })).status,
});
const allowed = { change: 200, resume: 200, trigger: 503 };
const refused = { change: 403, resume: 403, trigger: 403 };

describe('a schedule of another key', () => {
  test('cannot be made to spend by a derived key, which can pause and delete it', async () => {
    const schedule = await make();
    const child = await derive(stage.mine.secret, { scopes: ['agents'], spend_limit: 0.01 });
    expect(await spendingBy(child, schedule)).toEqual(refused);
    const response = await stage.call(schedule, { key: child, method: 'PATCH', body: { run: order.run } });
    expect(await errorOf(response)).toMatchObject({ status: 403, code: 'schedule_of_another_key' });
    expect((await stage.call(`${schedule}/pause`, { key: child, method: 'POST' })).status).toBe(200);
    expect((await stage.call(schedule, { key: child, method: 'DELETE' })).status).toBe(200);
  });

  test.each([
    ['a spend limit', { spendLimitNanos: 1_000_000_000n }],
    ['a list of agents', { allowedAgents: [writer] }],
  ])('cannot be made to spend by a key with %s', async (_which, limit) => {
    const { workspaceId } = stage.mine;
    const key = { workspaceId, name: 'limited', scopes: ['agents'], ...limit };
    const [schedule, { secret: limited }] = [await make(), await createKey(stage.db.everywhere, key)];
    expect(await spendingBy(limited, schedule)).toEqual(refused);
    expect(await spendingBy(limited, await make(limited))).toEqual(allowed);
  });

  test('can by a key without limits, and by the key above its own', async () => {
    const child = await derive(stage.mine.secret);
    const grandchild = await derive(child);
    const schedule = await make(grandchild);
    expect(await spendingBy(stage.mine.secret, schedule)).toEqual(allowed);
    expect(await spendingBy(child, schedule)).toEqual(allowed);
    expect(await spendingBy(await derive(stage.mine.secret), schedule)).toEqual(refused);
  });
});
