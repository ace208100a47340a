import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { createKey } from '../../db/keys/keyStore.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { payAutoTopup } from '../../providers/payments/autoTopup.ts';
import { readStripeConfig } from '../../providers/payments/config.ts';
import { createPayments } from '../../providers/payments/stripe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { chatBody, chatPath } from '../support/guardStage.ts';
import { until } from '../support/until.ts';
import { open, setPayingStage, type PayingStage } from './payingStage.ts';

const SEEN_WITHIN_MS = 2_000;

describeInBrowser('money and calls on the pages', (browser) => {
  let stage: PayingStage;
  beforeAll(async () => {
    stage = await setPayingStage();
  });
  afterAll(() => stage?.close());

  /** An amount in a table: its column has one precision, and what that hides is on hover. */
  const exactly = (within: Locator, usd: string) =>
    within
      .getByText(usd, { exact: true })
      .or(within.getByTitle(usd, { exact: true }))
      .first();

  const call = (secret: string, members: object = {}) =>
    stage.ask(chatPath, { headers: { authorization: `Bearer ${secret}` }, body: chatBody({ ...members }) });

  test("a new person pays on the test page, creates a key, and sees a client's call within two seconds", async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await stage.topUp(page, '25');
    await page.getByText('$25.00').first().waitFor();
    const secret = await stage.makeKey(page, 'Laptop');
    expect(secret).toMatch(/^sk_live_[0-9A-Za-z]{40,}$/);
    expect(await page.content()).not.toContain(secret);

    await open(page, 'Requests');
    await page.getByText('No requests yet').waitFor();
    const answer = await call(secret);
    expect(answer.status).toBe(200);
    const row = page.getByRole('row', { name: /Laptop/ });
    await row.waitFor({ timeout: SEEN_WITHIN_MS });
    const cost = Number(answer.headers.get('x-cost-usd'));
    // Its column has one precision, and the exact amount on hover.
    await exactly(row, `$${cost}`).waitFor();
    await page.getByText('1 request', { exact: true }).waitFor();

    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Cost and latency' }).getByText(`$${cost}`).waitFor();
    await page.getByRole('list', { name: 'Latency' }).getByRole('listitem').first().waitFor();
    const id = answer.headers.get('x-request-id')!;
    await page.getByRole('main').getByText(id).first().waitFor();
    await page.getByText('Pending: the bill of that day is signed at').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download receipt' }).click();
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject({ id, status: 'pending' });
    expect(browser.complaints).toEqual([]);
  });

  test('each part of a cost shows its price row, and links to its ledger entry', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await stage.topUp(page);
    const answer = await call(await stage.makeKey(page, 'Explained'));
    const id = answer.headers.get('x-request-id')!;
    await open(page, 'Explain a cent');
    await page.getByLabel('ID', { exact: true }).fill(id);
    await page.getByRole('button', { name: 'Explain' }).click();
    const lines = page.getByRole('group', { name: 'Lines of the cost' });
    await lines.getByRole('row', { name: /input tokens × \$.* \/ 1M tokens/ }).waitFor();
    const total = page.getByRole('group', { name: 'Sum of the cost' }).getByRole('row', { name: /Total/ });
    expect(await total.textContent()).toContain(`$${Number(answer.headers.get('x-cost-usd'))}`);
    const entry = page.getByRole('group', { name: 'Ledger entries' }).getByRole('link').first();
    const entryId = (await entry.textContent())!;
    await entry.click();
    await page.waitForURL(`**/explain?id=${entryId}`);
    await total.waitFor();
    await page.getByRole('link', { name: 'Statement of' }).or(page.getByText('Statement of')).first().waitFor();
  });

  test('usage equals the call, links to its requests, and can be exported', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await stage.topUp(page);
    const answer = await call(await stage.makeKey(page, 'Measured'));
    const cost = `$${Number(answer.headers.get('x-cost-usd'))}`;
    await open(page, 'Usage');
    const byName = page.getByRole('group', { name: 'Usage by name' });
    // A column has one precision; the exact amount is on hover.
    await exactly(byName, cost).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    await byName.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await page.getByRole('row', { name: /Measured/ }).waitFor();

    await page.goto(`${stage.url}/usage?days=1`);
    const chart = page.getByRole('group', { name: /^Cost, Today/ });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    // What a screen reader says of the hour.
    await chart.getByText(/UTC: Total \$/).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await page.getByRole('row', { name: /Measured/ }).waitFor();
  });

  test('the days of a filter and of a report are typed on the keyboard alone', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() === 422 && refused.push(answer.url()));
    for (const [path, name] of [
      ['/requests', 'Filter by Date'],
      ['/usage', 'Custom'],
    ] as const) {
      await page.goto(`${stage.url}${path}`);
      await page.getByRole('main').getByRole('button', { name, exact: true }).press('Enter');
      const from = page.getByLabel('From', { exact: true });
      await from.focus();
      // Month and day are alike, whatever their order.
      for (const key of '11112025') await page.keyboard.press(key);
      await page.waitForURL(/from=2025-11-11/);
      expect(await from.inputValue()).toBe('2025-11-11');
    }
    expect(refused).toEqual([]);
  });

  test('the last three hours of usage move with the time', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await page.clock.install();
    const starts: number[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/v1/usage')) starts.push(Date.parse(searchParams.get('from')!));
    });
    await page.goto(`${stage.url}/usage?days=3h`);
    await page.getByRole('tab', { name: /^Cost/ }).waitFor();
    await until(() => Promise.resolve(starts.length > 0));
    const first = starts[0]!;
    await page.clock.fastForward('02:00');
    await until(() => Promise.resolve(starts.some((start) => start >= first + 120_000)));
  });

  test('the first steps turn green by themselves, and the call is in the picture', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await page.getByText('Waiting for your first call…').waitFor();
    await page.getByText('Your spend appears here with the first call.').waitFor();
    await stage.topUp(page);
    const secret = await stage.makeKey(page, 'First');
    await open(page, 'Home');
    await page.getByText('Create key (done)').waitFor();
    expect((await call(secret)).status).toBe(200);
    await page.getByText('First call received').waitFor();
    await page.getByRole('group', { name: 'Top keys' }).getByRole('link', { name: /First/ }).waitFor();
    await page.getByText('Your spend appears here with the first call.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    expect(browser.complaints).toEqual([]);
  });

  test('the file of the requests has the rows of the list with its filters', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await stage.topUp(page);
    const secret = await stage.makeKey(page, '=Laptop');
    await open(page, 'Requests');
    const answered = await call(secret);
    await page.getByRole('row', { name: /Laptop/ }).waitFor();
    const refused = await call(secret, { model: 'no-such-model' });
    await page.getByRole('row', { name: /no-such-model/ }).waitFor();
    const idOf = ({ headers }: typeof answered) => headers.get('x-request-id')!;
    const file = async () => {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      expect((await download).suggestedFilename()).toMatch(/^requests-[\d-]{10}\.csv$/);
      return (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n').slice(1);
    };
    expect(await file()).toEqual([
      expect.stringMatching(`^${idOf(refused)},.*,404,model_not_found,.*,'=Laptop,.*,0$`),
      expect.stringMatching(`^${idOf(answered)},.*,200,,.*,'=Laptop,.*,${Number(answered.headers.get('x-cost-usd'))}$`),
    ]);
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Refused (4xx)' }).click();
    await page.waitForURL('**/requests?status=4xx');
    expect(await file()).toEqual([expect.stringContaining(idOf(refused))]);

    // What was refused in the period before is not kept.
    await page.goto(`${stage.url}/usage?compare=1`);
    await page.getByRole('tab', { name: /^Errors\s*0\s*failed/ }).waitFor();
  });

  test('a key is changed, rotated and revoked; the page shows the effects of a revocation', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await stage.topUp(page);
    const first = await stage.makeKey(page, 'Server');
    await call(first);
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Server' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Edit');
    await page.getByLabel('Spend limit').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('progressbar', { name: /Server: 0% of the limit/ }).waitFor({ state: 'attached' });

    await act('Rotate');
    await page.getByRole('combobox', { name: 'Old secret' }).click();
    await page.getByRole('option', { name: 'Expires now' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = (await page.getByTestId('secret').textContent())!;
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect([(await call(first)).status, (await call(second)).status]).toEqual([401, 200]);

    await act('Revoke');
    await page.getByText('2 requests in the last day').waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No keys yet').waitFor();
    expect((await call(second)).status).toBe(401);
  });

  test('the statement of the month and the ledger show the payment, with both files', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await stage.topUp(page, '12.50');
    await page.getByRole('row', { name: /Closing balance\s*\$12\.50/ }).waitFor();
    const sums = await shownSums(page);
    expect([sums.before, sums.last]).toEqual([nanosOfUsd(12.5), nanosOfUsd(12.5)]);
    for (const format of ['PDF', 'CSV']) {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: format, exact: true }).click();
      expect((await download).suggestedFilename().toUpperCase()).toContain(format);
    }
    await show(page, 'Payments', /Paid.*\$12\.50/);
    await show(page, 'Ledger', /Top-up.*\+\$12\.50/);
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect(await readFile(await (await file).path(), 'utf8')).toMatch(/^le_\w+,.*,topup,.*,12\.5,12\.5\r$/m);
  });

  /** Opens one of the records of Billing, and waits for a row of it. */
  async function show(page: Page, name: string, row: RegExp): Promise<void> {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('group', { name }).getByRole('row', { name: row }).first().waitFor();
  }

  /** The sum of the statement's rows before the last one, and the last one. */
  async function shownSums(page: Page): Promise<{ before: bigint; last: bigint }> {
    const amounts = await page
      .getByRole('group', { name: 'Statement of the month' })
      .locator('td:last-child')
      .allTextContents();
    const nanos = amounts.map((text) => nanosOfUsd(Number(text.replaceAll(/[$,+]/g, ''))));
    return { before: nanos.slice(0, -1).reduce((sum, one) => sum + one, 0n), last: nanos.at(-1)! };
  }

  test('an automatic top-up changes all parts of the page, without a reload', async () => {
    const page = await browser.newPage();
    const email = await stage.signUp(page);
    await stage.topUp(page, '5');
    const { rows } = await stage.db.pool.query(
      'select m.workspace_id as id from members m join users u on u.id = m.user_id where u.email = $1',
      [email],
    );
    const workspaceId = rows[0].id as string;
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: 'cli', scopes: ['llm'] });
    const auto = { threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 100 };
    const saved = await stage.post('/platform/v1/billing/card', { secret }, { auto_topup: auto });
    await stage.act(((await saved.json()) as { url: string }).url, 'pay');
    await page.reload();
    const card = page.getByRole('region', { name: 'Automatic top-up' });
    await card.getByText('$0.00 paid automatically this month').waitFor();
    await show(page, 'Payments', /Paid.*Checkout.*\$5\.00/);
    await show(page, 'Ledger', /Top-up.*\+\$5\.00/);
    await page.getByRole('tab', { name: 'Statement' }).click();
    await page.getByRole('row', { name: /Closing balance\s*\$5\.00/ }).waitFor();
    await card.getByLabel('Top up by', { exact: true }).fill('30');
    expect(await payAutoTopup(stage.db, createPayments(readStripeConfig(stage.env)!), workspaceId)).toBe('paid');
    await card.getByText('$25.00 paid automatically this month').waitFor();
    await page.getByRole('row', { name: /Closing balance\s*\$30\.00/ }).waitFor();
    const sums = await shownSums(page);
    expect(sums.before).toBe(sums.last);
    await show(page, 'Payments', /Paid.*Automatic top-up.*\$25\.00/);
    await show(page, 'Ledger', /Top-up.*\+\$25\.00/);
    // The unfinished input is still there.
    expect(await card.getByLabel('Top up by', { exact: true }).inputValue()).toBe('$30');
  });
});
