import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { nanosOfUsd } from '../../db/money.ts';
import { balanceOf } from '../support/account.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const timeoutMs = 120_000;

describeInBrowser('the playground', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let workspaceId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    page = await stage.visit(browser, ada);
  }, 300_000);
  afterAll(() => stage?.close());

  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };

  test(
    'streams a chat, and shows its cost and its code',
    async () => {
      await page.goto('/playground');
      await ask('<img src=x onerror=alert(1)> What is tea?');
      const cost = page.getByText(/^Cost \$0\.\d+/);
      await cost.waitFor();
      const shownUsd = (await cost.innerText()).replace('Cost $', '');
      expect(nanosOfUsd('5') - (await balanceOf(stage.db, workspaceId))).toBe(nanosOfUsd(shownUsd));
      expect(await page.getByRole('log').innerText()).toContain('<img src=x onerror=alert(1)> What is tea?');
      expect(await page.locator('img[src=x]').count()).toBe(0);
      await page.getByRole('tab', { name: 'curl' }).click();
      expect(await page.getByRole('tabpanel').last().innerText()).toContain('/v1/chat/completions');
      expect(await violationsOf(page)).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'shows an error at once',
    async () => {
      await page.goto('/playground');
      await page.getByRole('textbox', { name: 'Tools' }).fill('[{]');
      await ask('Hello');
      await page.getByRole('alert').filter({ hasText: 'Not JSON' }).waitFor();
    },
    timeoutMs,
  );

  test('causes no error in the browser', () => {
    expect(browser.complaints).toEqual([]);
  });
});
