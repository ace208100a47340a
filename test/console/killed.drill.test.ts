import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { setAccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { steadyPort } from '../support/network.ts';
import { startApiProcess, type ApiProcess, type ApiSetting } from '../support/startApi.ts';
import { until } from '../support/until.ts';
import { visitAs } from './visitAs.ts';

const STRIP = 'This page shows its last state until it can be updated.';
const script = { scripted: { text: 'word '.repeat(200), delayMs: 100 } };

describeInBrowser('open pages while the API is killed and started again', (browser) => {
  let stage: Awaited<ReturnType<typeof setAccountStage>>;
  let ada: Awaited<ReturnType<typeof stage.person>>;
  let api: ApiProcess;
  let setting: ApiSetting;
  let context: BrowserContext;
  beforeAll(async () => {
    const env = { PORT: String(await steadyPort()) };
    const start = async (given: ApiSetting) => {
      setting = given;
      return (api = await startApiProcess(given));
    };
    stage = await setAccountStage({ env, start });
    ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '25');
    context = (await visitAs(browser, stage.url, ada)).context();
  });
  afterAll(async () => {
    await stage?.close();
    await api?.stop();
  });

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    return page;
  }

  test('they say that they show the last state, keep what is typed, and go on by themselves', async () => {
    const [billing, keys, settings, chat] = [
      await open('/billing'),
      await open('/keys?create=1'),
      await open('/settings?tab=members'),
      await open('/playground'),
    ];
    const loads = { settings: 0, others: 0 };
    settings.on('load', () => (loads.settings += 1));
    for (const page of [billing, keys, chat]) page.on('load', () => (loads.others += 1));
    await billing.locator('.balance-amount').getByText('$25.00').waitFor();
    const dialog = keys.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('Typed before');
    const message = chat.getByRole('textbox', { name: 'Message' });
    await message.fill(JSON.stringify(script));
    await message.press('Enter');
    await chat.getByRole('article', { name: 'Answer' }).getByText('word word').waitFor();
    await message.fill('Typed meanwhile');

    process.kill(api.pid, 'SIGKILL');
    await api.exited;
    await chat.getByRole('alert').getByText('The connection broke off before the end of the answer.').waitFor();
    await billing.getByText(STRIP).waitFor();
    expect(await billing.locator('.balance-amount').innerText()).toContain('$2');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('The service could not be reached.').waitFor();
    await keys.getByText(STRIP).waitFor();
    // The rows are the ones of before: nothing beside the strip says so once more.
    expect(await keys.locator('.table-note').count()).toBe(0);
    // Its code has not been loaded. The browser's own page of errors would be no page of the console any more.
    await settings.getByRole('tab', { name: 'Sign-in' }).click();
    await settings.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    expect(settings.url()).toContain('/settings?tab=sign-in');
    expect(loads).toEqual({ settings: 0, others: 0 });

    api = await startApiProcess(setting);
    await billing.getByText(STRIP).waitFor({ state: 'detached' });
    await settings.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await keys.getByText(STRIP).waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed before');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await keys.getByTestId('secret').waitFor();
    expect(await message.inputValue()).toBe('Typed meanwhile');
    expect(loads).toEqual({ settings: 1, others: 0 });
    const { body } = await ada.get<{ data: { name: string }[] }>('keys');
    expect(body.data.map(({ name }) => name)).toEqual(['Typed before']);
  });

  test('a list that could not be read is shown after it, without a click', async () => {
    const page = await open('/webhooks');
    await until(() =>
      page.evaluate<boolean>(
        "performance.getEntriesByType('resource').some(({ name }) => /ProjectsPage-.*js/.test(name))",
      ),
    );
    process.kill(api.pid, 'SIGKILL');
    await api.exited;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Publish', exact: true }).click();
    await page.getByText('The service could not be reached.').first().waitFor();
    api = await startApiProcess(setting);
    await page.getByText('The service could not be reached.').first().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Publish', level: 1 }).waitFor();
  });
});
