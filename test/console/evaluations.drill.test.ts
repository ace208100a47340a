import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const CONFIGURATION = {
  name: 'Poet',
  description: 'Writes verses about anything.',
  instructions: 'Write one verse of four lines.',
  tools: [],
  plugins: [],
  pricing: {
    minimum_cost_usd: 0,
    maximum_cost_usd: 0.1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.000003 }],
  },
  categories: ['writing'],
  example_prompts: ['Rain on a tin roof'],
};

const asked = (text: string) => JSON.stringify({ scripted: { text } });

describeInBrowser('an evaluation set', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let agentId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    agentId = (await ada.post('publisher/agents', { namespace: 'verses', slug: 'poet', ...CONFIGURATION })).body.id;
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');
  const field = (label: string) => dialog().getByRole('textbox', { name: new RegExp(String.raw`^${label}( \*)?$`) });
  const results = () => page.getByRole('region', { name: 'Results' });

  async function fillCase({ name, input, reference }: { name: string; input: string; reference: string }) {
    await field('Name').fill(name);
    await field('Input').fill(input);
    await field('Reference').fill(reference);
  }

  test('begins empty, gets cases with checks, and refuses what cannot be stored', async () => {
    await page.goto(`/publish/${agentId}?tab=evaluations`);
    await page.getByText('No cases yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add case' }).click();
    await fillCase({ name: 'Rain', input: asked('Rain on tin.'), reference: 'rain' });
    await dialog().getByRole('button', { name: 'Add check' }).click();
    await dialog().getByRole('combobox', { name: 'Check 2' }).click();
    await page.getByRole('option', { name: 'Latency' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Add case' }).click();
    await dialog().waitFor({ state: 'hidden' });

    const cases = page.getByRole('region', { name: 'Cases' });
    await cases.getByRole('button', { name: 'Add case' }).click();
    await fillCase({ name: 'Rain', input: asked('Snow.'), reference: 'snow' });
    await dialog().getByRole('button', { name: 'Add case' }).click();
    await dialog().getByText('Another case has this name.').waitFor();
    await field('Name').fill('Snow');
    await dialog().getByRole('button', { name: 'Add case' }).click();
    await cases.getByText('2 cases').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('is run with its price before, and shows each case in red or green', async () => {
    await page.getByText('No run yet to estimate from. At most $0.20.').waitFor();
    await page.getByRole('button', { name: /^Run 2 cases/ }).click();
    await results().getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: /^Run 2 cases, about \$/ }).waitFor();

    await page.getByRole('region', { name: 'Cases' }).getByRole('button', { name: 'Snow' }).click();
    await field('Reference').fill('sleet');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Run 2 cases/ }).click();
    await results().getByText('1 of 2').waitFor();
    await results().getByText('Failed').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await results().getByRole('button', { name: 'Snow' }).click();
    await dialog().getByText('does not contain "sleet"').waitFor();
    await dialog().getByRole('link', { name: 'Open the run' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });

  test('stands in the review of the version that it was run with', async () => {
    await page.getByRole('tab', { name: 'Draft' }).click();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('button', { name: 'In review' }).waitFor();
    await page.getByRole('tab', { name: 'Review' }).click();
    const evidence = page.getByRole('region', { name: 'Evaluation' });
    await evidence.getByText('Not all passed.').waitFor();
    await evidence.getByRole('button', { name: 'Snow' }).waitFor();
    await page.getByText('The evaluation set has 1 of 2 cases that did not pass.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
