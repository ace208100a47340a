import { afterAll, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { findPlatformWorkspaceId, findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage({ env: { EARNINGS_MATURE_DAYS: '0' } });
const publisher = await stage.account({ scopes: ['llm', 'publisher'] });
const workspaceId = (await findPlatformWorkspaceId(stage.db.everywhere))!;
const operator = (await createKey(stage.db.everywhere, { workspaceId, name: 'ops', scopes: ['operator'] })).secret;
const subtotalNanos = nanosOfUsd(0.5);
const run = await makeRun(stage.db, stage.mine, {
  maxCostNanos: subtotalNanos,
  publisherWorkspaceId: publisher.workspaceId,
});
await finishTestRun(stage.db, run, { subtotalNanos });
afterAll(() => stage.close());

interface Payout {
  id: string;
  amount_usd: number;
  status: string;
}

const path = '/v1/publisher/payouts';
const order = (body: object, headers: Record<string, string> = {}, key = publisher.secret) =>
  stage.call(path, { key, body, headers });
const balance = async () =>
  (
    await read<{ balance_usd: number }>(
      await stage.call('/platform/v1/billing/balance', { key: publisher.secret }),
      200,
    )
  ).balance_usd;

test('earnings move to the balance once per Idempotency-Key, and are in ledger and statement', async () => {
  const before = await balance();
  const headers = { 'idempotency-key': 'payout-once-1' };
  const made = await read<Payout>(await order({ amount_usd: 0.2, to: 'balance' }, headers), 201);
  expect(made).toMatchObject({ object: 'publisher.payout', amount_usd: 0.2, to: 'balance', status: 'paid' });
  expect(await read(await order({ amount_usd: 0.2, to: 'balance' }, headers), 201)).toEqual(made);
  expect(nanosOfUsd(await balance()) - nanosOfUsd(before)).toBe(nanosOfUsd(0.2));
  const key = publisher.secret;
  const ledger = await read<{ data: object[] }>(
    await stage.call('/platform/v1/billing/ledger?kind=payout', { key }),
    200,
  );
  expect(ledger.data).toMatchObject([{ kind: 'payout', amount_usd: 0.2 }]);
  const statement = await read(await stage.call('/v1/publisher/statement', { key }), 200);
  expect(statement).toMatchObject({
    opening_usd: 0,
    totals: { earned_usd: 0.5 },
    paid_out_usd: 0.2,
    closing_usd: 0.3,
    balance_usd: 0.5,
    available_usd: 0.3,
    transferable_usd: 0.3,
    maturing_usd: 0,
    maturing_on: [],
    requested_usd: 0,
    mature_days: 0,
    paid_out: [{ payout_id: made.id, to: 'balance', reference: null, amount_usd: 0.2 }],
    payouts: [{ id: made.id }],
  });
  const csv = await (await stage.call('/v1/publisher/statement?format=csv', { key })).text();
  const rows = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  expect(rows.map((cells) => [cells[9], Number(cells[8]), Number(cells[12]), Number(cells[13])])).toEqual([
    ['', 0, 0, 0],
    ['', 0.5, 0, 0.5],
    [made.id, 0, 0.2, 0.3],
  ]);
});

test('a transfer is confirmed by an operator with a reference, or rejected with a reason', async () => {
  const [first, second] = [
    await read<Payout>(await order({ amount_usd: 0.1, to: 'transfer' }), 201),
    await read<Payout>(await order({ to: 'transfer' }), 201),
  ];
  expect([first.status, second.amount_usd]).toEqual(['requested', 0.2]);
  const decide = (id: string, move: string, body: object) =>
    stage.call(`/console/v1/payouts/${id}/${move}`, { key: operator, body });
  // The key was made on the command line, so the second person is unknown.
  const unknown = await decide(first.id, 'send', { reference: 'SEPA 1' });
  expect(await errorOf(unknown)).toMatchObject({ status: 403, code: 'person_required' });
  expect((await decide(first.id, 'send', { reference: ' ' })).status).toBe(422);
  const rejected = await read(await decide(second.id, 'reject', { reason: 'No such account.' }), 200);
  expect(rejected).toMatchObject({
    status: 'rejected',
    reason: 'No such account.',
    workspace_id: publisher.workspaceId,
  });
  const late = await decide(second.id, 'reject', { reason: 'Again.' });
  expect(await errorOf(late)).toMatchObject({ status: 409, code: 'payout_ended' });
  const nameOf = async (id: string) => (await findWorkspace(stage.db.everywhere, id))!.name;
  const open = await read<{ data: object[] }>(
    await stage.call('/console/v1/payouts?status=requested', { key: operator }),
    200,
  );
  expect(open.data).toMatchObject([
    {
      id: first.id,
      may_confirm: false,
      balance_usd: await balance(),
      earned_from: expect.any(String),
      earned_until: expect.any(String),
      workspace_name: await nameOf(publisher.workspaceId),
      sources: [
        {
          workspace_id: stage.mine.workspaceId,
          workspace_name: await nameOf(stage.mine.workspaceId),
          earned_usd: 0.1,
          balance_usd: expect.any(Number),
        },
      ],
    },
  ]);
  const listed = await read<{ data: Payout[] }>(await stage.call(path, { key: publisher.secret }), 200);
  expect(listed.data.map(({ status }) => status)).toEqual(['rejected', 'requested', 'paid']);
  const held = await read(await stage.call('/v1/publisher/statement', { key: publisher.secret }), 200);
  expect(held).toMatchObject({ requested_usd: 0.1 });
});

test.each([
  [{ to: 'balance', amount_usd: 0 }, 422, 'amount_usd'],
  [{ to: 'balance', amount_usd: -1 }, 422, 'amount_usd'],
  [{ to: 'balance', amount_usd: 0.00000000001 }, 422, 'amount_usd'],
  [{ to: 'transfer', amount_usd: 0.015 }, 422, 'amount_usd'],
  [{ to: 'bank' }, 422, 'to'],
  [{ to: 'balance', amount_usd: 100 }, 409, null],
])('refuses %j', async (body, status, param) => {
  expect(await errorOf(await order(body))).toMatchObject({ status, param });
});

test('a transfer is of whole cents, as a bank sends it: the rest stays among the earnings', async () => {
  const earner = await stage.account({ scopes: ['publisher'] });
  const subtotalNanos = 1_239_999_999n;
  const { workspaceId: publisherWorkspaceId, secret: key } = earner;
  await finishTestRun(
    stage.db,
    await makeRun(stage.db, stage.mine, { maxCostNanos: subtotalNanos, publisherWorkspaceId }),
    { subtotalNanos },
  );
  const statement = () => stage.call('/v1/publisher/statement', { key }).then((answer) => read(answer, 200));
  expect(await statement()).toMatchObject({ available_usd: 1.239999999, transferable_usd: 1.23 });
  expect(await read(await order({ to: 'transfer' }, {}, key), 201)).toMatchObject({ amount_usd: 1.23 });
  expect(await statement()).toMatchObject({ available_usd: 0.009999999, transferable_usd: 0, requested_usd: 1.23 });
  expect(await errorOf(await order({ to: 'transfer' }, {}, key))).toMatchObject({ code: 'earnings_too_small' });
  expect(await read(await order({ to: 'balance' }, {}, key), 201)).toMatchObject({ amount_usd: 0.009999999 });
});

test('other keys and workspaces reach nothing of it', async () => {
  expect((await stage.call(path, { key: stage.mine.secret })).status).toBe(403);
  const { secret } = await stage.account({ scopes: ['publisher'] });
  expect(await read(await stage.call(path, { key: secret }), 200)).toMatchObject({ data: [] });
  expect(await errorOf(await order({ to: 'balance' }, {}, secret))).toMatchObject({ code: 'earnings_too_small' });
});
