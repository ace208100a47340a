import { afterAll, describe, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import { newId } from '../../../db/ids.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { requestPayout } from '../../../db/payments/payouts.ts';
import { chatBody, chatPath, codeOf } from '../../support/guardStage.ts';
import { getJson, read } from '../../support/http.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { until } from '../../support/until.ts';
import { setPaymentStage, USD, type PaymentStage } from './paymentStage.ts';

const stage = await setPaymentStage();
afterAll(() => stage.close());

type Account = Awaited<ReturnType<PaymentStage['account']>>;

const newAccount = () => stage.account({ balanceNanos: 0n });
const month = () => new Date().toISOString().slice(0, 7);
const get = ({ secret }: { secret: string }, path: string) =>
  stage.ask(`/platform/v1/billing/${path}`, { headers: { authorization: `Bearer ${secret}` } });
const change = ({ secret }: { secret: string }, body: object) =>
  stage.ask('/platform/v1/billing/auto_topup', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });

async function call({ secret }: Account): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await stage.ask(chatPath, { headers, body: chatBody() });
  await read(Promise.resolve(response));
  const path = `${stage.api.url}/platform/v1/requests/${response.headers.get('x-request-id')}`;
  return (await getJson<{ cost_usd: number }>(path, secret)).body.cost_usd;
}

async function pay(account: Account, usd: number): Promise<string> {
  const { url } = await stage.order(account, usd);
  await stage.act(url, 'pay');
  return url;
}

describe('the statement of a month', () => {
  test('has the payments, reversals and spending, as JSON, CSV and PDF', async () => {
    const account = await newAccount();
    await stage.act(await pay(account, 30), 'refund', { usd: '12.50' });
    const costs = [await call(account), await call(account)];
    const spent = Number((costs[0]! + costs[1]!).toFixed(9));
    const closing = Number((17.5 - spent).toFixed(9));
    const line = { product: 'text', model: 'ledgerline-text-1', agent: null, requests: 2, cost_usd: spent };
    expect(await read(get(account, 'statement'))).toEqual({
      object: 'statement',
      month: month(),
      currency: 'USD',
      opening_balance_usd: 0,
      topups_usd: 30,
      refunds_usd: -12.5,
      adjustments_usd: 0,
      payouts_usd: 0,
      spend: [line],
      spend_by_project: [{ project_id: 'default', name: 'Default', requests: 2, cost_usd: spent }],
      spend_usd: spent,
      closing_balance_usd: closing,
      rows: expect.any(Array),
      earnings_usd: 0,
    });

    const csv = await get(account, `statement?month=${month()}&format=csv`);
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="statement-${month()}.csv"`);
    expect((await csv.text()).split('\r\n')).toEqual([
      'line,product,name,requests,amount_usd',
      'opening_balance,,,,0',
      'topups,,,,30',
      'refunds,,,,-12.5',
      'adjustments,,,,0',
      'payouts,,,,0',
      `spend,text,ledgerline-text-1,2,${(-spent).toFixed(9).replace(/0+$/, '')}`,
      `closing_balance,,,,${closing}`,
      '',
    ]);

    await stage.db.pool.query(`update workspaces set name = 'Łódź Ölmühle' where id = $1`, [account.workspaceId]);
    const pdf = await get(account, 'statement?format=pdf');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer())), {
      mergePages: true,
    });
    for (const shown of [
      'Łódź Ölmühle',
      account.workspaceId,
      'Opening balance',
      'ledgerline-text-1',
      String(closing),
      'Page 1 of 1',
    ])
      expect(text).toContain(shown);
    expect(text).toMatch(/\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC/);
  });

  test('adds up: each row of the page, the CSV and the PDF is in the sum, and earnings are beside it', async () => {
    const account = await newAccount();
    await stage.act(await pay(account, 30), 'refund', { usd: '12.50' });
    await call(account);
    const run = await makeRun(stage.db, account, { maxCostNanos: 3n * USD });
    await finishTestRun(stage.db, run, { subtotalNanos: 3n * USD });
    const by = { personId: 'ada', isKnown: true, name: 'ada', keyId: null, requestId: 'req_1' };
    const order = { id: newId('po'), amountNanos: USD, destination: 'balance' as const, by, matureDays: 0 };
    await requestPayout(stage.db.write(account.workspaceId), order);

    const statement = await read<{
      rows: { line: string; amount_usd: number }[];
      closing_balance_usd: number;
      earnings_usd: number;
    }>(get(account, 'statement'));
    const closing = nanosOfUsd(statement.closing_balance_usd);
    expect([await stage.balance(account), statement.earnings_usd]).toEqual([closing, 3]);
    const shown = statement.rows.map(({ amount_usd: usd }) => nanosOfUsd(usd));
    const csv = await (await get(account, 'statement?format=csv')).text();
    const cells = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    const pdf = await get(account, 'statement?format=pdf');
    const document = await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer()));
    const { text } = await extractText(document, { mergePages: true });
    const printed = text
      .match(/-?[\d,]+\.\d{2,9}(?! USD)/g)!
      .map((amount) => nanosOfUsd(Number(amount.replaceAll(',', ''))));
    expect(cells.map((cell) => nanosOfUsd(Number(cell[4])))).toEqual(shown);
    expect(printed).toEqual(shown);
    expect(cells.map(([line]) => line)).toEqual(statement.rows.map(({ line }) => line));
    expect(shown.slice(0, -1).reduce((sum, nanos) => sum + nanos, 0n)).toBe(shown.at(-1));
    expect(shown.at(-1)).toBe(closing);
    expect(text).toContain('Published agents earned 3.00 USD');
  });

  test('is empty before the workspace existed', async () => {
    const statement = await read(get(await newAccount(), 'statement?month=2024-02'));
    expect(statement).toMatchObject({ opening_balance_usd: 0, spend: [], closing_balance_usd: 0 });
  });

  test.each(['month=2026-13', 'month=2026', 'format=xml', 'colour=red'])('is refused for %s', async (asked) => {
    expect((await get(await newAccount(), `statement?${asked}`)).status).toBe(422);
  });
});

test('the test payment page has the typeface, the icon and the amounts of the product', async () => {
  const { url } = await stage.order(await newAccount(), 250);
  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toContain("font-src 'self'");
  const html = await page.text();
  expect(html).toContain('$250.00');
  for (const [path, type] of [
    ['/geist.woff2', 'font/woff2'],
    ['/favicon.svg', 'image/svg+xml'],
  ] as const) {
    expect(html).toContain(path);
    const file = await fetch(new URL(path, url));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});

test('lists payments with their reversals and receipts, in pages', async () => {
  const account = await newAccount();
  await stage.act(await pay(account, 20), 'refund', { usd: '5' });
  await stage.order(account, 40);
  const first = await read<{ data: object[]; next_cursor: string }>(get(account, 'topups?limit=1'));
  expect(first.data).toEqual([
    expect.objectContaining({ status: 'open', amount_usd: 40, receipt_url: null, paid_at: null, source: 'checkout' }),
  ]);
  const second = await read<{ data: object[]; has_more: boolean }>(
    get(account, `topups?limit=1&cursor=${first.next_cursor}`),
  );
  expect(second).toMatchObject({ has_more: false, next_cursor: null });
  expect(second.data).toEqual([
    expect.objectContaining({
      object: 'topup',
      status: 'paid',
      amount_usd: 20,
      refunded_usd: 5,
      disputed_usd: 0,
      receipt_url: expect.stringMatching(/^http/),
      paid_at: expect.any(String),
    }),
  ]);
  const [{ receipt_url: receipt }] = second.data as [{ receipt_url: string }];
  expect(await (await fetch(receipt)).text()).toContain('$20.00');
  expect((await read<{ data: object[] }>(get(await newAccount(), 'topups'))).data).toEqual([]);
});

test('a payment that waited for the balance was paid when it was credited: both are of one month', async () => {
  const account = await newAccount();
  const { url } = await stage.order(account, 10);
  const client = await stage.db.pool.connect();
  await client.query('begin');
  await client.query('select from accounts where workspace_id = $1 for update', [account.workspaceId]);
  const paid = stage.act(url, 'pay');
  await until(async () => (await countLockWaits(stage.db)) > 0);
  await client.query('commit');
  client.release();
  await paid;
  const { data: topups } = await read<{ data: { paid_at: string }[] }>(get(account, 'topups'));
  const { data: entries } = await read<{ data: { created_at: string }[] }>(get(account, 'ledger'));
  expect(topups.map(({ paid_at: at }) => at)).toEqual(entries.map(({ created_at: at }) => at));
});

describe('the automatic top-up', () => {
  const amounts = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 50 };

  async function withCard(): Promise<Account> {
    const account = await newAccount();
    const session = await read<{ url: string }>(stage.post('/platform/v1/billing/card', account, {}));
    await stage.act(session.url, 'pay');
    return account;
  }

  test('without a card is off, and cannot be enabled', async () => {
    const account = await newAccount();
    const none = { threshold_usd: null, amount_usd: null, monthly_cap_usd: null };
    expect(await read(get(account, 'auto_topup'))).toEqual({
      enabled: false,
      ...none,
      spent_this_month_usd: 0,
      card: null,
      last_error: null,
    });
    expect(await codeOf(await change(account, { enabled: true, ...amounts }))).toBe('no_card');
  });

  test('shows the card, can be changed in parts and stopped, and is audited', async () => {
    const account = await withCard();
    const card = { brand: 'visa', last4: expect.stringMatching(/^\d{4}$/) };
    expect(await read(get(account, 'auto_topup'))).toMatchObject({ enabled: false, card });
    expect((await change(account, { enabled: true, amount_usd: 10 })).status).toBe(422);
    expect(await read(change(account, { enabled: true, ...amounts }))).toMatchObject({ enabled: true, ...amounts });
    expect(await read(change(account, { amount_usd: 20 }))).toMatchObject({
      ...amounts,
      enabled: true,
      amount_usd: 20,
    });
    expect((await change(account, { amount_usd: 60 })).status).toBe(422);
    expect(await read(change(account, { enabled: false }))).toMatchObject({
      ...amounts,
      enabled: false,
      amount_usd: 20,
    });
    const sql = `select key_id, detail from audit_entries where workspace_id = $1 and action = 'change_auto_topup' order by created_at desc, id desc`;
    const { rows } = await stage.db.pool.query(sql, [account.workspaceId]);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      key_id: account.keyId,
      detail: { before: { enabled: true, amount_usd: '20' }, after: { enabled: false } },
    });
  });
});
