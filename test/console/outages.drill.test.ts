import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { password } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { chatBody, chatPath } from '../support/guardStage.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const SKELETON = '.mantine-Skeleton-root';
const BUSY = {
  status: 503,
  contentType: 'application/json',
  body: JSON.stringify({ error: { message: 'The service is busy.', code: 'overloaded' } }),
};

describeInBrowser('what pages show while the service fails', (browser) => {
  let stage: ConsoleStage;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  beforeAll(async () => {
    stage = await setConsoleStage();
    await seedAgents(stage.db.everywhere);
    ada = await stage.person();
    await stage.makeOperator(ada.email);
  });
  afterAll(() => stage?.close());

  /** Lets the reads of these paths fail until it is mended; counts them. */
  async function breakReads(page: Page, path: RegExp) {
    const state = { isBroken: true, failed: 0 };
    await page.route(path, (route) => {
      if (!state.isBroken || route.request().method() !== 'GET') return route.continue();
      state.failed += 1;
      return route.fulfill(BUSY);
    });
    return state;
  }

  describe('a page that reads itself anew', () => {
    test('shows its failure, not a placeholder in turns with it, and what it reads once the service answers', async () => {
      const page = await stage.visit(browser, ada);
      const reads = await breakReads(page, /\/console\/v1\/balance/);
      await page.goto('/billing');
      const balance = page.getByRole('region', { name: 'Balance' });
      await balance.getByRole('button', { name: 'Try again' }).waitFor();
      await page.evaluate(WATCH_SKELETONS);
      const before = reads.failed;
      // Three tries each.
      await until(() => Promise.resolve(reads.failed >= before + 6));
      expect(await page.evaluate<number>('globalThis.skeletons')).toBe(0);
      reads.isBroken = false;
      await balance.getByText('Available balance').waitFor();
      await page.context().close();
    });

    test.each([
      ['sign-in', /\/console\/v1\/(single-sign-on|session-rules)$/, 2],
      ['workspace', /\/console\/v1\/(workspace|auth\/organization\/list-members.*)$/, 2],
    ])('of settings (%s) says in each part why its controls do nothing', async (tab, reads, parts) => {
      const page = await stage.visit(browser, ada);
      const state = await breakReads(page, reads);
      await page.goto(`/settings?tab=${tab}`);
      const failures = page.getByRole('tabpanel').getByText('This could not be loaded');
      await until(async () => (await failures.count()) === parts);
      expect(await violationsOf(page)).toEqual([]);
      state.isBroken = false;
      while ((await failures.count()) > 0) {
        const count = await failures.count();
        await page.getByRole('tabpanel').getByRole('button', { name: 'Try again' }).first().click();
        await until(async () => (await failures.count()) < count);
      }
      await page.context().close();
    });

    test('keeps its amounts when a later read fails', async () => {
      const page = await stage.visit(browser, ada);
      await page.goto('/billing');
      const balance = page.getByRole('region', { name: 'Balance' });
      await balance.locator('.balance-amount').getByText('$0.00').waitFor();
      const reads = await breakReads(page, /\/console\/v1\/balance/);
      await until(() => Promise.resolve(reads.failed >= 4));
      expect(await balance.locator('.balance-amount').innerText()).toContain('$0.00');
      expect(await balance.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.context().close();
    });

    test('keeps what is typed for an agent when its tab is returned to during an outage', async () => {
      const page = await stage.visit(browser, ada);
      await page.clock.install();
      await page.goto('/playground?tool=agent');
      const input = page.getByRole('region', { name: 'Run' }).getByRole('textbox').first();
      await input.fill('Typed before the outage');
      const reads = await breakReads(page, /\/console\/v1\/agents/);
      // What was read is old by then.
      await page.clock.fastForward('01:00');
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      // It is tried three times.
      await until(() => Promise.resolve(reads.failed >= 3));
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(await input.inputValue()).toBe('Typed before the outage');
      await page.context().close();
    });
  });

  test.each([
    ['/usage', /\/console\/v1\/usage/],
    ['/', /\/console\/v1\/usage/],
    ['/playground', /\/console\/v1\/models/],
    ['/operate?tab=audit', /\/console\/v1\/(reviews|adjustments|payouts|catalog|upstreams)/],
  ])('of %s no placeholder stands for what does not come', async (path, broken) => {
    const page = await stage.visit(browser, ada);
    // Home ranks what was called.
    const { body } = await ada.send<{ key: string }>('POST', '/console/v1/keys', { name: `For ${path}` });
    await stage.ask(chatPath, { headers: { authorization: `Bearer ${body.key}` }, body: chatBody() });
    const reads = await breakReads(page, broken);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await until(() => Promise.resolve(reads.failed >= 3));
    await until(async () => (await page.locator(SKELETON).count()) === 0);
    expect(await page.getByText(/could not be (loaded|read)/i).count()).toBeGreaterThan(0);
    await page.context().close();
  });

  describe('of a connection that is silent', () => {
    test('a form says so, can be sent again as the same order, and be closed', async () => {
      const page = await stage.visit(browser, ada);
      await page.clock.install();
      await page.goto('/keys?create=1');
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill('Never answered');
      const orders: (string | undefined)[] = [];
      await page.route('**/console/v1/keys', (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        // Left unanswered.
        return void orders.push(route.request().headers()['idempotency-key']);
      });
      for (const count of [1, 2]) {
        await dialog.getByRole('button', { name: 'Create key' }).click();
        await until(() => Promise.resolve(orders.length === count));
        await page.clock.fastForward('01:31');
        await dialog.getByRole('alert').getByText('The service could not be reached').first().waitFor();
      }
      expect(orders[0]).toBe(orders[1]);
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Never answered');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.context().close();
    });

    test.each([
      ['is cut off', 'The connection broke off before the end of the answer.'],
      ['says nothing for half a minute', 'The service could not be reached.'],
    ])('an answer in the playground that %s says so, and keeps what came', async (how, sentence) => {
      const page = await stage.visit(browser, ada);
      await page.clock.install();
      const body = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half of' } }] })}\n\n`;
      let isAsked = false;
      await page.route('**/console/v1/chat/completions', (route) => {
        isAsked = true;
        return how === 'is cut off' ? route.fulfill({ contentType: 'text/event-stream', body }) : undefined;
      });
      await page.goto('/playground');
      await page.getByRole('button', { name: 'Compare TCP and UDP in a table.' }).click();
      await until(() => Promise.resolve(isAsked));
      if (how === 'is cut off') await page.getByRole('article', { name: 'Answer' }).getByText('Half of').waitFor();
      else await page.clock.fastForward('00:31');
      await page.getByRole('alert').getByText(sentence).waitFor();
      await page.getByRole('button', { name: 'Send again', exact: true }).waitFor();
      await page.context().close();
    });
  });

  test.each([
    ['speech', 'audio/speech', 'Speak', '01:31'],
    ['transcription', 'audio/transcriptions', 'Transcribe', '05:01'],
  ])('%s over a silent connection says so, keeps its input and can be sent again', async (tool, path, name, time) => {
    const page = await stage.visit(browser, ada);
    await page.clock.install();
    const orders: (string | undefined)[] = [];
    await page.route(
      `**/console/v1/${path}`,
      (route) => void orders.push(route.request().headers()['idempotency-key']),
    );
    await page.goto(`/playground?tool=${tool}`);
    const file = { name: 'recording.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') };
    if (tool === 'transcription') await page.locator('input[type=file]').setInputFiles(file);
    for (const count of [1, 2]) {
      await page.getByRole('button', { name, exact: true }).click();
      await until(() => Promise.resolve(orders.length === count));
      await page.clock.fastForward(time);
      await page.getByRole('alert').getByText('The service could not be reached').first().waitFor();
    }
    if (tool === 'speech') expect([typeof orders[0], orders[1]]).toEqual(['string', orders[0]]);
    else await page.getByRole('button', { name: 'Audio' }).getByText('recording.wav').waitFor();
    await page.context().close();
  });

  test('another try is seen at its button, which keeps the focus', async () => {
    const page = await stage.visit(browser, ada);
    const reads = await breakReads(page, /\/console\/v1\/webhook_endpoints\/we_1$/);
    await page.goto('/webhooks/we_1');
    const button = page.getByRole('button', { name: 'Try again' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('button[data-loading]').waitFor();
    await page.locator('button[data-loading]').waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Try again');
    reads.isBroken = false;
    await button.click();
    await page.getByText('Not found').waitFor();
    await page.context().close();
  });
});

describeInBrowser('what pages show of changes elsewhere', (browser) => {
  let stage: ConsoleStage;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  beforeAll(async () => {
    stage = await setConsoleStage();
    await seedAgents(stage.db.everywhere);
    ada = await stage.person();
  });
  afterAll(() => stage?.close());

  test('a thing that is deleted meanwhile is not shown any more, and says so', async () => {
    const endpoint = { url: 'https://example.com/events', event_types: ['run.completed'] };
    const { body } = await ada.send<{ id: string }>('POST', '/console/v1/webhook_endpoints', endpoint);
    const page = await stage.visit(browser, ada);
    await page.goto(`/webhooks/${body.id}`);
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    await ada.send('DELETE', `/console/v1/webhook_endpoints/${body.id}`);
    await page.getByRole('alert').getByText('Not found').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await page.getByRole('link', { name: 'All endpoints' }).waitFor();
    await page.context().close();
  });

  test('a list is read anew when a change is refused because another tab was first', async () => {
    const rule = { agent: 'ledgerline/writer', concurrency: { limit: 2, key: null }, rate: null };
    const made = await ada.send<{ id: string }>('POST', '/console/v1/flow-rules', rule);
    expect(made.status).toBe(201);
    const page = await stage.visit(browser, ada);
    await page.goto('/runs/flow');
    await page.getByRole('button', { name: 'Delete rule' }).click();
    await ada.send('DELETE', `/console/v1/flow-rules/${made.body.id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText(`'${made.body.id}'`).waitFor();
    await page.getByRole('row', { name: /ledgerline\/writer/ }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('another role shows its own menu with the next page', async () => {
    const page = await stage.visit(browser, ada);
    await page.goto('/keys?create=1');
    await page.getByRole('dialog').getByLabel('Name').fill('Of a former owner');
    await stage.asOwner("update members set role = 'finance' where workspace_id = $1", [ada.me.workspace.id]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    // What is typed stays beside the reason.
    await page.getByRole('dialog').getByText('Your role in this workspace is finance').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Of a former owner');
    await page.keyboard.press('Escape');
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Models', exact: true }).click();
    await menu.getByRole('link', { name: 'Playground' }).waitFor({ state: 'detached' });
    await stage.asOwner("update members set role = 'owner' where workspace_id = $1", [ada.me.workspace.id]);
    await page.context().close();
  });

  test('Back after signing in leads to what was before, not to the form again', async () => {
    const page = await browser.newPage({ baseURL: stage.api.url });
    await page.goto('/docs');
    await page.goto('/keys');
    await page.getByLabel('Email').fill(ada.email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.goBack();
    await page.waitForURL(/\/(docs|keys)$/);
    await page.context().close();
  });

  test.each(['/projects/nope', '/publish/nope', '/runs/a%20b', '/schedules/sched_nope'])(
    '%s, which nothing can have as its address, is not found: no button tries again',
    async (path) => {
      const page = await stage.visit(browser, ada);
      await page.goto(path);
      await page.getByRole('alert').getByText('Not found').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.context().close();
    },
  );
});

// Of the browser: placeholders that appear in the balance from now on.
const WATCH_SKELETONS = `
globalThis.skeletons = 0;
new MutationObserver(() => {
  globalThis.skeletons += document.querySelectorAll('.balance .mantine-Skeleton-root').length;
}).observe(document.querySelector('.balance'), { childList: true, subtree: true });`;
