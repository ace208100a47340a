import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { violationsOf } from '../violations.ts';
import type { Shot, Viewer } from './shots.ts';

/** The variants of each picture. */
export const VARIANTS = {
  'light-wide': { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  'dark-wide': { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  'light-medium': { colorScheme: 'light', viewport: { width: 1024, height: 768 } },
  'light-narrow': { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'dark-narrow': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
} as const;

export type Variant = keyof typeof VARIANTS;

/** What a picture showed beside its pixels. */
export interface Finding {
  shot: string;
  variant: Variant;
  /** Errors in the browser's console, and uncaught ones. */
  errors: string[];
  /** Of WCAG 2.2 AA, as `rule: places`. */
  violations: string[];
  /** The elements that are wider than the screen. */
  tooWide: string[];
  /** Why there is no picture. */
  failure?: string;
}

const WAIT_MS = 15_000;
const SETTLE_MS = 150;
/** What stands for content that has not come yet. */
const PENDING = '.frame, .mantine-Skeleton-root, .mantine-Loader-root, .skeleton';

/** Takes one picture of a page in its own tab. */
export async function takePicture(
  context: BrowserContext,
  { shot, variant, file, baseUrl }: { shot: Shot; variant: Variant; file: string; baseUrl: string },
): Promise<Finding> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const finding: Finding = { shot: shot.name, variant, errors: [], violations: [], tooWide: [] };
  page.on('console', (message) => message.type() === 'error' && finding.errors.push(message.text()));
  page.on('pageerror', (error) => finding.errors.push(String(error)));
  try {
    await shot.before?.(page);
    await page.goto(new URL(shot.path, baseUrl).href);
    await settle(page);
    if (shot.open) {
      await shot.open(page);
      await settle(page);
    }
    await mkdir(dirname(file), { recursive: true });
    await showAll(page);
    await page.screenshot({ path: file, animations: 'disabled' });
    finding.tooWide = await tooWideOf(page);
    finding.violations = await violationsOf(page);
  } catch (error) {
    finding.failure = String(error).split('\n')[0]!;
    await page.screenshot({ path: file }).catch(() => {});
  } finally {
    await page.close();
  }
  return finding;
}

const HEIGHT_MAX = 6_000;

/** Makes the window as high as its page, so that what sticks to the window's end stands at the page's end. */
async function showAll(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const pageHeight = await page.evaluate<number>('document.documentElement.scrollHeight');
  if (pageHeight <= height) return;
  await page.setViewportSize({ width, height: Math.min(HEIGHT_MAX, pageHeight) });
  await settle(page);
}

/** Waits for the heading, and until no placeholder is left. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (;;) {
    await page.locator(PENDING).first().waitFor({ state: 'detached' });
    await page.evaluate('document.fonts.ready.then(() => {})');
    // Code of a chart or an editor comes after its page.
    await page.waitForTimeout(SETTLE_MS);
    if ((await page.locator(PENDING).count()) === 0) return;
  }
}

/** The elements that stick out to the right, unless something around them scrolls. */
const tooWideOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.body.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .slice(0, 5)
      .map((one) => one.tagName.toLowerCase() + '.' + [...one.classList].join('.'));
  })()`);

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Signs a viewer in and returns the session, for any number of contexts. */
export async function signIn(
  browser: Browser,
  { url, email, password, isTest }: { url: string; email: string; password: string; isTest: boolean },
): Promise<Session> {
  const context = await browser.newContext({ baseURL: url });
  const headers = { 'x-ledgerline-csrf': '1', origin: url };
  const data = { email, password };
  const signed = await context.request.post('/console/v1/auth/sign-in/email', { data, headers });
  if (!signed.ok()) throw new Error(`signing in as ${email} answered ${signed.status()}: ${await signed.text()}`);
  if (isTest) await context.request.post('/console/v1/mode', { data: { mode: 'test' }, headers });
  const state = await context.storageState();
  await context.close();
  return state;
}

/** A context of one variant for each viewer. */
export async function openContexts(
  browser: Browser,
  variant: Variant,
  sessions: Record<Viewer, Session | undefined>,
): Promise<Record<Viewer, BrowserContext>> {
  const opened = Object.entries(sessions).map(async ([viewer, storageState]) => {
    const options = { ...VARIANTS[variant], reducedMotion: 'reduce', ...(storageState && { storageState }) } as const;
    return [viewer, await browser.newContext(options)] as const;
  });
  return Object.fromEntries(await Promise.all(opened)) as Record<Viewer, BrowserContext>;
}
