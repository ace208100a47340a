import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const REMARK = 'Say what happens when the log has gaps.';

const CONFIGURATION = {
  name: 'Log reader',
  description: 'Reads machine logs.',
  instructions: 'Summarise the log.',
  tools: [],
  plugins: [],
  pricing: {
    minimum_cost_usd: 0,
    maximum_cost_usd: 1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.000003 }],
  },
  categories: ['operations'],
  example_prompts: ['Summarise the night.'],
};

describeInBrowser('the outcome of a review', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let agentId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const [ada, olga] = [await stage.person(), await stage.person({ name: 'Olga' })];
    await stage.makeOperator(olga.email);
    const draft = { namespace: 'gearworks', slug: 'log-reader', ...CONFIGURATION };
    agentId = (await ada.post('publisher/agents', draft)).body.id;
    const headers = { 'if-match': '"draft-1"' };
    const submit = `/console/v1/publisher/agents/${agentId}/submit-public`;
    const { body } = await ada.send('POST', submit, {}, headers);
    const feedback = [{ path: '/instructions', message: REMARK }];
    await olga.post(`deployments/${body.id}/request-changes`, { feedback });
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  test('tells what to change, leads to the field, and submits the changed draft', async () => {
    await page.goto(`/publish/${agentId}?tab=review`);
    const panel = page.getByRole('region', { name: 'What to change' });
    await panel.getByText(REMARK).waitFor();
    await panel.getByText('Not changed yet').first().waitFor();
    expect(await panel.getByRole('button', { name: 'Submit again' }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);

    await panel.getByRole('link', { name: 'Edit Instructions' }).click();
    const instructions = page.getByRole('textbox', { name: /^Instructions/ });
    await instructions.waitFor();
    expect(await instructions.evaluate((field) => field.matches(':focus'))).toBe(true);
    await instructions.fill('Summarise the log. Name the gaps in it.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('tab', { name: 'Review' }).click();
    await panel.getByText('Changed in the draft').waitFor();
    await panel.getByRole('button', { name: 'Submit again' }).click();
    await page.getByText('In review').first().waitFor();
  });
});
