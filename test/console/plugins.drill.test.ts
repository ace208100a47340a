import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { registerPlugin } from '../../db/plugins/plugins.ts';
import { createSealingKey, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';
import { call, told } from '../clients/agentCallStage.ts';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { steadyPort } from '../support/network.ts';
import { startSignInServer, type SignInServer } from '../tools/signInServer.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('what plugins need', (browser) => {
  let stage: ConsoleStage;
  let server: SignInServer;
  let page: Page;
  let runId: string;

  beforeAll(async () => {
    const port = await steadyPort();
    stage = await setConsoleStage({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
    server = await startSignInServer();
    const keys = parseSealingKeys(createSealingKey());
    const notes = { id: 'notes', version: '1', name: 'Notes', url: server.url, headers: {} };
    await registerPlugin(stage.db.everywhere, keys, { ...notes, signIn: { issuer: server.issuer } });
    const description = 'The API key of your mail account.';
    const secrets = [{ name: 'api_key', description, header: 'x-mail-key', template: '{}' }];
    await registerPlugin(stage.db.everywhere, keys, { ...notes, id: 'mailer', name: 'Mailer', secrets });
    const ada = await stage.person();
    const workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    const agent = await publishAgent(stage.db, { plugins: [{ plugin_id: 'notes', version: '1' }] }, { workspaceId });
    page = await stage.visit(browser, ada);
    const input = told({ turns: [{ toolCalls: [call('notes__keep', { text: 'milk' })] }, { text: 'Kept.' }] });
    const order = JSON.stringify({ agent, input });
    runId = await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
      return ((await (await fetch('/console/v1/runs', { method: 'POST', headers, body })).json()) as { id: string }).id;
    }, order);
  });
  afterAll(async () => {
    await stage?.close();
    await server?.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const panel = (name: string) => page.getByRole('region', { name, exact: true });

  async function look(): Promise<void> {
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test('a run that waits leads to its plugin, where a member connects; the run goes on', async () => {
    await page.goto(`/runs/${runId}`);
    await panel('A plugin needs you').waitFor();
    await look();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await panel('Notes').getByText('Not connected').waitFor();
    await look();
    await button('Connect').click();
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByText('is connected as ada@notes.example').waitFor();
    expect(page.url()).toMatch(/\/plugins\/signed-in$/);
    await page.getByRole('link', { name: 'All plugins' }).click();
    await panel('Notes').getByText('Connected as').waitFor();
    await look();
    await page.goto(`/runs/${runId}`);
    await page.getByText('Completed').first().waitFor();
    expect(server.seen.calls).toEqual(['milk']);
  });

  test('a secret is set, and a plugin is disconnected after a question', async () => {
    await page.goto('/plugins');
    await panel('Mailer').getByText('Missing').waitFor();
    await page.getByLabel('Value of api_key').fill('canary-of-the-mailer');
    await button('Save').click();
    await page.getByLabel('New value of api_key').waitFor();
    await button('Disconnect').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await panel('Notes').getByText('Not connected').waitFor();
    expect(await page.content()).not.toContain('canary');
  });

  test('causes no error in the browser', () => {
    expect(browser.complaints).toEqual([]);
  });
});
