import type { Browser, Page } from 'playwright-core';
import { settle, type Session } from './camera.ts';

interface Place {
  url: string;
  storageState: Session;
}

/** What a person does on a page; the time until the next paint is measured. */
const INTERACTIONS: { path: string; name: string; act: (page: Page) => Promise<void> }[] = [
  { path: '/requests', name: 'open the first row', act: (page) => page.locator('main tbody tr a').first().click() },
  {
    path: '/requests',
    name: 'open a filter',
    act: (page) => page.getByRole('button', { name: 'Status' }).first().click(),
  },
  { path: '/requests', name: 'scroll', act: scroll },
  {
    path: '/usage',
    name: 'ninety days',
    act: (page) =>
      page
        .getByText(/^90 (d|days)$/)
        .first()
        .click(),
  },
  { path: '/usage', name: 'scroll', act: scroll },
  { path: '/', name: 'open the first row', act: (page) => page.locator('main tbody tr a').first().click() },
  { path: '/', name: 'scroll', act: scroll },
];

const TIMES = 5;
const AFTER_MS = 700;
const GIVEN_UP_MS = 5_000;
// As browsers' tools define slow 3G: 400 kbit/s, and 400 ms to the server and back.
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOW_PATHS = ['/', '/requests', '/usage', '/sign-in'];

/** Times of interactions until the next paint, and until the heading over a slow network. A line each. */
export async function measurePages(browser: Browser, place: Place): Promise<string[]> {
  const lines = ['longest time until the next paint, ms (median and worst of five)'];
  for (const { path, name, act } of INTERACTIONS) {
    const times: number[] = [];
    for (let at = 0; at < TIMES; at += 1) times.push(await paintTimeOf(browser, place, { path, act }));
    lines.push(`  ${path} ${name}: ${sumUp(times)}`);
  }
  lines.push('over slow 3G without a cache, ms: first paint, heading');
  for (const path of SLOW_PATHS) lines.push(`  ${path}: ${await slowTimesOf(browser, place, path)}`);
  return lines;
}

function sumUp(times: number[]): string {
  const known = times.filter((time) => !Number.isNaN(time)).toSorted((one, other) => one - other);
  if (known.length === 0) return 'not found on the page';
  return `${known[Math.floor(known.length / 2)]!.toFixed(0)}, ${known.at(-1)!.toFixed(0)}`;
}

/** The longest event or frame of an interaction; NaN when it cannot be done. */
async function paintTimeOf(
  browser: Browser,
  { url, storageState }: Place,
  { path, act }: Pick<(typeof INTERACTIONS)[number], 'path' | 'act'>,
): Promise<number> {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(GIVEN_UP_MS);
  try {
    await page.goto(url + path);
    await settle(page);
    await page.evaluate(OBSERVE);
    await act(page);
    await page.waitForTimeout(AFTER_MS);
    return await page.evaluate<number>('globalThis.longestMs');
  } catch {
    return NaN;
  } finally {
    await context.close();
  }
}

const OBSERVE = `
globalThis.longestMs = 0;
const note = (list) => { for (const { duration } of list.getEntries()) globalThis.longestMs = Math.max(globalThis.longestMs, duration); };
new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16 });
new PerformanceObserver(note).observe({ type: 'long-animation-frame' });`;

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(900, 500);
  for (let at = 0; at < 12; at += 1) await page.mouse.wheel(0, 600);
}

async function slowTimesOf(browser: Browser, { url, storageState }: Place, path: string): Promise<string> {
  const isForStrangers = path === '/sign-in';
  const context = await browser.newContext(isForStrangers ? {} : { storageState });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.emulateNetworkConditions', SLOW_3G);
  const startedMs = performance.now();
  await page.goto(url + path, { waitUntil: 'commit' });
  await page.locator('h1').first().waitFor();
  const headingMs = performance.now() - startedMs;
  const paint = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
  );
  await context.close();
  return `${paint.toFixed(0)}, ${headingMs.toFixed(0)}`;
}
