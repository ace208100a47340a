import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import type { TestFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { type Installation, type LaunchedStack, launchStack, makeDataFolder } from '../support/startStack.ts';
import { switchMode } from './payingStage.ts';

const startTimeoutMs = 600_000;
const root = join(import.meta.dirname, '..', '..');

const draft = {
  namespace: 'acme',
  slug: 'poet',
  name: 'Poet',
  description: 'Writes verses about anything.',
  instructions: 'You write verses of four lines.',
  pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates: [{ meter: 'model_output_tokens', price_usd: 0.0001 }] },
  categories: ['writing'],
  example_prompts: ['A verse about rain'],
};

/** Submits an agent on its page, and reviews it with two outcomes. */
async function reviewOwnAgent(page: Page, shown: string | undefined): Promise<void> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' },
    body: JSON.stringify(draft),
  };
  const id = await page.evaluate<string>(
    `fetch('/console/v1/publisher/agents', ${JSON.stringify(sent)}).then((made) => made.json()).then(({ id }) => id)`,
  );
  for (const [outcome, state] of [
    ['Request changes', 'Changes requested'],
    ['Approve', 'Active'],
  ] as const) {
    await page.goto(new URL(`/publish/${id}`, page.url()).href);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('button', { name: 'In review' }).waitFor();
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByRole('button', { name: outcome }).waitFor();
    if (shown) await page.screenshot({ path: join(shown, 'outcomes.png') });
    await page.getByRole('button', { name: outcome }).click();
    await page.getByText(state, { exact: true }).first().waitFor();
  }
}

describeInBrowser('test mode, as the example and the pages have it', (browser) => {
  let folder: TestFolder;
  let stack: LaunchedStack;
  let installation: Installation;
  beforeAll(async () => {
    folder = await makeDataFolder();
    stack = await launchStack(folder.path);
    ({ installation } = stack);
  }, startTimeoutMs);
  afterAll(async () => {
    stack?.process.kill('SIGINT');
    if (stack?.process.exitCode === null) await once(stack.process, 'exit');
    await folder?.remove();
  }, startTimeoutMs);

  test('the example’s commands run: a key, money, the official client, a failure, a day, the bill', async () => {
    const env = { ...process.env, DATA_DIR: folder.path, BASE: installation.apiUrl };
    const { stdout } = await promisify(execFile)('bash', ['-eu', 'docs/examples/ownCi.sh'], { cwd: root, env });
    expect(stdout).toContain('This is a test answer');
    expect(stdout).toContain('"code":"provider_failed"');
    expect(stdout).toContain('"object":"test_clock"');
    expect(stdout).toMatch(/"kind":"debit","amount_usd":-/);
    expect(stdout).toMatch(/"balance_usd":9\.99/);
  });

  test('the pages switch to the test workspace, and say so on each page', async () => {
    const page = await browser.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(installation.signInUrl!);
    await page.getByRole('button', { name: 'Sign in with this link' }).click();
    await switchMode(page);
    await page.getByRole('status', { name: 'Test mode' }).getByText('Rules stand in for every model').waitFor();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('sk_test_').first().waitFor();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('from the pages');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByTestId('secret').textContent()).toMatch(/^sk_test_\w{49}$/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const said = () => page.getByRole('status').filter({ hasText: 'The clock says' }).textContent();
    const before = await said();
    await page.getByRole('button', { name: 'Advance a day' }).click();
    await until(async () => (await said()) !== before);
    await page.getByRole('link', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'Publish', level: 1 }).waitFor();
    const { SCREENSHOTS: shown } = process.env;
    if (shown) await page.screenshot({ path: join(shown, 'wide.png') });
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    if (shown) await page.screenshot({ path: join(shown, 'narrow.png') });
    await page.setViewportSize({ width: 1440, height: 900 });
    await reviewOwnAgent(page, shown);
    await page.getByRole('button', { name: 'Leave test mode' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await page.getByRole('status').getByText('Rules stand in for every model').count()).toBe(0);
  });
});
