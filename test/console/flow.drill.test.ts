import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('flow control', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setConsoleStage();
    await seedAgents(stage.db.everywhere);
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');
  const row = () => page.locator('main tbody tr').filter({ hasText: 'ledgerline/writer' });

  /** Orders a run as a person of the console. Returns its id. */
  const order = (members: object): Promise<string> =>
    page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
        const answer = await fetch('/console/v1/runs', { method: 'POST', headers, body });
        return ((await answer.json()) as { id: string }).id;
      },
      JSON.stringify({ agent: 'ledgerline/writer', input: 'Write a haiku.', max_cost_usd: 0.05, ...members }),
    );

  test('a rule is created, refused, changed and deleted, and a run waits for it', async () => {
    await page.goto('/runs');
    await page.getByRole('link', { name: 'Flow control' }).click();
    await page.getByText('No flow rules yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create rule' }).click();
    await until(() => page.evaluate<boolean>("document.activeElement.placeholder === 'namespace/slug'"));
    expect(await page.getByRole('listbox').isVisible()).toBe(false);
    await dialog().getByLabel('Agent').fill('ledgerline/writer');
    await dialog().getByLabel('Key', { exact: true }).fill('customer_id');
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create rule' }).click();
    await dialog()
      .getByText(/JSON pointer/)
      .first()
      .waitFor();
    await dialog().getByLabel('Key', { exact: true }).fill('/metadata/customer_id');
    await dialog().getByRole('button', { name: 'Create rule' }).click();
    const key = row().getByText('/metadata/customer_id');
    await key.waitFor();
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await key.evaluate((element) => element.getClientRects().length)).toBe(1);

    await row().getByRole('button', { name: 'Change rule' }).click();
    await dialog().getByRole('switch', { name: 'Limit starts in a period' }).click();
    await dialog().getByLabel('Starts', { exact: true }).fill('1');
    await dialog().getByLabel('Period', { exact: true }).fill('86400');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row().getByText('1 in a day').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const started = await order({});
    const waiting = await order({});
    await page.goto(`/runs/${started}`);
    await page.getByText('Completed', { exact: true }).waitFor();
    await page.goto(`/runs/${waiting}`);
    await page.getByText('Queued · 1', { exact: true }).waitFor();
    await page.getByText('At most 1 in a day').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto('/runs');
    await page.getByText('Queued · 1', { exact: true }).last().waitFor();

    await page.goto('/runs/flow');
    await row().getByRole('button', { name: 'Delete rule' }).click();
    await dialog().getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText('No flow rules yet').waitFor();
    await page.goto(`/runs/${waiting}`);
    await page.getByText('Completed', { exact: true }).waitFor();
  });

  test('a rule that was deleted elsewhere says so when it is saved, and is gone once its dialog is closed', async () => {
    const send = ({ method, path, body }: { method: string; path: string; body?: string }) => {
      const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
      return fetch(path, { method, headers, ...(body && { body }) }).then((answer) => answer.text());
    };
    const path = '/console/v1/flow-rules';
    const rule = { agent: 'ledgerline/writer', concurrency: { limit: 2, key: null }, rate: null };
    const made = await page.evaluate(send, { method: 'POST', path, body: JSON.stringify(rule) });
    await page.goto('/runs/flow');
    await row().getByRole('button', { name: 'Change rule' }).click();
    await page.evaluate(send, { method: 'DELETE', path: `${path}/${(JSON.parse(made) as { id: string }).id}` });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').getByText(/\w/).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No flow rules yet').waitFor();
  });

  test('of a burst of orders the last one runs, and the others lead to it', async () => {
    const debounce = { key: 'note', seconds: 1, max_seconds: 1 };
    const first = await order({ debounce: { key: 'note', seconds: 3_600 } });
    await page.goto(`/runs/${first}`);
    await page.getByText('unless a newer order comes').waitFor();
    const last = await order({ debounce });
    await page.getByText('Superseded').waitFor();
    await page.getByRole('link', { name: 'open its run' }).click();
    await page.waitForURL(`**/runs/${last}`);
    await page.getByText('Completed', { exact: true }).waitFor();
  });

  test('a phone shows the rules and the dialog', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto('/runs/flow');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await dialog().getByRole('switch', { name: 'Limit starts in a period' }).click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  });

  test('causes no error in the browser', () => {
    // The key that is no pointer, and the rule that was gone.
    expect(browser.complaints).toEqual(['422', '404'].map((status) => expect.stringContaining(`status of ${status}`)));
  });
});
