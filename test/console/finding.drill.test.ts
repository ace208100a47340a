import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { textModel } from '../support/startApi.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const MANY = 1_000;
const models = Array.from({ length: MANY }, (_, at) => ({
  id: `acme/model-${at}`,
  kind: 'text',
  name: `Acme Model ${at}`,
  aliases: [],
  outputTokensMax: 4_096,
  usdPerMillion: { input_tokens: 1 + at, output_tokens: 2 + at },
}));

describeInBrowser('models, and the search of everything', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setConsoleStage({}, { models });
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const main = () => page.locator('main');
  const rows = () => main().locator('tbody tr');
  const palette = () => page.getByRole('dialog', { name: 'Search' });
  const results = () => palette().getByRole('option');
  /** Its keys work once the menu is there: the title is there before. */
  const open = async (path: string) => {
    await page.goto(path);
    await page.getByRole('button', { name: /^Search/ }).waitFor();
  };
  const openPalette = async (text: string) => {
    await page.getByRole('button', { name: /^Search/ }).click();
    await palette().getByPlaceholder('Search pages, models, or any ID').fill(text);
  };

  test('a thousand models are listed part by part, searched, ordered, and each has a page', async () => {
    await page.goto('/models');
    await rows().first().waitFor();
    expect(await rows().count()).toBeLessThan(MANY);
    await main().getByRole('searchbox', { name: 'Search' }).fill('acme model-99');
    await main().getByText('11 models').waitFor();
    await main().getByRole('status').getByText('Models, 11 found').waitFor();
    await main().getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Lowest price' }).click();
    await rows().first().getByText('$100.00 in · $101.00 out').waitFor();
    expect(await rows().last().innerText()).toContain('acme/model-999');
    expect(await violationsOf(page)).toEqual([]);

    await rows().first().getByRole('link').click();
    await page.getByRole('heading', { name: 'Acme Model 99', level: 1 }).waitFor();
    await main().getByRole('region', { name: 'Upstreams' }).getByText('Available').waitFor();
    expect(await main().getByRole('region', { name: 'Prices' }).innerText()).toMatch(/Input\s+\$100\.00/);
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('acme/model-99');
  });

  test('a model that is not sold has a page that says so', async () => {
    await page.goto('/models/no-such-model');
    await main().getByText('Not found').waitFor();
    await main().getByRole('link', { name: 'All models' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
  });

  test('the palette opens by keys, and leads to pages, models, and anything by its id', async () => {
    await open('/');
    await page.keyboard.press('Control+k');
    await palette().getByPlaceholder('Search pages, models, or any ID').fill('webh');
    expect(await violationsOf(page)).toEqual([]);
    await results().filter({ hasText: 'Webhooks' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();

    const made = await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
        const answer = await fetch('/console/v1/chat/completions', { method: 'POST', headers, body });
        return (await answer.json()) as { id: string };
      },
      JSON.stringify({ model: textModel, messages: [{ role: 'user', content: 'Hello' }] }),
    );
    await openPalette(made.id);
    await results().filter({ hasText: 'Request' }).click();
    await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
    expect(page.url()).toContain(made.id.slice('chatcmpl-'.length));

    await openPalette('Acme Model 500');
    await results().filter({ hasText: 'acme/model-500' }).click();
    await page.getByRole('heading', { name: 'Acme Model 500', level: 1 }).waitFor();
    await openPalette('zzzz-nothing');
    await palette().getByText('Nothing has this ID or name').waitFor();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  test('a key is created and found by the palette, and its secret is not sent', async () => {
    await page.goto('/models');
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    await openPalette('create key');
    await results().filter({ hasText: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Packing line');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByTestId('secret').innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByTestId('secret').waitFor({ state: 'detached' });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await openPalette(secret);
    await results().filter({ hasText: 'Packing line' }).waitFor();
    expect(sent.filter((url) => url.includes('/search'))).not.toEqual([]);
    expect(sent.filter((url) => url.includes(secret.slice(0, 20)))).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('/ goes to the search of a page or of everything, and ? shows the keys; neither while typing', async () => {
    await open('/models');
    await rows().first().waitFor();
    await page.keyboard.press('/');
    const search = main().getByRole('searchbox', { name: 'Search' });
    await page.keyboard.type('what?/');
    expect(await search.inputValue()).toBe('what?/');
    // A page without a search of its own.
    await open('/billing');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search everything').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await palette().waitFor();
  });
});
