import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { told } from '../support/guardStage.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const list = { name: 'list_files', arguments: '{}' };
// The last turn repeats until the run has used up its steps.
const script = { turns: [{ text: 'I look again. '.repeat(60), toolCalls: [list] }] };
const compaction = { mode: 'summarize' as const, compact_threshold: 1_200, keep_turns: 1 };

// The first connection to a run's events has one event, and then neither a byte nor an end: as after a network that was left.
const SILENCED = `
const real = fetch;
globalThis.fetch = async (request, init) => {
  const response = await real(request, init);
  if (globalThis.isSilent || !String(request.url).includes('/events')) return response;
  const reader = response.body.getReader();
  let text = '';
  while (!/\\bdata:.*\\n\\n/.test(text)) text += new TextDecoder().decode((await reader.read()).value);
  const first = text.slice(0, text.indexOf('\\n\\n', text.indexOf('data:')) + 2);
  void reader.cancel();
  globalThis.isSilent = true;
  const start = (controller) => {
    controller.enqueue(new TextEncoder().encode(first));
    request.signal.addEventListener('abort', () => controller.error(new TypeError('gone')));
  };
  return new Response(new ReadableStream({ start }), response);
};`;

describeInBrowser('an agent whose runs are long', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let workspaceId: string;

  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  /** No rule of accessibility is broken and nothing is wider than the page, in both schemes, on wide and narrow screens. */
  async function expectSound(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 360]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect({ width, isWider: widest > width }).toEqual({ width, isWider: false });
        expect(await violationsOf(page)).toEqual([]);
      }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test('has what becomes of earlier turns in its draft', async () => {
    await page.goto('/publish');
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('textbox', { name: /^Name( \*)?$/ }).fill('Researcher');
    await page.getByRole('textbox', { name: /^Namespace( \*)?$/ }).fill('acme-long');
    await page.getByRole('button', { name: 'Create draft' }).click();
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByRole('button', { name: /Tools/ }).click();
    const rule = page.getByRole('combobox', { name: 'Earlier turns of a long run' });
    expect(await rule.getAttribute('placeholder')).toBe('Keep all');
    await page.getByLabel('Max steps').fill('400');
    expect(await rule.getAttribute('placeholder')).toBe('Summarize');
    await rule.click();
    await page.getByRole('option', { name: 'Summarize' }).click();
    await page.getByLabel('Token threshold').fill('500');
    await page.getByLabel('Turns to keep').fill('5');
    await page.getByLabel('What a summary keeps').fill('All order numbers.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/1,?000\b/)
      .first()
      .waitFor();
    await page.getByLabel('Token threshold').fill('60000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').first().waitFor();
    await page.reload();
    await page.getByLabel('What a summary keeps').waitFor();
    expect(await rule.inputValue()).toBe('Summarize');
    expect(await page.getByLabel('Token threshold').inputValue()).toBe('60,000');
    expect(await page.getByLabel('Turns to keep').inputValue()).toBe('5');
    await expectSound();
  });

  test('shows the summaries of a run as steps of their own', async () => {
    const rates = [{ meter: 'model_output_tokens' as const, price_usd: 0.00001 }];
    const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates };
    const agent = await publishAgent(
      stage.db,
      { name: 'Reader', tools: ['list_files'], pricing, max_steps: 40, compaction },
      { workspaceId },
    );
    const id = await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1', prefer: 'wait=60' };
        const answer = await fetch('/console/v1/runs', { method: 'POST', headers, body });
        return ((await answer.json()) as { id: string }).id;
      },
      JSON.stringify({ agent, input: told(script)[0]!.content }),
    );
    await page.goto(`/runs/${id}`);
    const summary = page.locator('button.fall').filter({ hasText: 'summarize' }).first();
    await summary.click();
    const details = page.getByRole('region', { name: 'Step summarize' });
    await details.getByText('All is well.').waitFor();
    expect(await details.innerText()).toMatch(/Compaction[^]*Tokens\s+[\d,]+ in \/ [\d,]+ out/);
    // The state is announced, and not the duration that counts seconds beside it.
    const announced = page.getByRole('group', { name: 'State of the run' }).locator('[aria-live]');
    expect(await announced.first().innerText()).toMatch(/^(Completed|Limit reached)$/);
    expect(await page.locator('[aria-live]').filter({ hasText: 'Duration' }).count()).toBe(0);
    await page.goto('/runs');
    await page.getByLabel('Find a run by its ID').fill(` ${id} `);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/${id}`);
    await expectSound();
  });

  test('are followed from the last event on after a connection that fell silent, also when they ended meanwhile', async () => {
    const { id } = (await stage.db.pool.query<{ id: string }>('select id from runs limit 1')).rows[0]!;
    const watching = await page.context().newPage();
    const asked: (string | undefined)[] = [];
    watching.on('request', (request) => {
      if (/runs\/run_\w+\/events/.test(request.url())) asked.push(request.headers()['last-event-id']);
    });
    await watching.clock.install();
    await watching.addInitScript(SILENCED);
    await watching.goto(`/runs/${id}`);
    await until(() => watching.evaluate<boolean>('globalThis.isSilent === true'));
    expect(await watching.locator('button.fall').count()).toBe(0);
    await watching.clock.fastForward(31_000);
    await watching.locator('button.fall').first().waitFor();
    expect(asked).toEqual([undefined, expect.any(String)]);
    await watching.close();
  });

  test('leads to the sign-in page when the session has ended before its events are followed', async () => {
    const { id } = (await stage.db.pool.query<{ id: string }>('select id from runs limit 1')).rows[0]!;
    await page.goto('/runs');
    const cookies = await page.context().cookies();
    await page.route('**/console/v1/runs/*/events*', async (route) => {
      await page.context().clearCookies();
      // A page that was closed has aborted its request.
      await route.continue({ headers: { ...(await route.request().allHeaders()), cookie: '' } }).catch(() => {});
    });
    await page.goto(`/runs/${id}`);
    await page.waitForURL(/\/sign-in\?/);
    await page.unroute('**/console/v1/runs/*/events*');
    await page.context().addCookies(cookies);
  });
});
