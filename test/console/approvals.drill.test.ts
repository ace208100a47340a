import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Script } from '../../rules/scripted/script.ts';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const PHONE = { width: 360, height: 740 };

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const write = (path: string) => call('write_file', { path, content: 'A trip.' });
const form = call('ask_user', {
  question: 'Where to?',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', minLength: 2 },
      board: { type: 'string', title: 'Board', enum: ['n', 'h'], enumNames: ['None', 'Half'], default: 'h' },
    },
    required: ['city'],
  },
});

describeInBrowser('a caller who is asked', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let agent: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    const workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    const rates = [
      { meter: 'model_output_tokens' as const, price_usd: 0.0001 },
      { meter: 'tool_calls' as const, price_usd: 0.002 },
    ];
    const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates };
    const tools = ['ask_user', 'write_file'];
    const settings = { name: 'Planner', tools, pricing, question_forms: true, requires_approval: ['write_file'] };
    agent = await publishAgent(stage.db, settings, { workspaceId });
    const namespace = `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Ada')`;
    await stage.asOwner(namespace, [workspaceId]);
    page = await stage.visit(browser, ada);
    await page.setViewportSize(PHONE);
  });
  afterAll(() => stage?.close());

  /** Orders a run of the agent on the playground. */
  async function order(script: Script): Promise<void> {
    await page.goto('/playground?tool=agent');
    await page.getByRole('combobox', { name: 'Agent' }).click();
    await page.getByRole('option', { name: agent }).click();
    await page.getByLabel('What should it do?').fill(JSON.stringify({ scripted: script }));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
  }

  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const completed = () => region('Run').getByText('Completed', { exact: true }).first().waitFor();

  test('fills in a form and approves a call on a phone, each by itself', async () => {
    await order({ turns: [{ toolCalls: [form, write('trip.md')] }, { text: 'Booked.' }] });
    const question = region('The agent asks (1 of 2)');
    await question.getByText('Where to?').waitFor();
    const approval = region('Approve write_file (2 of 2)');
    await approval.getByText('Costs about $0.002.').waitFor();
    await approval.getByText('"trip.md"').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);

    await question.getByRole('textbox', { name: 'City' }).fill('U');
    await question.getByRole('button', { name: 'Answer', exact: true }).click();
    await question.getByText(/at least 2|>=2/).waitFor();
    await question.getByRole('textbox', { name: 'City' }).fill('Ulm');
    await question.getByRole('button', { name: 'Answer', exact: true }).click();
    await region('Approve write_file').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Booked.').first().waitFor();
    await completed();
  });

  test('changes the arguments of a call before it is made', async () => {
    await order({ turns: [{ toolCalls: [write('trip.md')] }, { text: 'Written.' }] });
    const approval = region('Approve write_file');
    await approval.getByRole('button', { name: 'Edit', exact: true }).click();
    await approval.getByRole('textbox', { name: 'path' }).fill('plan.md');
    expect(await violationsOf(page)).toEqual([]);
    await approval.getByRole('button', { name: 'Approve with changes' }).click();
    await completed();
    await page.getByText('plan.md').first().waitFor();
  });

  test('refuses a call with a reason, and the run goes on without it', async () => {
    await order({ turns: [{ toolCalls: [write('trip.md')] }, { text: 'Then not.' }] });
    const approval = region('Approve write_file');
    await approval.getByRole('button', { name: 'Refuse', exact: true }).click();
    await approval.getByRole('textbox', { name: 'Reason' }).fill('Not in this folder.');
    expect(await violationsOf(page)).toEqual([]);
    await approval.getByRole('button', { name: 'Refuse', exact: true }).click();
    await page.getByText('Then not.').first().waitFor();
    await completed();
  });
});
