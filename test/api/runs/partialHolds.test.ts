import { afterAll, expect, test } from '@jest/globals';
import { nanosOfUsd } from '../../../db/money.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import type { ErrorBody } from '../../support/guardStage.ts';
import { setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const scopes = ['llm'];
const capped = (usd: string) => ({ scopes, spendLimitNanos: nanosOfUsd(usd), spendLimitPeriod: null });

test('a run that waits for another key’s part of its cost says so, and what it may cost at once', async () => {
  const one = await stage.account(capped('0.1'));
  const { workspaceId } = one;
  const other = await createKey(stage.db.everywhere, { workspaceId, name: 'other', ...capped('0.2') });
  expect(await stage.create({}, { key: one.secret })).toMatchObject({ max_cost_usd: 0.5, held_usd: 0.1 });
  const refused = await stage.post({}, { key: other.secret });
  const { error } = (await refused.json()) as ErrorBody;
  expect([refused.status, error.code, refused.headers.get('x-limit-source')]).toEqual([429, 'balance_held', 'hold']);
  expect(error.message).toBe(
    'Another request of this workspace runs with less money than it may cost, which only one may at a time. ' +
      'Try again when it has ended, or send a request that costs at most 0.2 USD.',
  );
  const cheaper = await stage.create({ max_cost_usd: 0.2 }, { key: other.secret });
  expect(cheaper).toMatchObject({ held_usd: 0.2 });
});
