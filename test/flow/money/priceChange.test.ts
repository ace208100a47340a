import { afterAll, expect, test } from '@jest/globals';
import { costNanosOf, usdOf, type Rates } from '../../../db/money.ts';
import { ratesIn } from '../../../db/catalog/prices.ts';
import { setCatalogStage, type PriceBody } from '../../api/catalog/catalogStage.ts';
import { balanceOf } from '../../support/account.ts';
import { told } from '../../support/guardStage.ts';
import { getJson, read } from '../../support/http.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';

const stage = await setCatalogStage();
afterAll(() => stage.close());

interface CallRow {
  id: string;
  usage: Record<string, number>;
  costNanos: string;
  priceId: string;
  startedAt: Date;
  durationMs: number;
}

const CALLS = `
select id, usage, cost_nanos::text as "costNanos", price_id as "priceId", started_at as "startedAt", duration_ms as "durationMs"
from requests where workspace_id = $1`;
const PRICE = 'select price_id as "priceId", rates, valid_from as "validFrom" from catalog_prices where id = $1';

/** Keeps calling a process, with streams that last while prices change, until it is told to stop. */
async function load(url: string, isOver: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const isLong = turn % 3 === 0;
    const script = { text: 'One two three four five six. '.repeat(4), chunks: 10, delayMs: isLong ? 50 : 1 };
    const answer = await stage.chat({ stream: isLong, messages: told(script) }, url);
    expect(answer.status).toBe(200);
    await answer.text();
    ids.push(answer.headers.get('x-request-id')!);
  }
  return ids;
}

test('calls of two processes cost what held when they started, explained with author, approver and day', async () => {
  const { db, customer, api } = stage;
  const { url } = await stage.startAnother();
  const priceOf = async (id: string) => (await db.pool.query<PriceRowOf>(PRICE, [id])).rows[0]!;
  const first = await priceOf((await stage.model()).price!.id);
  const creditNanos = await balanceOf(db, customer.workspaceId);
  let isOver = false;
  const loads = [api.url, url].flatMap((one) => Array.from({ length: 3 }, () => load(one, () => isOver)));
  const proposed = await stage.propose({ input_tokens: 11, output_tokens: 13.000_001 });
  const { valid_from } = await read<PriceBody>(stage.decide(proposed.id, 'approve'));
  const changed = await priceOf(proposed.id);
  expect(changed.validFrom.toISOString()).toBe(valid_from);
  const countNew = `select count(*)::int as calls from requests where price_id = $1`;
  await until(async () => (await db.pool.query(countNew, [proposed.id])).rows[0].calls >= 60);
  isOver = true;
  const byProcess = [await Promise.all(loads.slice(0, 3)), await Promise.all(loads.slice(3))].map((ids) => ids.flat());
  await db.ledger.posted();

  const rows = (await db.pool.query<CallRow>(CALLS, [customer.workspaceId])).rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const ids of byProcess) {
    const kinds = new Set(ids.map((id) => byId.get(id)!.priceId));
    expect([...kinds].toSorted()).toEqual([first.priceId, proposed.id].toSorted());
  }
  let spentNanos = 0n;
  for (const { usage, costNanos, priceId, startedAt } of rows) {
    const held = startedAt >= changed.validFrom ? changed : first;
    const rates: Rates = ratesIn(held.rates);
    expect({ startedAt, priceId, costNanos }).toEqual({
      startedAt,
      priceId: held.priceId,
      costNanos: `${costNanosOf(usage, rates)}`,
    });
    spentNanos += BigInt(costNanos);
  }
  expect(await balanceOf(db, customer.workspaceId)).toBe(creditNanos - spentNanos);
  // Some were running when the price changed.
  const isAcross = ({ startedAt, durationMs }: CallRow) =>
    startedAt < changed.validFrom && startedAt.getTime() + durationMs > changed.validFrom.getTime();
  expect(rows.some(isAcross)).toBe(true);
  await expectExplained(
    rows.find((row) => row.priceId === proposed.id)!,
    {
      source: 'operator',
      set_by: 'Ada',
      approved_by: 'Ben',
      valid_from,
    },
  );
  await expectExplained(rows.find(isAcross)!, { source: 'file', set_by: null, approved_by: null });
  await expectSoundLedger(db);
});

interface PriceRowOf {
  priceId: string;
  rates: Record<string, string>;
  validFrom: Date;
}

async function expectExplained({ id, costNanos }: CallRow, price: object): Promise<void> {
  const { body } = await getJson<{ total_usd: number; price_valid_from: string; price: { valid_from: string } }>(
    `${stage.api.url}/platform/v1/explain/${id}`,
    stage.customer.secret,
  );
  expect(body.price).toMatchObject(price);
  expect(body.price_valid_from).toBe(body.price.valid_from);
  expect(body.total_usd).toBe(usdOf(BigInt(costNanos)));
}

test('the history of a model shows amounts and days to customers, and names to operators', async () => {
  const path = `${stage.api.url}/platform/v1/models/${textModel}/prices`;
  const ofCustomer = await getJson<{ data: object[] }>(path, stage.customer.secret);
  expect(ofCustomer.body.data).toEqual([
    expect.objectContaining({ is_present: true, valid_until: null, set_by: null, approved_by: null }),
    expect.objectContaining({ is_present: false, usd_per_million: { input_tokens: 0.3, output_tokens: 2.5 } }),
  ]);
  const ofOperator = await getJson<{ data: object[] }>(path, stage.ada.secret);
  expect(ofOperator.body.data[0]).toMatchObject({ set_by: 'Ada', approved_by: 'Ben' });
});
