import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const canary = '<img src=x onerror=alert(1)>';
const name = `Poet ${canary}`;

describeInBrowser('an agent, from its draft to a run', (browser) => {
  let stage: ConsoleStage;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  let publisher: Page;
  let operator: Page;
  beforeAll(async () => {
    stage = await setConsoleStage({ EARNINGS_MATURE_DAYS: '0' });
    // Its workspace runs the trials.
    await seedAgents(stage.db.everywhere);
    ada = await stage.person();
    const ops = await stage.person({ name: `Ops ${canary}` });
    await stage.makeOperator(ops.email);
    await stage.credit(ops.me.workspace.id, '5');
    [publisher, operator] = [await stage.visit(browser, ada), await stage.visit(browser, ops)];
  });
  afterAll(() => stage?.close());

  const step = (label: string | RegExp) =>
    publisher.getByRole('list', { name: 'Steps' }).getByRole('button', { name: label });
  const field = (page: Page, label: string) =>
    page.getByRole('textbox', { name: new RegExp(String.raw`^${label}( \*)?$`) });

  test("a draft shows the server's findings at its fields, and is submitted when there are none", async () => {
    await publisher.goto('/publish');
    await publisher.getByRole('button', { name: 'New agent' }).click();
    await field(publisher, 'Name').fill(name);
    await field(publisher, 'Namespace').fill('acme-verses');
    expect(await field(publisher, 'Slug').inputValue()).toMatch(/^poet-img-src/);
    await field(publisher, 'Slug').fill('poet');
    await publisher.getByRole('button', { name: 'Create draft' }).click();
    await publisher.getByRole('button', { name: 'Submit for review' }).click();
    await publisher.getByText('must not be empty').first().waitFor();
    expect(await field(publisher, 'Instructions').getAttribute('aria-invalid')).toBe('true');
    await step(/Price ?, needs a change/).waitFor();
    expect(await violationsOf(publisher)).toEqual([]);

    await field(publisher, 'Description').fill(`Writes verses. ${canary}`);
    await field(publisher, 'Instructions').fill('Write one verse of four lines.');
    await field(publisher, 'Example prompts').fill('Rain on a tin roof');
    const categories = publisher.locator('input').and(publisher.getByLabel('Categories'));
    await categories.fill('writing');
    await categories.press('Enter');
    await publisher.getByRole('button', { name: 'Next: Tools' }).click();
    await field(publisher, 'JSON schema of the output').fill('{"type": "string"}');
    await publisher.getByRole('button', { name: 'Save', exact: true }).click();
    await publisher.getByText('must be "object" at the root').first().waitFor();
    await field(publisher, 'JSON schema of the output').fill('');
    await publisher.getByRole('button', { name: 'Next: Price' }).click();
    await field(publisher, 'Max cost of a run').fill('0.1');
    // What is not saved yet outlives the other tabs of the page, other pages, a reload, and the session.
    await publisher.getByRole('tab', { name: 'Versions' }).click();
    await publisher.getByRole('tab', { name: 'Draft' }).click();
    expect(await field(publisher, 'Max cost of a run').inputValue()).toBe('$0.1');
    await publisher.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click();
    await publisher.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await publisher.goBack();
    await publisher.reload();
    await field(publisher, 'Max cost of a run').waitFor();
    expect(await field(publisher, 'Max cost of a run').inputValue()).toBe('$0.1');
    await publisher.getByRole('button', { name: 'Discard changes' }).click();
    await publisher.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await publisher.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await field(publisher, 'Max cost of a run').fill('0.1');
    await field(publisher, 'Output tokens, per 1M tokens').fill('100');
    // 4,000 tokens in at cost and 800 out, and a fee of a tenth.
    const estimate = publisher.getByRole('region', { name: 'Estimate' });
    await estimate.getByText('$0.078', { exact: true }).first().waitFor();
    await estimate.getByText('$0.08932', { exact: true }).first().waitFor();
    expect(await violationsOf(publisher)).toEqual([]);
    await publisher.getByRole('button', { name: 'Next: Try' }).click();
    await publisher.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await publisher.getByRole('button', { name: 'Submit for review' }).click();
    await publisher.getByRole('button', { name: 'In review' }).waitFor();
  });

  test('its publisher sees the trials while they run', async () => {
    await publisher.getByRole('tab', { name: 'Review' }).click();
    const trial = publisher.getByRole('region', { name: 'Example 1' });
    await trial.getByText('Completed', { exact: true }).waitFor();
    expect(await trial.getByText('Rain on a tin roof').count()).toBeGreaterThan(0);
    expect(await violationsOf(publisher)).toEqual([]);
  });

  test('an operator sees the evidence and approves the submission', async () => {
    await operator.goto('/operate?tab=reviews');
    await operator.getByRole('link', { name: 'Poet' }).click();
    await operator.getByRole('heading', { name: 'Changes from the public version' }).waitFor();
    await operator.getByRole('heading', { name: 'Trials' }).waitFor();
    expect(await operator.locator('img[src=x]').count()).toBe(0);
    expect(await violationsOf(operator)).toEqual([]);
    await operator.getByRole('button', { name: 'Approve' }).click();
    await operator.getByRole('dialog').getByRole('button', { name: 'Approve version' }).click();
    await operator.getByRole('button', { name: 'Suspend' }).waitFor();
  });

  test('a caller runs the agent and gives feedback', async () => {
    await operator.goto('/agents/acme-verses/poet');
    await field(operator, 'What should it do\\?').fill(`A verse about rain. ${canary}`);
    await operator.getByRole('button', { name: 'Run', exact: true }).click();
    await operator.getByText('Completed', { exact: true }).waitFor();
    await operator.getByRole('link', { name: /Open the run/ }).click();
    await operator.getByRole('radio', { name: 'Yes' }).check();
    await field(operator, 'What was missing or wrong\\?').fill(canary);
    await operator.getByRole('button', { name: 'Send feedback' }).click();
    await operator.getByText('Feedback sent').waitFor();
    expect(await operator.locator('img[src=x]').count()).toBe(0);
  });

  test('its publisher reads the feedback, and is paid', async () => {
    await publisher.getByRole('tab', { name: 'Quality' }).click();
    await publisher.getByRole('cell', { name: canary }).waitFor();
    expect(await violationsOf(publisher)).toEqual([]);
    await publisher.goto('/publish');
    const earnings = publisher.getByRole('region', { name: 'Earnings' });
    const earned = await earnings
      .getByText(/^Earned in /)
      .locator('+ p .number')
      .first()
      .textContent();
    expect(earned).toMatch(/^\$0\.\d*[1-9]/);
    expect(await earnings.getByText('Available to pay out').locator('+ p .number').first().textContent()).toBe(earned);
    await earnings.getByRole('group', { name: /^Earnings by day, / }).focus();
    await publisher.keyboard.press('ArrowRight');
    await earnings.getByText(/: Earned \$0\.\d*[1-9]/).waitFor({ state: 'attached' });
    await publisher.getByRole('button', { name: 'Pay out' }).click();
    await publisher.getByRole('dialog').getByRole('button', { name: 'Pay out' }).click();
    await publisher.getByText('Added to balance', { exact: true }).waitFor();
    await publisher.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await violationsOf(publisher)).toEqual([]);
  });

  test('a dearer version is announced: callers see its prices, and one version alone is active', async () => {
    await publisher.goto('/publish');
    await publisher.getByRole('link', { name: 'Poet' }).click();
    await step('Price').click();
    await field(publisher, 'Max cost of a run').fill('0.2');
    await publisher.getByRole('button', { name: 'Submit for review' }).click();
    await publisher.getByRole('button', { name: 'In review' }).waitFor();
    await operator.goto('/operate?tab=reviews');
    await operator.getByRole('link', { name: 'Poet' }).click();
    await operator.getByRole('button', { name: 'Approve' }).click();
    await operator.getByRole('dialog').getByRole('button', { name: 'Approve version' }).click();
    await operator.getByText('Scheduled', { exact: true }).waitFor();
    await publisher.goto('/publish');
    const row = publisher.getByRole('row', { name: /acme-verses/ });
    await row.getByText('Scheduled', { exact: true }).waitFor();
    expect(await row.getByText('Active', { exact: true }).count()).toBe(1);
    await operator.goto('/agents');
    await operator.getByText(/^New price from/).waitFor();
    await operator.goto('/agents/acme-verses/poet');
    const announced = operator.getByRole('region', { name: /^Announced prices/ });
    await announced.waitFor();
    expect(await operator.getByText('$0.20').count()).toBeGreaterThan(0);
    expect(await violationsOf(operator)).toEqual([]);
  });

  test.each(['/publish', '/agents', '/agents/acme-verses/poet', '/runs', '/files'])(
    'untrusted texts are shown as text, and axe finds nothing, on %s',
    async (path) => {
      await operator.goto(path);
      await operator.getByRole('heading', { level: 1 }).waitFor();
      await operator.waitForLoadState('networkidle');
      expect(await operator.locator('img[src=x]').count()).toBe(0);
      expect(await violationsOf(operator)).toEqual([]);
    },
  );

  test('of many agents, the first ones stand above the earnings, and the others come when asked for', async () => {
    for (let at = 0; at < 20; at++)
      await ada.post('publisher/agents', { namespace: 'acme-verses', slug: `draft-${at}`, name: `Draft ${at}` });
    await publisher.goto('/publish');
    const list = publisher.getByRole('group', { name: 'Your agents' }).locator('tbody tr');
    const more = publisher.getByRole('button', { name: 'Show all agents' });
    await more.waitFor();
    expect(await list.count()).toBe(20);
    await more.click();
    await list.nth(20).waitFor();
    expect(await more.count()).toBe(0);
  });

  test('causes no error in the browsers except the refusal of the draft', () => {
    expect(browser.complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
  });
});
