import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertLedgerCheck } from '../../db/invariants/ledgerChecks.ts';
import { describeInBrowser } from '../support/browser.ts';
import { storeCalls, storeRefusals } from '../support/pastCalls.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

// How many figures stand in each row of those that wait.
const FIGURES_OF_ROWS = `Object.values(Object.groupBy(
  document.querySelector('.figures').children, (one) => one.getBoundingClientRect().top,
)).map(({ length }) => length)`;

describeInBrowser('an operator looks after the platform', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let maya: Awaited<ReturnType<ConsoleStage['person']>>;
  let requestId: string;
  const workspaceId = () => maya.me.workspace.id;
  beforeAll(async () => {
    stage = await setConsoleStage();
    maya = await stage.person({ name: 'Maya' });
    const olga = await stage.person({ name: 'Olga' });
    await stage.makeOperator(olga.email);
    await stage.credit(workspaceId(), '20');
    const { body: key } = await maya.post('keys', { name: 'prod', scopes: ['llm'], spend_limit: 50, spend_limit_period: 'monthly' }); // prettier-ignore
    await maya.send('PATCH', `/console/v1/keys/${key.id}`, { spend_limit: 100 });
    const at = new Date(Date.now() - 60_000).toISOString();
    const own = { at, workspaceId: workspaceId(), keyId: key.id, costNanos: 2_500_000_000, upstream: 'main' };
    [requestId] = (await storeCalls(stage.addresses.databaseUrl, [own, { ...own, costNanos: 0, status: 502 }])) as [
      string,
    ];
    await storeRefusals(stage.addresses.databaseUrl, [{ ...own, status: 429, code: 'rate_limited', calls: 3 }]);
    page = await stage.visit(browser, olga);
  });
  afterAll(() => stage?.close());

  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const table = (label: string) => page.getByRole('group', { name: label, exact: true });

  test('the first tab has revenue, workspaces in trouble, queues and processes', async () => {
    await page.goto('/operate');
    await region('Revenue').getByText('$2.50').first().waitFor();
    await table('Revenue by model').getByText('No cost stated').first().waitFor();
    const failing = table('Failing workspaces').locator('tbody tr').first();
    expect(await failing.innerText()).toContain('rate_limited');
    await page.getByText('1 API process and 1 worker').waitFor();
    await table('Queues').getByText('Dead processes').waitFor();
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await page.evaluate(FIGURES_OF_ROWS)).toEqual([3, 2]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'By product' }).click();
    await table('Revenue by product').getByText('Text').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the ledger’s last check stands there with its time, and red with the rule when one is broken', async () => {
    const check = { startedAt: new Date(), entries: 1_234_567n, transactions: 617_283n };
    await insertLedgerCheck(stage.db.everywhere, { ...check, id: 'sound', violations: [] });
    await page.goto('/operate');
    await region('Ledger proof')
      .getByText(/today: 1,234,567 entries, no violation/)
      .waitFor();
    const violations = [{ rule: 'the hash chain holds', count: 1, details: ['entry 1'] }];
    await insertLedgerCheck(stage.db.everywhere, { ...check, id: 'broken', violations });
    await page.reload();
    await region('Ledger proof').getByText('broken: the hash chain holds (1)').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the palette leads to the search, which tells whose a call is and leaves a trace', async () => {
    await page.goto('/');
    await page.getByRole('navigation').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search pages, models, or any ID').fill(requestId);
    await page.getByRole('option', { name: /in all workspaces$/ }).click();
    const found = region('Find in all workspaces').getByRole('listitem').first();
    await found.getByText(requestId).waitFor();
    expect(await found.innerText()).toContain('Request');
    expect(await violationsOf(page)).toEqual([]);
    await found.getByRole('link', { name: 'Audit' }).click();
    await table('Audit trail')
      .getByText(/^Olga searched for a request of /)
      .waitFor();
  });

  test('the audit tells what changed as a sentence, with the values before and after', async () => {
    await page.goto(`/operate?tab=audit&workspace=${workspaceId()}&action=change_key`);
    const sentence = 'raised the spend limit of the key “prod” from $50.00 to $100.00';
    await table('Audit trail')
      .getByRole('link', { name: `Maya ${sentence}` })
      .click();
    const dialog = page.getByRole('dialog');
    const row = dialog.getByRole('row', { name: /^Spend limit/ });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['$50.00', '$100.00']);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Show what else Maya did' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Person' }).inputValue()).not.toBe('');
  });

  test('leaves no error in the browser', () => expect(browser.complaints).toEqual([]));
});
