import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { call, told } from '../clients/agentCallStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { startSite, type Site } from '../tools/webStage.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser("a publisher's own code as a tool", (browser) => {
  let stage: ConsoleStage;
  let site: Site;
  let page: Page;
  let agentId: string;
  let secret = '';
  const received: { headers: Record<string, string>; body: string }[] = [];
  beforeAll(async () => {
    site = await startSite((request, response) => {
      void (async () => {
        received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
        response.setHeader('content-type', 'application/x-ndjson');
        response.write('{"type":"progress","message":"Looking it up","percentage":50}\n');
        response.end('{"type":"result","result":{"state":"shipped"}}\n');
      })();
    });
    stage = await setConsoleStage({ WEBHOOK_LOOPBACK: 'on' });
    await seedAgents(stage.db.everywhere);
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    page = await stage.visit(browser, ada);
  });
  afterAll(async () => {
    await stage?.close();
    await site?.stop();
  });

  const field = (label: string) => page.getByRole('textbox', { name: new RegExp(String.raw`^${label}( \*)?$`) });
  const dialog = (title: string) => page.getByRole('dialog', { name: title });
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  test('is added to a draft, with a schema and a secret that is shown once', async () => {
    await page.goto('/publish');
    await button('New agent').click();
    await field('Name').fill('Clerk');
    await field('Namespace').fill('acme-clerks');
    await button('Create draft').click();
    await field('Instructions').fill('Find orders with the tool.');
    await button('Next: Tools').click();
    agentId = /agent_\w+/.exec(page.url())![0];
    await button('Add HTTP tool').click();
    await dialog('Add HTTP tool').getByRole('button', { name: 'Add tool' }).click();
    await page.getByText('Use letters, digits, hyphens and single underscores.').waitFor();
    await field('Name').fill('find_order');
    await field('Description').fill('Finds an order by its number.');
    await field('URL').fill(`http://127.0.0.1:${site.port}/orders`);
    expect(await violationsOf(page)).toEqual([]);
    await button('Add tool').click();
    const list = page.getByRole('list', { name: 'HTTP tools' });
    await list.getByText('find_order', { exact: true }).waitFor();
    await page.getByText('No signing secret yet').waitFor();
    await button('Save').click();
    await button('Saved').waitFor();
    await button('Deploy privately').click();
    await page.getByText('Create the signing secret first').waitFor();
    await button('Create signing secret').click();
    await button('Create secret').click();
    secret = await page.getByTestId('secret').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByText('pip install standardwebhooks flask', { exact: false }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await button('I have copied it').click();
    await button('Rotate signing secret').waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('is tested with sample arguments, and shows the signed request and the answer', async () => {
    await button('Test find_order').click();
    const test = dialog('Test find_order');
    await test.getByRole('textbox', { name: 'order' }).fill('A-1001');
    await test.getByRole('button', { name: 'Send test call' }).click();
    await test.getByText('200', { exact: true }).waitFor();
    await test.getByText('50 % Looking it up').waitFor();
    const request = await test.getByRole('group', { name: 'Request' }).innerText();
    expect(request).toMatch(/webhook-signature: v1,[\s\S]*"order": "A-1001"/);
    expect(await test.getByRole('group', { name: 'What the model reads' }).innerText()).toContain('"state": "shipped"');
    const [{ headers, body }] = received as [(typeof received)[number]];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ tool: 'find_order', mode: 'test' });
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('is used by a run, whose page shows its step', async () => {
    await page.goto(`/publish/${agentId}?step=try`);
    const script = { turns: [{ toolCalls: [call('find_order', { order: 'A-1001' })] }, { text: 'It is shipped.' }] };
    const tried = page.getByRole('region', { name: 'Try the draft' });
    await tried.getByLabel('What should it do?').fill(told(script));
    await tried.getByRole('button', { name: /^Run/ }).click();
    await tried.getByText('Completed', { exact: true }).first().waitFor();
    expect(JSON.parse(received.at(-1)!.body)).toMatchObject({ run_id: expect.stringMatching(/^run_/), mode: 'live' });
    expect(await violationsOf(page)).toEqual([]);
  });
});
