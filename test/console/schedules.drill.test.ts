import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('schedules', (browser) => {
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

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  test('a schedule is created, fires, is paused, resumed and deleted', async () => {
    await page.goto('/schedules');
    await page.getByText('No schedules yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await button('Create schedule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Morning report');
    await dialog.getByLabel('Agent').fill('nobody/nothing');
    await dialog.getByLabel('Input').fill('Write the plan.');
    expect(await violationsOf(page)).toEqual([]);
    await button('Create').click();
    await dialog.getByRole('alert').getByText("No agent 'nobody/nothing'").waitFor();
    await dialog.getByLabel('Agent').fill('ledgerline/writer');
    await dialog.getByLabel('Spend limit per run').fill('0.50');
    // As by a double click on a busy machine: it is created once.
    await dialog.locator('form').evaluate((form: { requestSubmit(): void }) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await page.getByRole('link', { name: 'Morning report' }).click();
    await page.getByRole('main').getByText('Runs stop at this amount').waitFor();
    await page.getByRole('main').getByText('$0.50').first().waitFor();
    await page.getByRole('region', { name: 'Upcoming runs' }).locator('time').first().waitFor();
    await button('Run now').click();
    await page.getByRole('link', { name: 'Completed' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await button('Pause').click();
    await button('Resume and catch up').waitFor();
    // Four buttons leave its name a line of its own on a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await page.getByRole('heading', { level: 1 }).boundingBox())!.height).toBeLessThan(40);
    await page.goto('/schedules');
    const row = page.getByRole('link', { name: /^Morning report/ });
    const end = async (of: Locator) => of.boundingBox().then((box) => box!.x + box!.width);
    expect(await end(row.getByText('Paused'))).toBeLessThanOrEqual(await end(row.locator('.agent-cell-words')));
    await row.click();
    await page.setViewportSize({ width: 1280, height: 720 });
    await button('Resume').click();
    await button('Pause').waitFor();
    await button('Delete').click();
    await button('Delete schedule').click();
    await page.getByText('No schedules yet').waitFor();
  });

  test('causes no error in the browser', () => {
    // The missing agent.
    expect(browser.complaints).toEqual([expect.stringContaining('status of 404')]);
  });
});
