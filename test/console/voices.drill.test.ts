import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('voices and what they have said', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let secret: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '20');
    const { body } = await ada.post('keys', { name: 'Announcements', scopes: ['voice'] });
    secret = body.key as string;
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');
  const card = (name: string) =>
    page.locator('.voice-card').filter({ has: page.getByRole('heading', { name, exact: true }) });

  test('a preset is heard for free, and used in the playground', async () => {
    await page.goto('/voices');
    await card('Alloy').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const heard = page.waitForResponse((response) => response.url().endsWith('/voices/alloy/preview'));
    await card('Alloy').getByRole('button', { name: 'Play Alloy' }).click();
    expect([200, 206]).toContain((await heard).status());
    await page.getByLabel('Search voices').fill('no such voice');
    await page.getByText('No matching voices').waitFor();
    await page.getByLabel('Search voices').fill('ash');
    await card('Ash').getByRole('link', { name: 'Use Ash in the playground' }).click();
    const voice = page.getByRole('combobox', { name: 'Voice', exact: true });
    await voice.waitFor();
    expect(await voice.inputValue()).toBe('ash');
  });

  test('speech is listed, played, downloaded and deleted, on a phone too', async () => {
    for (const text of ['Gate four closes now.', 'Gate nine opens at noon.']) {
      const said = await stage.ask('/voiceapi/v1/text-to-speech/alloy', {
        headers: { 'xi-api-key': secret },
        body: JSON.stringify({ text }),
      });
      expect(said.status).toBe(200);
      await said.arrayBuffer();
    }
    await page.goto('/voices?view=history');
    const row = page.locator('main tbody tr').filter({ hasText: 'Gate four closes now.' });
    await row.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const heard = page.waitForResponse((response) => /voice\/history\/.*\/audio\?in_workspace=/.test(response.url()));
    await row.getByRole('button', { name: 'Play Gate four closes now.' }).click();
    expect([200, 206]).toContain((await heard).status());
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Download Gate four closes now.' }).click();
    expect((await download).suggestedFilename()).toMatch(/^hist_\w+\.mp3$/);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await row.getByRole('button', { name: 'Delete Gate four closes now.' }).click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Search what was said').fill('nine');
    await page.locator('main tbody tr').filter({ hasText: 'Gate nine opens at noon.' }).waitFor();
  });
});
