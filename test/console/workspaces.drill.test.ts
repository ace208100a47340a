import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeInBrowser('workspaces', (browser) => {
  let stage: ConsoleStage;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  let page: Page;
  beforeAll(async () => {
    stage = await setConsoleStage();
    ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const switcher = () => page.getByRole('button', { name: /^Workspace: / });
  const panel = (title: string, at = page) =>
    at.locator('section').filter({ has: at.getByRole('heading', { name: title, exact: true }) });

  test('an owner renames the workspace, and gives it a logo that its menu shows', async () => {
    await page.goto('/settings?tab=workspace');
    await page.getByRole('textbox', { name: 'Name' }).fill('Analytical Engines');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload logo' }).click();
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG });
    await page.getByRole('button', { name: 'Replace logo' }).waitFor();
    const logo = switcher().locator('img');
    await logo.waitFor();
    expect(await logo.getAttribute('src')).toMatch(/^\/v1\/logos\/file_/);
    expect((await stage.ask((await logo.getAttribute('src'))!)).headers.get('content-type')).toBe('image/png');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a second workspace is created, and each tab keeps its own', async () => {
    await switcher().click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Second');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('button', { name: 'Workspace: Second' }).waitFor();

    const other = await page.context().newPage();
    await other.goto('/billing');
    await other.getByRole('button', { name: 'Workspace: Second' }).click();
    await other.getByRole('menuitem', { name: 'Analytical Engines' }).click();
    await other.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor();
    await other.goto('/billing');
    await other.getByText('$5.00').first().waitFor();

    await page.goto('/billing');
    await page.getByRole('button', { name: 'Workspace: Second' }).waitFor();
    await page.getByText('$0.00').first().waitFor();
    expect(await page.getByText('$5.00').count()).toBe(0);
    await page.goto('/settings?tab=workspace');
    const archive = await page.getByRole('link', { name: 'Download archive' }).getAttribute('href');
    const shown = await page.evaluate(() => sessionStorage.getItem('ledgerline-workspace'));
    expect(archive).toBe(`/console/v1/export?in_workspace=${shown}`);
    await other.close();
  });

  test('an address names its workspace, and one of strangers opens nothing of theirs', async () => {
    await page.goto(`/billing?in_workspace=${ada.me.workspace.id}`);
    await page.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    const stranger = await stage.person({ name: 'Sam Stranger' });
    await page.goto(`/billing?in_workspace=${stranger.me.workspace.id}`);
    await switcher().waitFor();
    expect(await switcher().getAttribute('aria-label')).not.toContain('Sam');
  });

  test('a member leaves it; its only owner cannot', async () => {
    await page.goto(`/settings?tab=workspace&in_workspace=${ada.me.workspace.id}`);
    await panel('Leave workspace').getByText('You are its only owner.').waitFor();
    expect(await panel('Leave workspace').getByRole('button').isDisabled()).toBe(true);

    const bob = await stage.person({ name: 'Bob' });
    const headers = { 'x-ledgerline-workspace': ada.me.workspace.id };
    const invited = { email: bob.email, role: 'developer', organizationId: ada.me.workspace.id };
    await ada.send('POST', '/console/v1/auth/organization/invite-member', invited, headers);
    const { link } = await stage.mailTo(bob.email, 'Join');
    const theirs = await stage.visit(browser, bob);
    await theirs.goto(new URL(link).pathname);
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await theirs.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor();
    await theirs.goto('/settings?tab=workspace');
    await panel('Leave workspace', theirs).getByRole('button').click();
    expect(await violationsOf(theirs)).toEqual([]);
    await theirs.getByRole('dialog').getByText('You made no key that still works.').waitFor();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Leave workspace' }).click();
    await theirs.getByRole('button', { name: 'Workspace: Bob’s workspace' }).waitFor();
  });
});
