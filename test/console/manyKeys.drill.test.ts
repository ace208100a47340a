import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createKey } from '../../db/keys/keyStore.ts';
import { describeInBrowser } from '../support/browser.ts';
import { storeCalls } from '../support/pastCalls.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('a workspace with more keys than a page has', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    const workspaceId = ada.me.workspace.id;
    const keyIds: string[] = [];
    for (let at = 0; at < 130; at += 1)
      keyIds.push((await createKey(stage.db.everywhere, { workspaceId, name: `Key ${at}.`, scopes: ['llm'] })).id);
    const at = (index: number) => new Date(Date.now() - index * 1_000).toISOString();
    await storeCalls(
      stage.addresses.databaseUrl,
      keyIds.map((keyId, index) => ({ at: at(index), keyId, workspaceId })),
    );
    page = await stage.visit(browser, ada);
  });
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

  test('says so when the key of an address is not there, or is revoked, and lets the list work on', async () => {
    await page.goto('/keys?edit=key_nope');
    const note = page.getByRole('alert');
    await note.getByText('Key not found').waitFor();
    await note.getByRole('button', { name: 'Close' }).click();
    await note.getByText('Key not found').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');

    const row = rows().getByRole('link', { name: /^Key 129\./ });
    const id = new URL((await row.getAttribute('href'))!, page.url()).searchParams.get('edit')!;
    const revoke = (path: string) =>
      fetch(path, { method: 'DELETE', headers: { 'x-ledgerline-csrf': '1' } }).then(({ ok }) => ok);
    expect(await page.evaluate(revoke, `/console/v1/keys/${id}`)).toBe(true);
    await page.goto(`/keys?edit=${id}`);
    await note.getByText('Key 129. is revoked').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('comes back to the same place of a long list after a row of it was opened', async () => {
    await page.goto('/requests');
    const list = page.getByRole('group', { name: 'Requests', exact: true });
    await list.locator('tbody a').first().waitFor();
    await until(async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return (await list.locator('tfoot').innerText()).includes('130 requests');
    });
    // Rows far from the window are drawn only when it comes near.
    await until(async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return (await list.locator('tbody').last().locator('a').count()) > 0;
    });
    const last = list.locator('tbody a').last();
    await last.scrollIntoViewIfNeeded();
    const href = await last.getAttribute('href');
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(1_000);
    await last.click();
    await page.getByRole('heading', { name: 'Request', level: 1, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(href);
    await page.goBack();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    const row = list.locator(`tbody a[href="${href}"]`);
    await until(async () => {
      const box = (await row.count()) > 0 && (await row.boundingBox());
      return box !== false && box !== null && box.y > 0 && box.y < page.viewportSize()!.height;
    });
  });

  test('offers the oldest one as a filter of requests once its name is typed, and names it afterwards', async () => {
    await page.goto('/requests');
    await page.getByRole('button', { name: 'Filter by Key', exact: true }).click();
    const field = page.getByRole('combobox', { name: 'Key' });
    await page.getByRole('option', { name: /^Key 128\./ }).waitFor();
    await field.fill('key 1.');
    await page.getByRole('option', { name: /^Key 1\./ }).click();
    await page.waitForURL(/key=key_/);
    await page.reload();
    await page.locator('.chip-value').filter({ hasText: 'Key 1.' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
