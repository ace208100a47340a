import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newId } from '../../db/ids.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { chatBody } from '../support/guardStage.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('projects', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  let secret: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '20');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');
  const row = (text: string) => page.locator('main tbody tr').filter({ hasText: text });
  const call = () =>
    stage.ask('/v1/chat/completions', { headers: { authorization: `Bearer ${secret}` }, body: chatBody() });

  test('a project is created with a limit and a key, called, and seen in usage and requests', async () => {
    await page.goto('/projects');
    await row('Default').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create project' }).click();
    await dialog().getByLabel('Name').fill('Shop');
    await dialog().getByLabel('Spend limit').fill('5');
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();

    await page.getByRole('region', { name: 'Keys' }).getByRole('button', { name: 'Create key' }).click();
    await dialog().getByLabel('Name').fill('Till');
    expect(await dialog().getByRole('combobox', { name: 'Project' }).inputValue()).toBe('Shop');
    await dialog().getByRole('button', { name: 'Create key' }).click();
    secret = (await page.getByTestId('secret').textContent())!;
    await dialog().getByRole('button', { name: 'I have copied it' }).click();
    await row('Till').waitFor();
    expect((await call()).status).toBe(200);

    await page.reload();
    await page.getByText('of $5.00 each month').waitFor();
    await page.getByRole('progressbar', { name: 'Shop: 0% of the limit is used' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Requests', exact: true }).last().click();
    await page.getByRole('button', { name: /Project.*Shop/ }).waitFor();
    await page.locator('main tbody tr').first().getByText('200').waitFor();
    await page.goto('/usage?by=project');
    await row('Shop').waitFor();
  });

  test('an archived project refuses its keys, and takes them again once it is restored', async () => {
    await page.goto('/projects');
    await page.getByRole('searchbox', { name: 'Search projects' }).fill('SHO');
    await row('Default').waitFor({ state: 'detached' });
    await row('Shop').click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await dialog().getByText('Calls with its key are refused within a second.').waitFor();
    await dialog().getByRole('button', { name: 'Archive project' }).click();
    await page.getByRole('alert').getByText('Archived', { exact: true }).waitFor();
    await until(async () => (await call()).status === 401);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await until(async () => (await call()).status === 200);
  });

  test('a key is moved, and a member is limited to a project, who then sees it alone', async () => {
    // Narrower lists of keys leave the project to the key's own panel.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/keys');
    await row('Till').click();
    await dialog().getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'Default' }).click();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Till').getByText('Default').waitFor();

    const dev = await stage.person({ name: 'Dev' });
    await stage.asOwner('insert into members (id, workspace_id, user_id, role) values ($1, $2, $3, $4)', [
      newId('mem'),
      ada.me.workspace.id,
      dev.me.user.id,
      'developer',
    ]);
    await page.goto('/projects');
    await row('Shop').click();
    const members = page.getByRole('region', { name: 'Members' });
    await members.getByRole('button', { name: /^Change what/ }).click();
    await dialog().getByText('Only these projects').click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await members.getByText('This project only').waitFor();

    const theirs = await stage.visit(browser, dev);
    await theirs.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
        await fetch('/console/v1/auth/organization/set-active', { method: 'POST', headers, body });
      },
      JSON.stringify({ organizationId: ada.me.workspace.id }),
    );
    await theirs.goto('/projects');
    await theirs.locator('main tbody tr').getByText('Shop').waitFor();
    expect(await theirs.locator('main tbody tr').count()).toBe(1);
    expect(await theirs.getByRole('button', { name: 'Create project' }).count()).toBe(0);
    expect(await theirs.getByRole('link', { name: 'Billing' }).count()).toBe(0);
    await theirs.goto('/keys');
    await theirs.getByText('No keys yet').waitFor();
  });

  test('the page fits a phone, and the palette finds a project by its name', async () => {
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search' })
      .or(page.getByLabel('Search', { exact: true }))
      .last()
      .fill('Shop');
    await page.getByRole('option', { name: /Shop.*Project/ }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await page.setViewportSize({ width: 360, height: 780 });
    await page.reload();
    await page.getByText('of $5.00 each month').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
  });
});
