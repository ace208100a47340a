import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import type { RunObject } from '../../db/runs/runObject.ts';
import { call, told } from '../clients/agentCallStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { startSite, type Site } from '../tools/webStage.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const timeoutMs = 180_000;
const PHONE = { width: 360, height: 740 };

const order_paper = {
  name: 'order_paper',
  description: 'Orders a paper, at a price.',
  input_schema: { type: 'object', properties: { title: { type: 'string', title: 'Title' } }, required: ['title'] },
};
const configuration = {
  name: 'Researcher',
  description: 'Answers questions from papers.',
  instructions: 'You research with your tools.',
  tools: [],
  plugins: [],
  requires_approval: ['order_paper'],
  pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates: [{ meter: 'tool_calls', price_usd: 0.002 }] },
  categories: ['research'],
  example_prompts: ['Is there water on the moon?'],
};

describeInBrowser('a call of own code that needs approval', (browser) => {
  let stage: ConsoleStage;
  let site: Site;
  let page: Page;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  const received: { tool: string; arguments: object }[] = [];
  beforeAll(async () => {
    site = await startSite((request, response) => {
      void (async () => {
        received.push(JSON.parse(await text(request)));
        response.end('It comes tomorrow.');
      })();
    });
    stage = await setConsoleStage({ WEBHOOK_LOOPBACK: 'on' });
    ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    page = await stage.visit(browser, ada);
    await page.setViewportSize(PHONE);
  });
  afterAll(async () => {
    await stage?.close();
    await site?.stop();
  });

  /** A run that waits, ordered by a program. */
  async function order(): Promise<RunObject> {
    const http_tools = [{ ...order_paper, url: `http://127.0.0.1:${site.port}/orders`, timeout_seconds: 20 }];
    const draft = { namespace: 'acme-papers', slug: 'researcher', ...configuration, http_tools };
    const { body: agent } = await ada.post('publisher/agents', draft);
    expect((await ada.post(`publisher/agents/${agent.id}/http_tools/secret`)).status).toBe(200);
    expect((await ada.post(`publisher/agents/${agent.id}/deploy-private`)).status).toBe(200);
    const turns = [{ toolCalls: [call('order_paper', { title: 'Moon moss' })] }, { text: 'It comes tomorrow.' }];
    const sent = { agent: 'acme-papers/researcher', visibility: 'private', input: told({ turns }) };
    const { body } = await ada.post<RunObject>('runs', sent);
    const read = async () => (await ada.get<RunObject>(`runs/${body.id}`)).body;
    await until(async () => (await read()).status === 'requires_action', { timeoutMs });
    return read();
  }

  test('waits for a phone, which sees the call and its cost, and is made once with what was approved', async () => {
    const run = await order();
    expect(received).toEqual([]);
    await page.goto(`/runs/${run.id}`);
    const approval = page.getByRole('region', { name: 'Approve order_paper', exact: true });
    await approval.getByText('Costs about $0.002.').waitFor();
    await approval.getByText('"Moon moss"').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page.getByText('It comes tomorrow.').first().waitFor();
    expect(received).toMatchObject([{ tool: 'order_paper', arguments: { title: 'Moon moss' }, run_id: run.id }]);
    expect(await violationsOf(page)).toEqual([]);
  });
});
