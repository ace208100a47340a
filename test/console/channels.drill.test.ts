import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newId } from '../../db/ids.ts';
import { deploy, freeze } from '../../db/publishing/submit.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

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
const NAME = 'gearworks/log-reader';
const REASON = 'The format of the logs has changed.';

describeInBrowser('channels and the end of an agent', (browser) => {
  let stage: ConsoleStage;
  let publisher: Page;
  let caller: Page;
  let agentId: string;
  let first: string;
  let second: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const [ada, ben] = [await stage.person(), await stage.person({ name: 'Ben' })];
    agentId = (await ada.post('publisher/agents', { namespace: 'gearworks', slug: 'log-reader', ...CONFIGURATION }))
      .body.id;
    await publish(stage, agentId);
    const dearer = { pricing: { ...CONFIGURATION.pricing, maximum_cost_usd: 2 } };
    const tag = { 'if-match': '"draft-1"' };
    await ada.send('PATCH', `/console/v1/publisher/agents/${agentId}/draft`, dearer, tag);
    await publish(stage, agentId);
    const { body } = await ada.get<{ data: { version: string }[] }>(`publisher/agents/${agentId}/versions`);
    [second, first] = body.data.map(({ version }) => version) as [string, string];
    await ada.post('publisher/agents', { namespace: 'gearworks', slug: 'sketch', ...CONFIGURATION, name: 'Sketch' });
    [publisher, caller] = [await stage.visit(browser, ada), await stage.visit(browser, ben)];
  });
  afterAll(() => stage?.close());

  test('a channel is created, and moved to a more expensive version with its prices in view: it is scheduled', async () => {
    await publisher.goto(`/publish/${agentId}?tab=versions`);
    const channels = publisher.getByRole('region', { name: 'Channels' });
    await channels
      .getByRole('row', { name: /stable/ })
      .getByText('Active')
      .waitFor();
    await channels.getByRole('button', { name: 'Create channel' }).click();
    const dialog = publisher.getByRole('dialog');
    await dialog.getByText(`Callers order ${NAME}@beta.`).waitFor();
    await choose(publisher, first);
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    const row = channels.getByRole('row', { name: /beta/ });
    await row.getByText(first, { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Move beta', exact: true }).click();
    await choose(publisher, second);
    await dialog.getByText('Max cost of a run').waitFor();
    await dialog.getByText(/^More expensive: callers are told now/).waitFor();
    expect(await violationsOf(publisher)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move channel' }).click();
    await row.getByText('Scheduled').waitFor();
    await row.getByText(`Version ${second} from`).waitFor();
    expect(await violationsOf(publisher)).toEqual([]);
    await caller.goto(`/agents/${NAME}`);
    const offered = caller.getByRole('region', { name: 'Channels' });
    await offered.getByText(`${NAME}@beta`).waitFor();
    expect(await violationsOf(caller)).toEqual([]);
  });

  test('a deprecated agent tells its callers the last day; one that is taken down says why, and comes back', async () => {
    await publisher.getByRole('tab', { name: 'Settings' }).click();
    await publisher.getByRole('button', { name: 'Deprecate agent' }).click();
    const dialog = publisher.getByRole('dialog');
    await dialog.getByLabel('Message to callers').fill('It moves.');
    await dialog.getByRole('button', { name: 'Deprecate agent' }).click();
    await publisher.getByText(/Callers read: It moves\./).waitFor();
    await caller.reload();
    await caller.getByText('This agent is deprecated').waitFor();
    expect(await violationsOf(caller)).toEqual([]);

    await publisher.getByRole('button', { name: 'Take agent down' }).click();
    await dialog.getByLabel('Message to callers').fill(REASON);
    expect(await violationsOf(publisher)).toEqual([]);
    await dialog.getByRole('button', { name: 'Take agent down' }).click();
    await publisher.getByRole('button', { name: 'Restore agent' }).waitFor();
    await caller.reload();
    await caller.getByText(REASON).waitFor();
    expect(await caller.getByRole('region', { name: 'Run' }).count()).toBe(0);
    await publisher.getByRole('button', { name: 'Restore agent' }).click();
    await publisher.getByRole('button', { name: 'Take agent down' }).waitFor();
    await caller.reload();
    await caller.getByRole('region', { name: 'Run' }).waitFor();
  });

  test('a former version is made public again only after a question, which Escape leaves as it was', async () => {
    await publisher.getByRole('tab', { name: 'Versions' }).click();
    const again = (version: string) =>
      publisher.getByRole('button', { name: `Make public again version ${version}`, exact: true });
    const ask = again(first);
    const dialog = publisher.getByRole('dialog', { name: `Make version ${first} public again?` });
    await ask.click();
    await dialog.getByRole('button', { name: 'Keep' }).waitFor();
    expect(await violationsOf(publisher)).toEqual([]);
    await publisher.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await until(() =>
      publisher.evaluate<boolean>("document.activeElement.textContent.startsWith('Make public again')"),
    );
    await publisher.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Make public again' }).click();
    await publisher.getByRole('alert').getByText(`Version ${first} is public again`).waitFor();
    await again(second).waitFor();
    expect(await ask.count()).toBe(0);
  });

  test('an agent that was never public is deleted', async () => {
    await publisher.goto('/publish');
    await publisher.getByRole('link', { name: 'Sketch' }).click();
    await publisher.getByRole('tab', { name: 'Settings' }).click();
    await publisher.getByRole('button', { name: 'Delete agent' }).click();
    await publisher.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click();
    await publisher.getByRole('heading', { name: 'Publish', level: 1 }).waitFor();
    await publisher.getByRole('link', { name: 'Log reader' }).waitFor();
    await publisher.getByRole('link', { name: 'Sketch' }).waitFor({ state: 'detached' });
  });
});

/** Chooses the version in the open dialog. */
async function choose(page: Page, version: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: version, exact: true }).click();
}

/** Publishes a draft without a review. */
const publish = ({ db }: ConsoleStage, agentId: string): Promise<void> =>
  db.everywhere.transaction(async (tx) => {
    const agent = await tx.em.findOneOrFail(tx.Agent, { id: agentId });
    const versionId = await freeze(tx, agent);
    const { workspaceId } = agent;
    const deploymentId = newId('dep');
    await deploy(tx, { deploymentId, workspaceId, agentId, versionId, visibility: 'public', isApproved: true });
  });
