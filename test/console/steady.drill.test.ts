import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { registerPlugin } from '../../db/plugins/plugins.ts';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { createSealingKey, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, type ConsoleStage } from './consoleStage.ts';

// What search engines call good.
const SHIFT_MAX = 0.1;
const OBSERVE = `
globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
}).observe({ type: 'layout-shift', buffered: true });`;
const PATHS = ['/runs/flow', '/agents', '/publish', '/settings?tab=sign-in', '/settings?tab=members'];
const PENDING = '.mantine-Skeleton-root, [aria-busy=true]';

describeInBrowser('a page', (browser) => {
  let stage: ConsoleStage;
  let person: Awaited<ReturnType<ConsoleStage['person']>>;
  let sessionId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    await seedAgents(stage.db.everywhere);
    const keys = parseSealingKeys(createSealingKey());
    const secrets = [{ name: 'api_key', description: 'Of your mail.', header: 'x-mail-key', template: '{}' }];
    const plugin = { id: 'mailer', version: '1', name: 'Mailer', url: 'https://mail.example', headers: {}, secrets };
    await registerPlugin(stage.db.everywhere, keys, plugin);
    person = await stage.person();
    const rule = { agent: 'ledgerline/writer', concurrency: { limit: 2, key: null }, rate: null };
    expect((await person.send('POST', '/console/v1/flow-rules', rule)).status).toBe(201);
    const endpoint = { url: 'https://example.com/events', event_types: ['run.completed'] };
    expect((await person.send('POST', '/console/v1/webhook_endpoints', endpoint)).status).toBe(201);
    sessionId = (await person.post('sessions', { title: 'Night shift' })).body.id;
    const state = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`line-${at}`, 'stands still']));
    expect((await person.send('PATCH', `/console/v1/sessions/${sessionId}/state`, { state })).status).toBe(200);
  });
  afterAll(() => stage?.close());

  test.each([390, 1024])('%i pixels wide keeps its places while its answers come, one after another', async (width) => {
    const page = await stage.visit(browser, person);
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript(OBSERVE);
    const shifts: Record<string, number> = {};
    for (const path of [...PATHS, `/sessions/${sessionId}`]) shifts[path] = await shiftOf(page, path);
    expect(Object.entries(shifts).filter(([, shift]) => shift > SHIFT_MAX)).toEqual([]);
    await page.context().close();
  });

  /** The sum of a page's layout shifts, where each answer comes after the frame of the one before. */
  async function shiftOf(page: Page, path: string): Promise<number> {
    const held: Route[] = [];
    await page.route(/\/console\/v1\/(?!me)/, (route) => void held.push(route));
    await page.goto(path);
    await until(async () => {
      await held.shift()?.continue();
      await page.evaluate(FRAMES);
      const isDrawn = await page.locator('main h1').isVisible();
      return held.length === 0 && isDrawn && (await page.locator(PENDING).count()) === 0;
    });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    return page.evaluate<number>('globalThis.shift');
  }

  test('keeps the focus on a button that works, and near it when its work has disabled it', async () => {
    const page = await stage.visit(browser, person);
    const held: Route[] = [];
    await page.route(/\/console\/v1\/.*(test|secrets)$/, (route) => void held.push(route));
    const release = async () => {
      await until(() => Promise.resolve(held.length === 1));
      await held.pop()!.continue();
    };
    await page.goto('/webhooks');
    await page.locator('main tbody a').first().click();
    const pressed = page.getByRole('button', { name: 'Send test event' });
    await pressed.focus();
    await page.keyboard.press('Enter');
    await page.locator('button[data-loading]').waitFor();
    expect(await focused(page)).toBe('Send test event');
    // Pressed again it does nothing.
    await page.keyboard.press('Enter');
    await release();
    await page.locator('button[data-loading]').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Send test event');
    await page.getByText('The test event is on its way').waitFor();
    expect(await page.getByText('The test event is on its way').count()).toBe(1);

    await page.goto('/plugins');
    await page.getByLabel('Value of api_key').fill('canary-of-the-mailer');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('button[data-loading]').waitFor();
    expect(await focused(page)).toBe('Save');
    await release();
    await page.getByText('Secret api_key saved').waitFor();
    expect(await focused(page)).toBe('Save');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.context().close();
  });

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
});

const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))';
