import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { noteAgentAlerts } from '../../db/agentAlerts/noteAgentAlerts.ts';
import { endRuns } from '../db/publishedRuns/agentStage.ts';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const SECRET = 'Words of a caller.';

describeInBrowser('the runs of a published agent', (browser) => {
  let stage: ConsoleStage;
  let publisher: Page;
  let caller: Page;
  let path: string;
  let runId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const [ada, cora] = [await stage.person(), await stage.person({ name: 'Cora' })];
    const [own, other] = [ada.me.workspace.id, cora.me.workspace.id];
    await publishAgent(stage.db, {}, { workspaceId: own });
    const { rows } = await stage.db.pool.query<{ id: string }>('select id from agents where workspace_id = $1', [own]);
    const agent = { agentId: rows[0]!.id, publisherId: own, workspaceId: other };
    path = `/publish/${agent.agentId}?tab=runs`;
    await endRuns(stage.db, agent, 30, { version: '1', seconds: 4 });
    await endRuns(stage.db, agent, 6, { version: '2', seconds: 9 });
    const failed = { version: '2', status: 'failed', code: 'output_invalid', fault: 'agent' };
    [runId] = (await endRuns(stage.db, agent, 4, failed)) as [string];
    publisher = await stage.visit(browser, ada);
    caller = await stage.visit(browser, cora);
  });
  afterAll(() => stage?.close());

  const table = (name: string) => publisher.getByRole('group', { name, exact: true });
  const drawer = () => publisher.getByRole('dialog');

  test('are compared by version, filtered by their error, and opened without their content', async () => {
    await publisher.goto(path);
    await publisher.getByText('36 of 40 runs').waitFor();
    const versions = table('Versions compared').locator('tbody tr');
    await versions.filter({ hasText: 'output_invalid' }).getByText('60.0%').waitFor();
    expect(await versions.count()).toBe(2);
    expect(await violationsOf(publisher)).toEqual([]);

    await table('Errors and limits').getByRole('link', { name: 'output_invalid' }).click();
    const runs = table('Runs of the agent').locator('tbody tr');
    await publisher.getByText('4 runs').waitFor();
    expect(await runs.count()).toBe(4);
    await publisher.goto(`${path}&run=${runId}`);
    await drawer().getByText('stays with the caller').waitFor();
    await drawer().getByText('output_invalid').first().waitFor();
    expect(await drawer().innerText()).not.toContain(SECRET);
    expect(await violationsOf(publisher)).toEqual([]);
  });

  test('are read once their caller shares them, and no longer when it stops', async () => {
    await caller.goto(`/runs/${runId}`);
    await caller.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = caller.getByRole('dialog');
    expect(await violationsOf(caller)).toEqual([]);
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await caller.getByRole('button', { name: 'Shared', exact: true }).waitFor();

    await publisher.goto(`${path}&run=${runId}`);
    await drawer().getByText('Its caller shares').waitFor();
    await drawer().getByText(SECRET).first().waitFor();
    expect(await violationsOf(publisher)).toEqual([]);

    await caller.getByRole('button', { name: 'Shared', exact: true }).click();
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await caller
      .getByRole('dialog', { name: 'Stop sharing this run?' })
      .getByRole('button', { name: 'Stop sharing' })
      .click();
    await caller.getByRole('button', { name: 'Share', exact: true }).waitFor();
    await publisher.reload();
    await drawer().getByText('stays with the caller').waitFor();
    expect(await drawer().innerText()).not.toContain(SECRET);
  });

  test('are watched by an alert, of which Home tells', async () => {
    await publisher.goto(path);
    await publisher.getByRole('button', { name: 'Create alert' }).click();
    await drawer().getByLabel('Failed runs, %').fill('5');
    expect(await violationsOf(publisher)).toEqual([]);
    await drawer().getByRole('button', { name: 'Create alert' }).click();
    const row = table('Alerts').locator('tbody tr').filter({ hasText: '5% failed in 1 h' });
    await row.getByText('Failing').waitFor();
    await noteAgentAlerts(stage.db.everywhere);
    await publisher.goto('/');
    await publisher.getByText(/^Runs of \S+ fail\.$/).waitFor();
    await publisher.goto(path);
    await row.getByRole('button', { name: 'Delete alert' }).click();
    await drawer().getByRole('button', { name: 'Delete alert' }).click();
    await publisher.getByText('No alerts yet.').waitFor();
  });
});
