import type { Browser, BrowserContext } from 'playwright-core';
import { settle, type Session } from './camera.ts';
import { INTERACTIONS, type Interaction } from './interactions.ts';

interface Place {
  url: string;
  storageState: Session;
  /** Beginnings of `PATH NAME`, of `3g PATH`, or of `api PATH`. */
  only?: string[] | undefined;
}

const TIMES = 5;
const AFTER_MS = 700;
const GIVEN_UP_MS = 60_000;
// As browsers' tools define slow 3G: 400 kbit/s, and 400 ms to the server and back.
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOW_PATHS = ['/', '/requests', '/usage', '/sign-in', '/docs'];
const FOR_STRANGERS = new Set(['/sign-in', '/docs']);

/** Times of interactions until the next paint, of the API's answers, and until the heading over a slow network. A line each. */
export async function* measurePages(browser: Browser, place: Place): AsyncGenerator<string> {
  const isWanted = (name: string) => !place.only || place.only.some((start) => name.startsWith(start));
  yield 'median and worst of five, ms';
  const { url, storageState } = place;
  const context = await browser.newContext({ baseURL: url, storageState, viewport: { width: 1440, height: 900 } });
  for (const interaction of INTERACTIONS) {
    const name = `${interaction.path} ${interaction.name}`;
    if (isWanted(name)) yield `${name}: ${sumUp(await paintTimesOf(context, interaction))}`;
  }
  for (const path of apiPaths(new Date()))
    if (isWanted(`api ${path}`)) yield `api ${path}: ${await repeated(() => answerTimeOf(context, path))}`;
  await context.close();
  for (const path of SLOW_PATHS)
    if (isWanted(`3g ${path}`))
      yield `3g ${path}: heading ${await repeated(() => headingTimeOf(browser, place, path))}`;
}

async function repeated(measure: () => Promise<number>): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < TIMES; at += 1) times.push(await measure());
  return sumUp(times);
}

function sumUp(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  return `${sorted[Math.floor(TIMES / 2)]!.toFixed(0)}, ${sorted.at(-1)!.toFixed(0)}`;
}

/** Five times the longest event or frame from an interaction until its answers are drawn. */
async function paintTimesOf(context: BrowserContext, { path, prepare, act, undo }: Interaction): Promise<number[]> {
  const page = await context.newPage();
  page.setDefaultTimeout(GIVEN_UP_MS);
  const times: number[] = [];
  try {
    for (let at = 0; at < TIMES; at += 1) {
      if (at === 0 || !undo) await page.goto(path);
      else await undo(page);
      await settle(page);
      await prepare?.(page);
      await page.waitForTimeout(AFTER_MS);
      await page.evaluate(OBSERVE);
      await act(page);
      await page.waitForTimeout(AFTER_MS);
      times.push(await page.evaluate<number>('globalThis.longestMs'));
    }
  } finally {
    await page.close();
  }
  return times;
}

const OBSERVE = `
globalThis.longestMs = 0;
globalThis.observers ??= ['event', 'long-animation-frame'].map((type) => {
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longestMs = Math.max(globalThis.longestMs, duration);
  });
  observer.observe({ type, durationThreshold: 16 });
  return observer;
});`;

/** The routes of lists, their totals, and reports, as the pages ask them. */
function apiPaths(now: Date): string[] {
  const day = (before: number) => new Date(now.getTime() - before * 86_400_000).toISOString().slice(0, 10);
  const [month, quarter] = [29, 89].map((days) => `from=${day(days)}&to=${day(0)}`);
  return [
    'overview',
    'requests?limit=50',
    'requests?limit=50&status=5xx',
    'requests/totals',
    'requests/totals?status=5xx',
    `usage?group_by=day,model&${month}`,
    `usage?group_by=day,key&${quarter}`,
    `usage?group_by=day,member&${quarter}`,
    `usage/latency?group_by=day&${month}`,
    `usage/latency?group_by=day,model&${quarter}`,
    `usage/errors?group_by=day&${quarter}`,
    'runs?limit=50',
    'runs/totals',
    'keys',
    'ledger?limit=50',
    'ledger/totals',
    `statement?month=${day(0).slice(0, 7)}`,
    `statement?month=${day(28).slice(0, 7)}`,
  ].map((path) => `/console/v1/${path}`);
}

async function answerTimeOf({ request }: BrowserContext, path: string): Promise<number> {
  const startedMs = performance.now();
  const answer = await request.get(path);
  await answer.body();
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}`);
  return performance.now() - startedMs;
}

/** The time until the heading is painted, without a cache. */
async function headingTimeOf(browser: Browser, { url, storageState }: Place, path: string): Promise<number> {
  const context = await browser.newContext({ baseURL: url, ...(FOR_STRANGERS.has(path) ? {} : { storageState }) });
  try {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send('Network.emulateNetworkConditions', SLOW_3G);
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator('h1').first().waitFor();
    // The first paint has the heading: it is in the document.
    return await page.evaluate<number>(PAINTED);
  } finally {
    await context.close();
  }
}

const PAINTED = `new Promise((resolve) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName('first-contentful-paint')[0];
  if (paint) resolve(Math.max(paint.startTime, 0));
}).observe({ type: 'paint', buffered: true }))`;
