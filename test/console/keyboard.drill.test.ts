import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setPayingStage, type PayingStage } from './payingStage.ts';
import { violationsOf } from './violations.ts';

const PRESSES_MAX = 60;

describeInBrowser('by keyboard alone', (browser) => {
  let stage: PayingStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setPayingStage();
    page = await browser.newPage({ reducedMotion: 'reduce' });
    await stage.signUp(page);
  });
  afterAll(() => stage?.close());

  const focused = () =>
    page.evaluate<string>(`(({ labels, ariaLabel, textContent }) =>
      labels?.[0]?.textContent || ariaLabel || textContent)(document.activeElement)`);

  const untilFocused = (name: RegExp) => until(async () => name.test(await focused()));

  test.each([
    ['/keys?create=1', /^Name/],
    ['/batches?create=1', /^Choose file/],
    ['/billing?view=invoices', /^Company/],
  ])('the dialog of %s begins at what is to be done, not at “Close”', async (path, first) => {
    await page.goto(stage.url + path);
    if (path.startsWith('/billing')) {
      // It is disabled until the details are read, and cannot have the focus before.
      await page.locator('button:enabled', { hasText: /details$/ }).focus();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('dialog').waitFor();
    await untilFocused(first);
  });

  test('the focus stays in a dialog that shows a secret in the place of its form, and Escape does not lose it', async () => {
    await page.goto(`${stage.url}/keys?create=1`);
    await page.getByRole('dialog').waitFor();
    await untilFocused(/^Name/);
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByTestId('secret').waitFor();
    await untilFocused(/^Copy/);
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('Not copied yet').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('secret').isVisible()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await untilFocused(/^Copy/);
    await page.keyboard.press('Enter');
    await page.getByText('Not copied yet').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test.each([
    ['paid', /^Thank you/],
    ['cancelled', /^Payment cancelled.*Nothing was charged/],
  ])('after a payment page that was %s the focus is on what became of it, then on the title', async (ending, text) => {
    await page.goto(`${stage.url}/billing?${ending}=1`);
    await untilFocused(text);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await untilFocused(/^Billing$/);
    await page.waitForURL('**/billing');
  });

  test('a page that a dialog has opened begins at its title', async () => {
    await page.goto(stage.url);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Publish', exact: true }).focus();
    await page.keyboard.press('Enter');
    // Once it is read that there is none, the button stands there and no longer in the header.
    await page.getByText('Publish your first agent').waitFor();
    await page.getByRole('button', { name: 'New agent' }).focus();
    await page.keyboard.press('Enter');
    await untilFocused(/^Name/);
    await page.keyboard.type('Verse maker');
    await page.getByRole('dialog').getByLabel('Namespace').focus();
    await page.keyboard.type('of-keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Verse maker', level: 1 }).waitFor();
    await untilFocused(/^Verse maker/);
    expect(new URL(page.url()).pathname).toMatch(/^\/publish\/agent_/);
  });

  test('a page of one thing that a row has opened begins at its title, once that is read', async () => {
    await page.goto(`${stage.url}/publish`);
    const row = page.getByRole('link', { name: /Verse maker/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Verse maker', level: 1 }).waitFor();
    await untilFocused(/^Verse maker$/);
  });

  /** Tabs to a control, as a person does, and types there. */
  const go = async (name: RegExp, text = '', key = 'Tab') => {
    for (let presses = 0; presses < PRESSES_MAX && !name.test(await focused()); presses++)
      await page.keyboard.press(key);
    expect(await focused()).toMatch(name);
    await page.keyboard.type(text);
  };

  test('a draft is filled, deployed privately and submitted, and what is refused has the focus', async () => {
    await go(/^Categories/, 'writing');
    await page.keyboard.press('Enter');
    await go(/^Description/, 'Writes one verse about anything.');
    await go(/^Instructions/, 'Write one verse.');
    await go(/^Example prompts/, 'Rain on a tin roof');
    await go(/^Deploy privately$/);
    await page.keyboard.press('Enter');
    await untilFocused(/^Input tokens, per/);
    await go(/^Output tokens, per/, '20');
    await go(/^Max cost of a run/, '0.1');
    await go(/^Deploy privately$/);
    await page.keyboard.press('Enter');
    await page.getByText('Deployed in this workspace').waitFor();
    await untilFocused(/^Deploy privately$/);
    await go(/^Submit for review$/);
    await page.keyboard.press('Enter');
    await page.getByText('Submitted for review').waitFor();
    await go(/^Next: Try$/);
  });
});
