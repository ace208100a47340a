import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('prompts and answers of a key', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setConsoleStage({ CONTENTS_KEY: createSealingKey() });
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '20');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');
  const panel = () => page.getByRole('region', { name: 'Prompt and answer' });
  let secret = '';
  let requestId = '';

  test('are kept once its owner wants it, read as messages, replayed and deleted', async () => {
    await page.goto('/keys?create=1');
    await dialog().getByLabel('Name').fill('Support bot');
    await dialog().getByRole('combobox', { name: 'Prompts and answers' }).click();
    await page.getByRole('option', { name: 'Kept for 7 days' }).click();
    await dialog().getByText('each reading is in the audit').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create key' }).click();
    secret = await dialog().getByTestId('secret').innerText();
    await page.goto('/keys');
    await page.getByText('Keeps prompts and answers for 7 days').waitFor();

    const response = await stage.ask('/v1/chat/completions', {
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: 'ledgerline-text-1',
        messages: [
          { role: 'system', content: 'You are a careful clerk.' },
          { role: 'user', content: 'Which day is the first of May?' },
        ],
        temperature: 0.5,
        max_tokens: 64,
      }),
    });
    expect(response.status).toBe(200);
    requestId = response.headers.get('x-request-id')!;

    await page.goto('/requests?content=true');
    await page.locator('main tbody tr').first().getByTitle('Prompt and answer are kept').waitFor();
    await page.locator('main tbody tr').first().click();
    await panel().getByText('Which day is the first of May?').waitFor();
    await panel().getByText('You are a careful clerk.').waitFor();
    await panel().getByText('Assistant', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await panel().getByText('JSON', { exact: true }).click();
    await panel().getByText('temperature').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('open in the playground with their messages, parameters and model', async () => {
    await page.goto(`/requests/${requestId}`);
    await panel().getByText('Which day is the first of May?').waitFor();
    await page.getByRole('button', { name: 'Open in playground' }).click();
    await page.waitForURL(/\/playground\?.*chat=/);
    await page.getByRole('article', { name: 'You' }).getByText('Which day is the first of May?').waitFor();
    await page.getByRole('article', { name: 'Answer' }).first().waitFor();
    expect(await page.getByLabel('System prompt').first().inputValue()).toBe('You are a careful clerk.');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('are deleted at once, on a phone too', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/requests/${requestId}`);
    await panel().getByText('Which day is the first of May?').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await panel().getByRole('button', { name: 'Delete the prompt and answer' }).click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await panel().waitFor({ state: 'detached' });
    const { rows } = await stage.db.pool.query<{ action: string }>(
      `select distinct action from audit_entries where subject_id = $1 order by action`,
      [requestId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['delete_content', 'read_content']);
  });
});
