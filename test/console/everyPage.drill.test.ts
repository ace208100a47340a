import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { chatBody, chatPath } from '../support/guardStage.ts';
import { readText } from '../support/sources.ts';
import { until } from '../support/until.ts';
import { setPayingStage, type PayingStage } from './payingStage.ts';
import { violationsOf } from './violations.ts';

const FIRST_LOAD_BYTES_MAX = 240_000;
// What is left of 1280 pixels at a zoom of 400 %.
const NARROW = { width: 320, height: 740 };
const WIDE = { width: 1440, height: 900 };

interface Bounded {
  getBoundingClientRect(): { left: number; top: number; height: number };
  contains(other: unknown): boolean;
}

// Texts of rows that are cut off, and not shown whole on hover.
const CUT_OFF = `[...document.querySelectorAll('main td *, main .rank-name')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).textOverflow === 'ellipsis')
  .filter((one) => one.clientWidth > 0 && !one.closest('[title]') && !one.querySelector('[title]'))
  .map((one) => one.className + ': ' + one.textContent)`;

// Tables that are wider than their place: columns at their ends are out of sight.
const SCROLLED = `[...document.querySelectorAll('.table-region')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.ariaLabel)`;

const UNBROKEN_NAME = 'W'.repeat(100);
const LONG_NAME = 'The assistants of customer support in production, Frankfurt';

// Of the browser.
declare const getComputedStyle: (element: unknown, part?: string) => { getPropertyValue(name: string): string };
declare const document: { elementFromPoint(x: number, y: number): unknown };

// Pages with an id in their address are opened by the tests of their content.
const paths = [...readText('console/src/pages.ts').matchAll(/path: '(\/[^'$]*)'/g)].map(([, path]) => path!);
// Their other parts; the first one is what the page alone shows.
const tabs = [
  ...['security', 'members', 'sign-in', 'audit', 'workspace'].map((tab) => `/settings?tab=${tab}`),
  ...['reviews', 'workspaces', 'adjustments', 'payouts', 'models', 'prices', 'upstreams', 'audit'].map(
    (tab) => `/operate?tab=${tab}`,
  ),
  ...['invoices', 'ledger', 'payments', 'alerts'].map((view) => `/billing?view=${view}`),
];
const isForStrangers = (path: string) => /sign-in|sign-up|password|confirm-link/.test(path);

describeInBrowser('every page', (browser) => {
  let stage: PayingStage;
  let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;
  beforeAll(async () => {
    stage = await setPayingStage();
    const page = await browser.newPage();
    const email = await stage.signUp(page);
    await stage.asOwner('update users set is_operator = true where email = $1', [email]);
    await stage.topUp(page);
    const authorization = `Bearer ${await stage.makeKey(page, LONG_NAME)}`;
    // With a second project, requests have one more column.
    expect(await page.evaluate(postProject, LONG_NAME)).toBe(201);
    expect(await page.evaluate(postProject, UNBROKEN_NAME)).toBe(201);
    await stage.ask(chatPath, { headers: { authorization }, body: chatBody() });
    state = await page.context().storageState();
  });
  afterAll(() => stage?.close());

  test.each([
    ['light', WIDE],
    ['dark', NARROW],
  ] as const)(
    'in %s, %j: no violation of WCAG 2.2 AA, nothing wider than its place, no text lost, no error',
    async (colorScheme, viewport) => {
      const found: Record<string, unknown> = {};
      const context = { colorScheme, viewport, reducedMotion: 'reduce' } as const;
      const own = await browser.newPage({ ...context, storageState: state });
      const strange = await browser.newPage(context);
      for (const path of [...paths, ...tabs]) {
        const page = isForStrangers(path) ? strange : own;
        await page.goto(stage.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        const violations = await violationsOf(page);
        const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        const cut = await page.evaluate<string[]>(CUT_OFF);
        const scrolled = await page.evaluate<string[]>(SCROLLED);
        if (violations.length + cut.length + scrolled.length > 0 || isWider)
          found[path] = { violations, isWider, cut, scrolled };
      }
      expect(found).toEqual({});
      expect(browser.complaints).toEqual([]);
    },
  );

  test('the first load of the start page is at most 240 KB, compressed', async () => {
    const page = await browser.newPage({ storageState: state });
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    // Other pages are loaded while the browser is idle: a slow machine is that before its own picture is there.
    await page.addInitScript('globalThis.requestIdleCallback = () => 0');
    const urls = new Map<string, string>();
    const sizes: Record<string, number> = {};
    client.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const { pathname } = new URL(urls.get(requestId)!);
      if (!pathname.startsWith('/console/v1/')) sizes[pathname] = encodedDataLength;
    });
    await page.goto(stage.url, { waitUntil: 'load' });
    await page.getByText('Available').waitFor();
    // Its picture belongs to it.
    await page.getByRole('group', { name: /^Spend by day/ }).waitFor();
    const bytes = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    expect(sizes['/']).toBeGreaterThan(0);
    expect({ bytes, isTooMuch: bytes > FIRST_LOAD_BYTES_MAX, sizes }).toMatchObject({ isTooMuch: false });
  });

  test('a click shows the title of its page before any answer and any more code has come', async () => {
    const page = await browser.newPage({ storageState: state });
    await page.goto(stage.url);
    await page.getByText('Available').waitFor();
    // The last module loaded while the browser is idle.
    await until(() =>
      page.evaluate<boolean>(
        "performance.getEntriesByType('resource').some(({ name }) => /OperatePage-.*js/.test(name))",
      ),
    );
    const loaded: string[] = [];
    await page.route(/\/(console\/v1|assets)\//, (route) => {
      // Left unanswered.
      if (/assets.*js$/.test(route.request().url())) loaded.push(route.request().url());
    });
    const links = page.getByRole('navigation', { name: 'Pages' }).locator('a[href^="/"].menu-link:not([href="/docs"])');
    expect(await links.count()).toBeGreaterThan(10);
    for (const link of await links.all()) {
      await link.click();
      const name = (await link.textContent())!;
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    expect(loaded).toEqual([]);
    await page.context().close();
  });

  test('by keyboard alone: past the menu, through it, and in and out of a dialog', async () => {
    const page = await browser.newPage({ storageState: state });
    await page.goto(`${stage.url}/keys`);
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Create key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByTestId('secret').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close without copying' }).press('Enter');
    await page.getByRole('cell', { name: /^By keyboard/ }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // The focus comes back from a dialog of a row, and from one that a menu opened.
    await page.getByRole('link', { name: /^By keyboard/ }).focus();
    // Its ring goes around the buttons of the row, too.
    const ring = `getComputedStyle(document.activeElement.closest('tr').querySelector('td.is-kept'), '::after')`;
    expect(await page.evaluate<string>(`${ring}.borderRightWidth`)).toBe('2px');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(async () => (await focused(page)).startsWith('By keyboard'));
    const actions = page.getByRole('button', { name: 'Actions for By keyboard' });
    await actions.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(
      async () => (await page.evaluate<string>("document.activeElement.ariaLabel ?? ''")) === 'Actions for By keyboard',
    );

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Usage' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await until(async () => (await focused(page)) === 'Usage');
    expect(await page.title()).toBe('Usage · Ledgerline');
  });

  test('in forced colours, switches, what is chosen and what has the focus are seen', async () => {
    const page = await browser.newPage({ storageState: state, forcedColors: 'active', reducedMotion: 'reduce' });
    const lineOf = (of: Locator, side: string) =>
      of.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), `${side}-style`);
    await page.goto(`${stage.url}/settings?tab=workspace`);
    const track = page.locator('.mantine-Switch-track').first();
    await track.waitFor();
    expect(await lineOf(track, 'border-top')).toBe('solid');
    expect(await lineOf(page.getByRole('tab', { name: 'Workspace' }), 'outline')).toBe('solid');
    expect(await lineOf(page.getByRole('tab', { name: 'Profile' }), 'outline')).toBe('none');
    const name = page.getByRole('main').getByRole('textbox').first();
    await name.focus();
    expect(await lineOf(name, 'outline')).toBe('solid');
    const current = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' });
    await current.click();
    await until(async () => (await lineOf(current, 'outline')) === 'solid');
    await page.goto(`${stage.url}/billing`);
    const part = page.locator('.balance-parts li').first();
    await part.waitFor();
    const adjusted = await part.evaluate((element) =>
      getComputedStyle(element, '::before').getPropertyValue('forced-color-adjust'),
    );
    expect(adjusted).toBe('none');
  });

  test('the row with the focus is not hidden by the foot or the head of its table', async () => {
    const page = await browser.newPage({ storageState: state, viewport: { width: 1440, height: 420 } });
    await page.goto(`${stage.url}/projects`);
    for (let at = 0; at < 12; at += 1) expect(await page.evaluate(postProject, `Project ${at}`)).toBe(201);
    await page.reload();
    const links = page.getByRole('group', { name: 'Projects' }).locator('a.row-link');
    await until(async () => (await links.count()) === 15);
    for (const all of [await links.all(), (await links.all()).toReversed()])
      for (const link of all) {
        await link.focus();
        expect(await link.evaluate(isInSight as never)).toBe(true);
      }
  });

  const postProject = (name: string) =>
    fetch('/console/v1/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' },
      body: JSON.stringify({ name }),
    }).then(({ status }) => status);

  const isInSight = (link: Bounded): boolean => {
    const { left, top, height } = link.getBoundingClientRect();
    return link.contains(document.elementFromPoint(left + 2, top + height / 2));
  };

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
});
