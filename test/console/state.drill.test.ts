import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newId } from '../../db/ids.ts';
import { changeState, readState } from '../../db/sessions/sessionState.ts';
import { insertSession } from '../../db/sessions/sessions.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('the state of sessions and the memories of agents', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let workspaceId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    workspaceId = ada.me.workspace.id;
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');
  const panel = () => page.getByRole('region', { name: 'State' });
  const row = (text: string) => page.locator('main tbody tr').filter({ hasText: text });

  test('a state is edited, not over a newer one, and an earlier version is restored', async () => {
    const rows = stage.db.write(workspaceId);
    const sessionId = newId('ses');
    await insertSession(rows, { id: sessionId, title: 'Order 7', metadata: {} }, { step: 'draft' });
    await page.goto(`/sessions/${sessionId}`);
    await panel().getByText('Version 1').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await panel().getByRole('button', { name: 'Edit state' }).click();
    const text = panel().getByLabel('State as JSON');
    await text.fill('{"step": ');
    await panel().getByText('A state is an object of JSON.').waitFor();
    await text.fill('{"step": "review", "facts": [1]}');
    expect(await violationsOf(page)).toEqual([]);
    // A program is faster.
    await changeState(rows, { sessionId, edit: { merge: { step: 'other' } } });
    await panel().getByRole('button', { name: 'Save state' }).click();
    await panel().getByText('has changed the state meanwhile').waitFor();
    await panel().getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await panel().getByText('Version 2').waitFor();
    await panel().getByRole('button', { name: 'Edit state' }).click();
    await text.fill('{"step": "review", "facts": [1]}');
    await panel().getByRole('button', { name: 'Save state' }).click();
    await panel().getByText('Version 3').waitFor();
    expect((await readState(rows, sessionId)).state).toEqual({ step: 'review', facts: [1] });

    await panel().getByRole('button', { name: 'Versions' }).click();
    await dialog().getByRole('button', { name: 'Show version 1' }).click();
    await dialog().getByText('"draft"').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Restore this version' }).click();
    await panel().getByText('Version 4').waitFor();
    expect(await readState(rows, sessionId)).toMatchObject({ version: 4, state: { step: 'draft' } });
  });

  test('memories are found by user and words, and deleted one by one and together', async () => {
    const of = {
      workspaceId,
      projectId: null,
      agentId: 'agent_a',
      agent: 'acme/guide',
      runId: 'run_a',
      expiresAt: null,
    };
    await stage.db.everywhere.statement(({ em, Memory }) =>
      em.insertMany(
        Memory,
        (
          [
            ['ada', 'Likes green tea.'],
            ['ada', 'Lives in London.'],
            ['ada', 'Owns a boat.'],
            ['bob', 'Drinks coffee.'],
          ] as const
        ).map(([endUser, text]) => ({ id: newId('mem'), ...of, endUser, text })),
      ),
    );
    await page.goto('/memories');
    await row('Drinks coffee.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await row('Likes green tea.').getByRole('button', { name: 'ada' }).click();
    await row('Drinks coffee.').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Words' }).fill('tea');
    await row('Lives in London.').waitFor({ state: 'detached' });
    await row('Likes green tea.').getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete memory' }).click();
    await page.getByText('No matching memories').waitFor();
    await page.getByRole('searchbox', { name: 'Words' }).fill('');
    await row('Lives in London.').waitFor();
    await page.getByRole('button', { name: 'Delete all of this user' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Delete memories' }).click();
    await page.getByText('No matching memories').waitFor();
    const { rows } = await stage.db.pool.query('select text from memories where workspace_id = $1', [workspaceId]);
    expect(rows).toEqual([{ text: 'Drinks coffee.' }]);
  });

  test('both are used on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto('/memories');
    await row('Drinks coffee.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBe(0);
  });
});
