import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Stage } from '../../support/browser.ts';
import { until } from '../../support/until.ts';
import { openDemo, type Demo } from '../demo/openDemo.ts';
import { demoEmails, demoPassword } from '../demo/people.ts';
import { violationsOf } from '../violations.ts';

export type Role = keyof typeof demoEmails;
export type Device = 'desktop' | 'phone';

/** How a person looks at the console. */
export interface Viewer {
  role: Role;
  zone: string;
  device: Device;
}

export type JourneyStage = Awaited<ReturnType<typeof setJourneyStage>>;

const DEVICES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

/**
 * The demonstration at a fixed time, with months of use before it. `visit` opens the console as one of its people, in a browser whose
 * clock shows that time too; `read` reads a documented route with a key.
 */
export async function setJourneyStage({ at, calls, days }: { at: string; calls: number; days: number }) {
  const demo: Demo = await openDemo({ at, calls, days, print: () => {} });
  /** Sends requests as a person's browser does, to the routes below `/console/v1`. */
  const as = (role: Role) => signIn(demo.url, demoEmails[role]);
  const owner = await as('owner');
  const scopes = ['llm', 'publisher'];
  const { key } = await owner<{ key: string }>('POST', 'keys', { name: 'Reader of journeys', scopes });

  /** A person's page, on Home. */
  async function visit(browser: Stage, { role, zone, device }: Viewer): Promise<Page> {
    const page = await browser.newPage({
      ...DEVICES[device],
      baseURL: demo.url,
      timezoneId: zone,
      reducedMotion: 'reduce',
    });
    await page.addInitScript(fixTime, Date.now());
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(demoEmails[role]);
    await press(page.getByRole('button', { name: 'Continue', exact: true }));
    await page.locator('input[type=password]').fill(demoPassword);
    await press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return page;
  }

  /** An answer of the API, as any key's owner gets it. */
  async function read<Answer>(path: string, query: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${demo.url}${path}?${new URLSearchParams(query).toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  return { ...demo, as, visit, read };
}

/**
 * Runs in a page: its `Date` stands still. Playwright's own clock compares the browser's time with this process's, which the demonstration
 * moves: with 25 days between them, React's times overflow and pages stay blank.
 */
export function fixTime(atMs: number): void {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts: [] | [value: number | string | Date]) {
      super(...((parts.length === 0 ? [atMs] : parts) as [number]));
    }
    static override now(): number {
      return atMs;
    }
  } as DateConstructor;
}

async function signIn(url: string, email: string) {
  const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ email, password: demoPassword });
  const signed = await fetch(`${url}/console/v1/auth/sign-in/email`, { method: 'POST', headers, body });
  const cookie = signed.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  return async <Answer = unknown>(method: string, path: string, sent?: object): Promise<Answer> => {
    const init = { method, headers: { ...headers, cookie }, ...(sent && { body: JSON.stringify(sent) }) };
    const response = await fetch(`${url}/console/v1/${path}`, init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
}

/** A click, or a tap where people have no mouse. */
export async function press(target: Locator): Promise<void> {
  const isTouched = await target.page().evaluate<boolean>('navigator.maxTouchPoints > 0');
  await (isTouched ? target.tap() : target.click());
}

const OF_WORKSPACE = ['Operate', 'Settings'];

/** Opens a page of the menu, which is behind a button on a phone, or of the menu of the workspace. */
export async function follow(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Open the menu' });
  const menu = page.getByRole('navigation', { name: 'Pages' });
  // The title is there before the person is known, and the menu after.
  await button.or(menu).first().waitFor();
  if (await button.isVisible()) await press(button);
  if (OF_WORKSPACE.includes(name)) {
    await press(menu.getByRole('button', { name: /^Workspace:/ }));
    await press(page.getByRole('menuitem', { name, exact: true }));
  } else await press(menu.getByRole('link', { name, exact: true }));
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

interface Days {
  from: string;
  to: string;
  /** Whether they are days of UTC, or the reader's. */
  isUtc: boolean;
  status?: string;
}

/** Sets the filters of a list by hand: its days, and the status of calls. They are in a sheet on a phone. */
export async function chooseDays(page: Page, { from, to, isUtc, status }: Days): Promise<void> {
  const sheet = page.getByRole('button', { name: /^Filters/ });
  const isPhone = page.viewportSize()!.width === DEVICES.phone.viewport.width;
  const openChip = (name: string) =>
    press(page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: `Filter by ${name}` }));
  if (isPhone) await press(sheet);
  if (status !== undefined) {
    if (!isPhone) await openChip('Status');
    await press(page.getByRole('combobox', { name: 'Status' }));
    await press(page.getByRole('option', { name: status }));
  }
  if (!isPhone) await openChip('Date');
  const dates = page.getByRole('group', { name: 'Date' });
  await dates.getByLabel('From').fill(from);
  await dates.getByLabel('To').fill(to);
  const ofUtc = dates.getByRole('switch', { name: 'Days of UTC' });
  // For fingers, its words lie over it.
  const place = isPhone ? dates.getByText('Days of UTC', { exact: true }) : ofUtc;
  if ((await ofUtc.isChecked()) !== isUtc) await press(place);
  if (isPhone) await press(page.getByRole('button', { name: 'Show the rows' }));
  else await page.keyboard.press('Escape');
  await dates.waitFor({ state: 'detached' });
  await settle(page);
}

const PENDING = '.frame, .mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true]';

/** Waits until everything on a page has come. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await until(async () => (await page.locator(PENDING).count()) === 0);
}

/** A page on the way: all of it has come, nothing is wider than the screen, and axe finds nothing. */
export async function checkStation(page: Page): Promise<void> {
  await settle(page);
  const findings = {
    path: new URL(page.url()).pathname,
    tooWide: await tooWideOf(page),
    axe: await violationsOf(page),
  };
  expect(findings).toEqual({ ...findings, tooWide: [], axe: [] });
}

/** What sticks out of the screen, or is cut at its edge. */
const tooWideOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width && width <= screen.width) return [];
    return [...document.body.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > Math.min(width, screen.width) + 1)
      .slice(0, 5)
      .map((one) => one.tagName.toLowerCase() + '.' + [...one.classList].join('.'));
  })()`);
