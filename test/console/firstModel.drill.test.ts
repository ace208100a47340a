import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { startVendor, type VendorDouble } from '../api/starters/vendorDouble.ts';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const key = 'sk-vendor-secret-4Kd9';
const rehearsal = {
  id: 'ledgerline-rehearsal',
  kind: 'text',
  rehearsal: true,
  aliases: [],
  outputTokensMax: 4096,
  usdPerMillion: { input_tokens: 0, output_tokens: 0 },
};

describeInBrowser('the first model of an installation', (browser) => {
  let stage: ConsoleStage;
  let vendor: VendorDouble;
  let olga: Page;
  let agent: string;
  beforeAll(async () => {
    vendor = await startVendor({ key, models: ['real-1'] });
    const env = { CATALOG_SECRETS_KEY: createSealingKey(), AGENT_MODEL: rehearsal.id };
    stage = await setConsoleStage(env, { models: [rehearsal] });
    const person = await stage.person({ name: 'Olga' });
    await stage.makeOperator(person.email);
    const workspaceId = person.me.workspace.id;
    await stage.credit(workspaceId, '5');
    agent = await publishAgent(stage.db, { name: 'Guide' }, { workspaceId });
    olga = await stage.visit(browser, person);
  });
  afterAll(async () => {
    await stage?.close();
    await vendor?.stop();
  });

  /** What the API answers to the page. */
  const post = <Body>(path: string, body: object) =>
    olga.evaluate(
      async ([to, text]) => {
        const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1', prefer: 'wait=60' };
        return (await (await fetch(to!, { method: 'POST', headers, body: text! })).json()) as Body;
      },
      [path, JSON.stringify(body)],
    );
  const run = () =>
    post<{ status: string; usage: { total_usd: number }; output: unknown }>('/console/v1/runs', {
      agent,
      input: 'Where?',
    });
  const button = (name: string | RegExp) => olga.getByRole('button', { name });
  const panel = (name: string) => olga.getByRole('region', { name });

  test('is asked for on Home and above the catalogue, while agents answer by rules', async () => {
    await olga.goto('/');
    await olga.getByRole('link', { name: 'by a vendor’s key or on this machine' }).waitFor();
    expect(await violationsOf(olga)).toEqual([]);
    await olga.goto('/operate?tab=models');
    await olga.getByRole('link', { name: 'Give agents a model' }).waitFor();
    expect(await violationsOf(olga)).toEqual([]);
    await olga.getByRole('link', { name: 'Give agents a model' }).click();
    await olga.getByRole('heading', { name: 'Model of agents' }).waitFor();
  });

  test('is not kept with a wrong key, which is told in plain words', async () => {
    await olga.getByRole('combobox', { name: 'Vendor' }).click();
    await olga.getByRole('option', { name: /^Another address/ }).click();
    await olga.getByLabel('Address').fill(vendor.url);
    await olga.getByLabel('Key', { exact: true }).fill('sk-wrong');
    await olga.getByRole('combobox', { name: 'Model', exact: true }).fill('real-1');
    await button('Probe').click();
    await olga.getByText('The vendor refuses this key (401)').waitFor();
    expect(await violationsOf(olga)).toEqual([]);
    const { rows } = await stage.db.pool.query('select name from catalog_changes');
    expect(rows).toEqual([]);
  });

  test('is probed, priced and used by a run and a chat, with no restart of API and worker', async () => {
    const before = await run();
    expect(before).toMatchObject({ status: 'completed', usage: { total_usd: 0 } });
    await olga.getByLabel('Key', { exact: true }).fill(key);
    await button('Probe').click();
    await olga.getByText('Answered “Paris”').waitFor();
    await olga.getByRole('textbox', { name: /^Input, for/ }).fill('1');
    await olga.getByRole('textbox', { name: /^Output, for/ }).fill('4');
    expect(await violationsOf(olga)).toEqual([]);
    await button('Sell it, and use it for agents').click();
    await panel('In use').getByText('Agents use real-1, chosen by Olga.').waitFor();
    expect(await olga.content()).not.toContain(key);

    const after = await run();
    expect(after).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(after.output)).toContain('The real model says: Paris.');
    expect(after.usage.total_usd).toBeGreaterThan(0);
    const chat = await post<{ choices: { message: { content: string } }[] }>('/console/v1/chat/completions', {
      model: 'real-1',
      messages: [{ role: 'user', content: 'Where?' }],
    });
    expect(chat.choices[0]!.message.content).toBe('The real model says: Paris.');
    await stage.db.ledger.posted();
    const sql = `select cost_nanos::text as nanos from requests where model = 'real-1' and cost_nanos > 0`;
    // 40 tokens at $1 and 10 at $4 for a million.
    expect((await stage.db.pool.query(sql)).rows).toEqual([{ nanos: '80000' }]);
    expect(vendor.calls.every((call) => call.key === key || call.key === 'sk-wrong')).toBe(true);
  });

  test('shows its first price and who set it, and the audit tells all of it', async () => {
    await olga.goto('/operate/models/real-1');
    await olga.getByText('First price, set by Olga').waitFor();
    await olga.goto('/operate?tab=audit');
    for (const text of ['set the first price of the model “real-1”', 'gave agents the model “real-1”'])
      await olga.getByText(text).first().waitFor();
  });

  test('is exchanged and returned to the file only after a question', async () => {
    await olga.goto('/operate/agent-model');
    const dialog = olga.getByRole('dialog');
    await olga.getByRole('combobox', { name: 'Agents use' }).click();
    await olga.getByRole('option').filter({ hasNotText: 'real-1' }).first().click();
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await dialog.waitFor({ state: 'detached' });
    await olga.reload();
    await panel('In use').getByText('Agents use real-1, chosen by Olga.').waitFor();
    await button('Return to the file').click();
    await dialog.getByRole('button', { name: 'Return to the file' }).click();
    await panel('In use').getByText('Agents use real-1').waitFor({ state: 'detached' });
  });

  test('fits on a phone, in the light and in the dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await olga.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await olga.setViewportSize({ width: 360, height: 780 });
      await olga.goto('/operate/agent-model');
      await panel('In use').waitFor();
      expect(await olga.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      expect(await violationsOf(olga)).toEqual([]);
    }
  });
});
