import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type Installation, startStack } from '../support/startStack.ts';
import { open } from './payingStage.ts';

const startTimeoutMs = 600_000;
// An installation after the README's first command: its owner, who is an operator, and a person who publishes there. Operators cannot
// decide on agents of their own workspace.
describeInBrowser('the first day of an installation', (browser) => {
  let installation: Installation & { stop(): Promise<void> };
  let page: Page;

  beforeAll(async () => {
    // With the free rehearsal model, no agent earns.
    installation = await startStack({ AGENT_MODEL: 'smollm2-135m-instruct' });
    page = await browser.newPage();
  }, startTimeoutMs);
  afterAll(async () => {
    await page?.context().close();
    await installation?.stop();
  }, startTimeoutMs);

  /** Signs a person up, and in by the link in their mail. */
  async function signUp(name: string): Promise<Page> {
    const own = await browser.newPage();
    await own.goto(installation.apiUrl);
    await own.getByRole('link', { name: 'Sign up' }).click();
    await own.getByLabel('Name').fill(name);
    await own.getByLabel('Email').fill('publisher@example.com');
    await own.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await own.getByRole('button', { name: 'Create account' }).click();
    await own.getByRole('heading', { name: 'Check your email' }).waitFor();
    await own.goto(`${installation.apiUrl}/console/test-mail`);
    await own.getByRole('link', { name: /verify-email/ }).click();
    await own.getByRole('button', { name: 'Confirm and sign in' }).click();
    await own.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return own;
  }

  test('the printed link signs the owner in, once', async () => {
    await page.goto(installation.signInUrl!);
    await page.getByRole('button', { name: 'Sign in with this link' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const other = await browser.newPage();
    await other.goto(installation.signInUrl!);
    await other.getByRole('button', { name: 'Sign in with this link' }).click();
    await other.getByRole('alert').getByText('was used before').waitFor();
    await other.context().close();
    expect(browser.complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });

  test('25 USD paid on the page of test payments are in the balance', async () => {
    await open(page, 'Billing');
    await page.getByLabel('Amount').fill('25');
    await page.getByRole('button', { name: /^Add \$/ }).click();
    await page.getByRole('button', { name: 'Use the test card 4242' }).click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    await page.getByText('$35.00').first().waitFor();
  });

  test('after a key is created the official client calls with it, and the call appears in the open list', async () => {
    await open(page, 'Keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('first day');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByTestId('secret').textContent())!;
    expect(secret).toMatch(/^sk_live_\w{49}$/);
    await page.getByRole('button', { name: 'I have copied it' }).click();

    await open(page, 'Requests');
    const client = new OpenAI({ baseURL: `${installation.apiUrl}/v1`, apiKey: secret });
    const answer = await client.chat.completions.create({
      model: installation.textModel,
      messages: [{ role: 'user', content: 'Say hello.' }],
      max_completion_tokens: 20,
    });
    expect(answer.choices[0]!.message.content).toMatch(/\w/);
    // The list is live, so no click is needed.
    await page.getByRole('row').filter({ hasText: 'first day' }).first().waitFor();
  });

  test('an agent is drafted, submitted, approved and run, and its publisher earns', async () => {
    const publisher = await signUp('Grace Hopper');
    await open(publisher, 'Publish');
    await publisher.getByRole('button', { name: 'New agent' }).click();
    const dialog = publisher.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Greeter');
    await dialog.getByLabel('Namespace').fill('first-day');
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('greeter');
    await publisher.getByRole('button', { name: 'Create draft' }).click();

    await publisher.getByLabel('Description').fill('Greets whoever is named.');
    await publisher.getByLabel('Instructions').fill('Greet the person that the user names, in one sentence.');
    await publisher.getByRole('combobox', { name: 'Categories' }).fill('writing');
    await publisher.keyboard.press('Enter');
    await publisher.getByLabel('Example prompts').fill('Ada');
    await publisher.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Price' }).click();
    await publisher.getByLabel('Min cost of a run').fill('0.001');
    await publisher.getByLabel('Max cost of a run').fill('0.05');
    await publisher.getByLabel('Output tokens, per 1M tokens').fill('10');
    await publisher.getByRole('button', { name: 'Save', exact: true }).click();
    await publisher.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await publisher.getByRole('button', { name: 'Submit for review' }).click();
    await publisher.getByRole('button', { name: 'In review' }).waitFor();

    await open(page, 'Operate');
    await page.getByRole('tab', { name: 'Reviews' }).click();
    await page.getByRole('link', { name: 'Greeter' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve version' }).click();
    await page.getByText('Approved: it is public now.').waitFor();

    await open(page, 'Agents');
    await page.getByRole('link', { name: 'Greeter' }).click();
    await page.getByLabel('What should it do?').fill('Ada');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await open(page, 'Runs');
    await page
      .getByRole('row')
      .filter({ hasText: 'first-day/greeter' })
      .getByRole('cell', { name: 'Completed', exact: true })
      .waitFor();

    const statement = await publisher.evaluate(async () => (await fetch('/console/v1/publisher/statement')).json());
    expect((statement as { totals: { earned_usd: number } }).totals.earned_usd).toBeGreaterThan(0);
    await open(publisher, 'Publish');
    await publisher
      .getByRole('region', { name: 'Earnings', exact: true })
      .getByText(/^Earned in /)
      .waitFor();
  });
});
