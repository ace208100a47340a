import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { told } from '../support/guardStage.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const text = 'A long line of the file. '.repeat(80);
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const script = {
  turns: [
    { reasoning: 'First I write the file.', toolCalls: [call('write_file', { path: 'a.txt', content: text })] },
    { toolCalls: [call('read_file', { path: 'a.txt' }), call('read_file', { path: 'missing.txt' })] },
    { text: 'Done.' },
  ],
};

describeInBrowser("the timeline of a run's steps", (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let agent: string;

  /** The id of a run of the agent, after its end or so many seconds. */
  const runOf = (input: unknown, waitSeconds = '60') =>
    page.evaluate(
      async ({ body, prefer }) => {
        const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1', prefer };
        const answer = await fetch('/console/v1/runs', { method: 'POST', headers, body });
        return ((await answer.json()) as { id: string }).id;
      },
      { body: JSON.stringify({ agent, input }), prefer: `wait=${waitSeconds}` },
    );

  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    const workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    const rates = [{ meter: 'model_output_tokens' as const, price_usd: 0.0001 }];
    const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates };
    agent = await publishAgent(
      stage.db,
      { name: 'Clerk', tools: ['write_file', 'read_file'], pricing },
      { workspaceId },
    );
    page = await stage.visit(browser, ada);
    const id = await runOf(told(script)[0]!.content);
    await page.goto(`/runs/${id}`);
  });
  afterAll(() => stage?.close());

  test('shows a chosen step with arguments, reasoning, tokens and the whole result, on every screen', async () => {
    const steps = page.locator('button.fall');
    const details = page.getByRole('region', { name: /^Step / });
    await steps.nth(5).waitFor();
    // What failed is chosen at first.
    await details.getByText('missing.txt').first().waitFor();
    expect(await steps.nth(4).getAttribute('aria-current')).toBe('step');
    await steps.nth(0).click();
    await details.getByText('First I write the file.').waitFor();
    expect(await details.innerText()).toMatch(/Tokens\s+[\d,]+ in \/ [\d,]+ out/);
    await details.getByText('Call of write_file').first().waitFor();
    await steps.nth(0).press('ArrowDown');
    expect(await steps.nth(1).evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await steps.nth(3).click();
    await details.getByText('"a.txt"').waitFor();
    expect(await details.innerText()).not.toContain(text.trim());
    await details.getByRole('button', { name: 'Show all' }).click();
    await details.getByText(text.trim()).waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 360]) {
        // Colours that are still changing have no contrast of their own.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect({ width, isWider: widest > width }).toEqual({ width, isWider: false });
        expect(await violationsOf(page)).toEqual([]);
      }
  });

  test('reruns from a step, and shows the new run beside the first one', async () => {
    await page.locator('button.fall').nth(5).click();
    await page.getByRole('button', { name: 'Rerun from here' }).click();
    await page.getByRole('button', { name: 'Start rerun' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('menuitem', { name: 'The original run' }).click();
    await page.getByRole('heading', { name: 'Compare runs' }).waitFor();
    await page.getByText('5 reused').waitFor();
    const pairs = page.locator('.pair');
    await expect(pairs.count()).resolves.toBe(6);
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect({ width, isWider: widest > width }).toEqual({ width, isWider: false });
      expect(await violationsOf(page)).toEqual([]);
    }
  });

  test('shows an input of messages as a conversation, at first its end', async () => {
    const said = (role: string, content: string) => ({ type: 'message', role, content });
    const input = [
      said('system', 'Be brief.'),
      ...[1, 2, 3].flatMap((turn) => [said('user', `Question ${turn}`), said('assistant', `**Answer** ${turn}`)]),
      { type: 'function_call', call_id: '1', name: 'look_up', arguments: '{"word":"tide"}' },
      { type: 'function_call_output', call_id: '1', output: 'The sea rises.' },
      said('user', 'Question 4'),
    ];
    await page.goto(`/runs/${await runOf(input)}`);
    const messages = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
    await messages.getByText('Question 4').waitFor();
    expect(await messages.count()).toBe(8);
    await messages.getByText('Call of look_up', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Show 2 earlier messages' }).click();
    expect(await messages.count()).toBe(10);
    expect(await messages.first().innerText()).toMatch(/^System\s[^]*Be brief\./);
    expect(await messages.nth(2).locator('strong').innerText()).toBe('Answer');
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect({ width, isWider: widest > width }).toEqual({ width, isWider: false });
      expect(await violationsOf(page)).toEqual([]);
    }
  });

  test('the list counts and sums up all runs, with those that it does not show yet', async () => {
    await stage.db.pool.query(COPIES);
    const { rows } = await stage.db.pool.query<{ count: number; usd: number }>(
      'select count(*)::int, sum(total_nanos)::float8 / 1e9 as usd from runs',
    );
    const { count, usd } = rows[0]!;
    expect(count).toBeGreaterThan(60);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/runs');
    const list = page.getByRole('group', { name: 'Runs' });
    await list.getByText(`${count} runs`, { exact: true }).waitFor();
    expect(await list.locator('tbody tr').count()).toBe(50);
    const sum = await list.locator('tfoot td').last().innerText();
    expect(Number(sum.replaceAll(/[$,]/g, ''))).toBeCloseTo(usd, 2);
  });

  test('says nothing of a running run that it does not know, while the network is gone', async () => {
    const slow = { text: 'word '.repeat(2_000), delayMs: 50 };
    const id = await runOf(told(slow)[0]!.content, '0');
    await page.goto(`/runs/${id}`);
    const state = page
      .getByRole('group', { name: 'State of the run' })
      .or(page.locator('[aria-label="State of the run"]'));
    await page.getByText('word word').first().waitFor();
    await page.context().setOffline(true);
    await state.getByText('Reconnecting…').waitFor();
    const before = await state.innerText();
    // Two ticks of its clock.
    await page.evaluate('new Promise((done) => setTimeout(done, 2200))');
    expect(await state.innerText()).toBe(before);
    await page.context().setOffline(false);
    await state.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await state.getByText('Cancelled').waitFor();
  });
});

// Raw: sixty runs like the first one.
const COPIES = `
insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', r.id || 'copy' || number, 'hold_id', r.hold_id || 'copy' || number))).*
from runs r, generate_series(1, 60) number where r.rerun_of is null`;
