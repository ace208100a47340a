import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createKey } from '../../db/keys/keyStore.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('a workspace with more keys than a page has', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    const workspaceId = ada.me.workspace.id;
    for (let at = 0; at < 130; at += 1)
      await createKey(stage.db.everywhere, { workspaceId, name: `Key ${at}.`, scopes: ['llm'] });
    page = await stage.visit(browser, ada);
  }, 300_000);
  afterAll(() => stage?.close());

  const rows = () => page.getByRole('group', { name: 'Keys' });

  test('reads a page of them, and the next one at its end', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/console/v1/keys') asked.push(search);
    });
    await page.goto('/keys');
    await rows().getByText('100 keys shown').waitFor();
    expect(asked).toEqual(['?limit=100&status=live']);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await rows().getByText('130 keys', { exact: true }).waitFor();
  });

  test('finds the oldest one by its name, and opens it by its address', async () => {
    await page.goto('/keys');
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('key 0.');
    await rows().getByText('1 key', { exact: true }).waitFor();
    await rows()
      .getByRole('link', { name: /^Key 0\./ })
      .click();
    await page.getByRole('dialog').waitFor();
    const { searchParams } = new URL(page.url());
    await page.goto(`/keys?edit=${searchParams.get('edit')}`);
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Key 0.');
  });

  test('offers the oldest one as a filter of requests once its name is typed, and names it afterwards', async () => {
    await page.goto('/requests');
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    const field = page.getByRole('combobox', { name: 'Key' });
    await page.getByRole('option', { name: /^Key 129\./ }).waitFor();
    await field.fill('key 1.');
    await page.getByRole('option', { name: /^Key 1\./ }).click();
    await page.waitForURL(/key=key_/);
    await page.reload();
    await page.locator('.chip-value').filter({ hasText: 'Key 1.' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
