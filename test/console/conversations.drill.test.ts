import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Json } from '../../providers/provider.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const LARGE = {
  id: 'large',
  kind: 'text',
  aliases: [],
  contextTokens: 200_000,
  outputTokensMax: 32_000,
  usdPerMillion: { input_tokens: 3, output_tokens: 15 },
  upstreams: [{ upstream: 'main', model: 'dear' }],
};

describeInBrowser('conversations of the playground', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  beforeAll(async () => {
    stage = await setConsoleStage({}, { models: [LARGE] });
    ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    page = await stage.visit(browser, ada);
  });
  beforeEach(async () => {
    stage.upstream.reset();
    stage.upstream.script({ text: 'An answer.' });
    await page.goto('/playground');
  });
  afterAll(() => stage?.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const figures = () => page.getByRole('list', { name: 'Figures of this call' });
  const ask = async (text: string, { answers = 1 } = {}) => {
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
    await page.keyboard.press('Enter');
    await figures()
      .nth(answers - 1)
      .waitFor();
  };
  const questions = ({ messages }: Json) =>
    (messages as { role: string; content: string }[]).flatMap(({ role, content }) =>
      role === 'user' ? [content] : [],
    );
  const asked = () => stage.upstream.calls().map(({ body }) => questions(body));

  test('survive a reload with their figures, are listed, opened and deleted', async () => {
    await ask('The first question');
    const cost = await page.getByText(/^Cost/).innerText();
    await page.reload();
    await page.getByText('An answer.').waitFor();
    expect(await page.getByText(/^Cost/).innerText()).toBe(cost);
    await ask('And another', { answers: 2 });
    expect(asked().at(-1)).toEqual(['The first question', 'And another']);

    await button('New chat').click();
    await page.getByRole('heading', { name: 'Ask a model' }).waitFor();
    await ask('A second conversation');
    await button('History').click();
    const list = page.getByRole('dialog').getByRole('list', { name: 'History' });
    await list.getByText('A second conversation').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await list.getByText('The first question').click();
    await page.getByRole('log').getByText('And another').waitFor();

    await button('History').click();
    await button('Delete “The first question”').click();
    await list.getByText('The first question').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Ask a model' }).waitFor();
    await page.reload();
    await page.getByRole('list', { name: 'History' }).getByText('A second conversation').waitFor();
    expect(await page.getByText('The first question').count()).toBe(0);
  });

  test('side by side: one question to both models, each with its own figures, until a column is closed', async () => {
    await button('Compare').click();
    await ask('Which is it?', { answers: 2 });
    expect(stage.upstream.calls().map(({ body }) => body.model)).toEqual(expect.arrayContaining(['scripted', 'dear']));
    expect(asked()).toEqual([['Which is it?'], ['Which is it?']]);
    const cheap = page.getByRole('region', { name: 'Chat with ledgerline-text-1' });
    const dear = page.getByRole('region', { name: 'Chat with large' });
    const usd = async (column: typeof dear) =>
      Number((await column.getByText(/^Cost/).innerText()).replace('Cost $', ''));
    expect(await usd(dear)).toBeGreaterThan(await usd(cheap));
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await figures().nth(1).waitFor();
    await button('Close the column of ledgerline-text-1').click();
    await cheap.waitFor({ state: 'detached' });
    await ask('And now?', { answers: 2 });
    expect(stage.upstream.calls().at(-1)!.body.model).toBe('dear');
    expect(asked()).toHaveLength(3);
  });

  test('a question is edited and sent again, an answer regenerated: what followed is replaced', async () => {
    await ask('One');
    await ask('Two', { answers: 2 });
    const first = page.getByRole('article', { name: 'You' }).first();
    await first.hover();
    await first.getByRole('button', { name: 'Edit and send again' }).click();
    await page.getByRole('textbox', { name: 'Edited message' }).fill('One, better');
    await page.keyboard.press('Enter');
    await until(() => stage.upstream.calls().length === 3);
    await figures().waitFor();
    expect(asked().at(-1)).toEqual(['One, better']);
    expect(await page.getByRole('log').innerText()).not.toContain('Two');

    stage.upstream.script({ text: 'A new answer.' });
    await button('Regenerate').click();
    await page.getByText('A new answer.').waitFor();
    expect(asked().at(-1)).toEqual(['One, better']);
    expect(await page.getByText('An answer.').count()).toBe(0);
  });

  test('refusals stand in the conversation and say what to do next', async () => {
    const alert = page.getByRole('alert');
    await page.locator('summary').filter({ hasText: 'Tools' }).click();
    await page.getByRole('textbox', { name: 'Functions' }).fill('[{]');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello');
    await page.keyboard.press('Enter');
    await alert.filter({ hasText: 'Not JSON' }).waitFor();
    await page.getByRole('textbox', { name: 'Functions' }).fill('');
    await button('Send again').click();
    await figures().waitFor();
    expect(asked()).toEqual([['Hello']]);

    await page.getByLabel('Temperature', { exact: true }).fill('9');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hotter');
    await page.keyboard.press('Enter');
    await alert.filter({ hasText: 'temperature' }).filter({ hasText: 'Change the parameter' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Temperature', { exact: true }).fill('1');
    await button('Send again').click();
    await figures().nth(1).waitFor();
    expect(await alert.count()).toBe(0);
    // The refusal of the temperature, by the browser itself.
    expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  test('a question sent before the models are loaded goes as soon as they are', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    await page.route('**/v1/models*', (route) => loaded.then(() => route.continue()), { times: 1 });
    await page.reload();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Too early');
    await page.keyboard.press('Enter');
    await page.getByText('Sent as soon as the models are loaded').waitFor();
    expect(asked()).toEqual([]);
    load();
    await figures().waitFor();
    expect(asked()).toEqual([['Too early']]);
  });

  test('an empty balance leads to billing; too many calls can be sent again', async () => {
    const grace = await stage.person({ name: 'Grace Hopper' });
    const poor = await stage.visit(browser, grace);
    await poor.goto('/playground');
    const send = async (text: string) => {
      await poor.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
      await poor.keyboard.press('Enter');
    };
    await send('Hello');
    const add = poor.getByRole('alert').getByRole('link', { name: 'Add credit' });
    await add.waitFor();
    expect(await add.getAttribute('href')).toBe('/billing');
    await stage.credit(grace.me.workspace.id, '1');
    const limit = { error: { message: 'Too many requests.', code: 'rate_limit_exceeded' } };
    await poor.route('**/chat/completions', (route) => route.fulfill({ status: 429, json: limit }), { times: 1 });
    await poor.getByRole('button', { name: 'Send again', exact: true }).click();
    await poor.getByRole('alert').filter({ hasText: 'Wait a moment' }).waitFor();
    await poor.getByRole('button', { name: 'Send again', exact: true }).click();
    await poor.getByText('An answer.').waitFor();
    expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('402'), expect.stringContaining('429')]);
  });

  test('on a phone: parameters are a sheet, nothing is wider than the screen', async () => {
    const storageState = await page.context().storageState();
    const phone = await browser.newPage({
      baseURL: stage.api.url,
      storageState,
      viewport: { width: 360, height: 640 },
      colorScheme: 'dark',
    });
    await phone.goto('/playground');
    await phone.getByRole('textbox', { name: 'Message', exact: true }).fill('On a phone');
    await phone.keyboard.press('Enter');
    await phone.getByText('An answer.').waitFor();
    await phone.getByRole('button', { name: 'Parameters' }).click();
    await phone.getByRole('dialog').getByLabel('Temperature', { exact: true }).fill('0.5');
    expect(await violationsOf(phone)).toEqual([]);
    await phone.keyboard.press('Escape');
    await phone.getByRole('button', { name: 'Compare' }).click();
    await phone.getByRole('region', { name: 'Chat with large' }).waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await phone.evaluate('document.documentElement.scrollHeight > innerHeight')).toBe(false);
    expect(await violationsOf(phone)).toEqual([]);
  });

  test('are gone from the browser after signing out', async () => {
    await ask('A secret plan');
    await page.getByRole('button', { name: ada.name, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
  });

  test('cause no error in the browser', () => {
    expect(browser.complaints).toEqual([]);
  });
});
