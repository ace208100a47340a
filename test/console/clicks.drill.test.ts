import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { openDemo } from './demo/openDemo.ts';
import { demoEmails, demoPassword } from './demo/people.ts';
import { signIn } from './pictures/camera.ts';

const CALLS = 400;
const timeoutMs = 120_000;

type Click = (target: Locator) => Promise<void>;

/** A common task: how many clicks it may take from Home, and how it is done. Typing is not counted. */
interface Task {
  name: string;
  clicksMax: number;
  by: keyof typeof demoEmails;
  work: (page: Page, click: Click) => Promise<unknown>;
}

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });

const TASKS: Task[] = [
  {
    name: 'why a call was refused',
    clicksMax: 2,
    by: 'developer',
    work: async (page, click) => {
      await click(menu(page, 'Requests'));
      await click(page.locator('main tbody tr').filter({ hasText: 'model_not_found' }).getByRole('link').first());
      await page.getByText('gpt-4.1-mini').first().waitFor();
    },
  },
  {
    name: 'a key',
    clicksMax: 3,
    by: 'developer',
    work: async (page, click) => {
      await click(menu(page, 'Keys'));
      await click(page.getByRole('button', { name: /^Create (a )?key$/ }).first());
      await page.getByRole('dialog').getByLabel('Name').fill('Picking cell');
      await click(page.getByRole('dialog').getByRole('button', { name: /^Create (the )?key$/ }));
      await page.getByTestId('secret').waitFor();
    },
  },
  {
    name: 'a statement as PDF',
    clicksMax: 2,
    by: 'finance',
    work: async (page, click) => {
      await click(menu(page, 'Billing'));
      const download = page.waitForEvent('download');
      await click(page.getByRole('link', { name: 'PDF' }).first());
      await download;
    },
  },
];

describeInBrowser('the clicks of common tasks', (browser) => {
  let demo: Awaited<ReturnType<typeof openDemo>>;
  beforeAll(async () => {
    demo = await openDemo({ calls: CALLS, print: () => {} });
  }, 600_000);
  afterAll(() => demo?.close());

  test.each(TASKS)(
    '$name: at most $clicksMax, from Home',
    async ({ clicksMax, by, work }) => {
      const context = await browser.open();
      const person = { url: demo.url, email: demoEmails[by], password: demoPassword, isTest: false };
      const storageState = await signIn(context.browser()!, person);
      await context.close();
      const page = await browser.newPage({ storageState, viewport: { width: 1440, height: 900 } });
      await page.goto(demo.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      let clicks = 0;
      await work(page, async (target) => {
        clicks += 1;
        await target.click();
      });
      expect({ clicks, isTooMany: clicks > clicksMax }).toEqual({ clicks, isTooMany: false });
      await page.context().close();
    },
    timeoutMs,
  );
});
