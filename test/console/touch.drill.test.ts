import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { setAccountStage, type AccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { visitAs } from './visitAs.ts';

const PHONE = { width: 390, height: 844 };

describeInBrowser('with a finger', (browser) => {
  let stage: AccountStage;
  let page: Page;
  beforeAll(async () => {
    stage = await setAccountStage();
    const [ada, bob] = [await stage.person({ name: 'Ada' }), await stage.person({ name: 'Bob' })];
    await ada.post('keys', {
      name: 'Nightly reports of the warehouse',
      spend_limit: 25,
      spend_limit_period: 'monthly',
    });
    const organizationId = ada.me.workspace.id;
    await ada.post('auth/organization/invite-member', { email: bob.email, role: 'developer', organizationId });
    const desktop = await visitAs(browser, stage.url, ada);
    const context = await browser.open({
      baseURL: stage.url,
      viewport: PHONE,
      hasTouch: true,
      reducedMotion: 'reduce',
      storageState: await desktop.context().storageState(),
    });
    page = await context.newPage();
  });
  afterAll(() => stage?.close());

  test.each(['/', '/keys', '/requests', '/billing', '/playground', '/settings?tab=members', '/models'])(
    'on %s all that is pressed has 40 pixels each way at least, and no field makes the phone zoom',
    async (path) => {
      await page.goto(path);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate<string[]>(TOO_SMALL)).toEqual([]);
    },
  );

  test('a switch, a radio button and a checkbox have 24 pixels themselves, wherever the page is scrolled to', async () => {
    await page.goto('/requests');
    await page.getByRole('switch', { name: 'Live' }).waitFor();
    const places = await page.evaluate<string[]>(SMALL_CHOICES);
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).first().tap();
    await page.getByText('Restricted', { exact: true }).tap();
    await page.getByRole('checkbox').first().waitFor();
    expect([...places, ...(await page.evaluate<string[]>(SMALL_CHOICES))]).toEqual([]);
  });

  test('an option of a list has 44 pixels', async () => {
    await page.goto('/requests');
    await page.getByRole('button', { name: 'Filters' }).tap();
    await page.getByRole('combobox', { name: 'Status' }).tap();
    const option = page.getByRole('option').first();
    await option.waitFor();
    expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  });

  test('a panel of filters opens without a list or the keyboard over it, and gives the focus back', async () => {
    await page.goto('/keys');
    const open = page.getByRole('button', { name: 'Filters' });
    await open.tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.waitFor();
    await until(() => page.evaluate<boolean>('document.activeElement.matches(".sheet-body")'));
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await until(() => page.evaluate<boolean>('document.activeElement.textContent === "Filters"'));
  });
});

// Of the browser: what takes presses in a smaller place, and fields with small text. Links within a sentence may be as high as its line.
const TOO_SMALL = `(() => {
  const wanted = 40, found = [];
  for (const one of document.querySelectorAll('button, main a[href], summary, input, textarea')) {
    if (!one.checkVisibility() || one.matches(':disabled, p a, li p a, [tabindex="-1"], .step-text a')) continue;
    one.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = one.getBoundingClientRect();
    if (width <= 2) continue;
    const [x, y] = [left + width / 2, top + height / 2];
    const takes = (dx, dy) => {
      const at = document.elementFromPoint(x + dx, y + dy);
      return at !== null && (one.contains(at) || at.closest('label')?.control === one || at.matches('.mantine-Input-section'));
    };
    const reach = (dx, dy) => { let to = 0; while (to < 22 && takes(dx * (to + 1), dy * (to + 1))) to += 1; return to; };
    const size = [reach(1, 0) + reach(-1, 0), reach(0, 1) + reach(0, -1)];
    const name = one.ariaLabel || one.textContent.slice(0, 30) || one.className;
    if (Math.min(...size) < wanted) found.push(size.join(' by ') + ': ' + name);
    const isField = one.matches('textarea, input:not([type=checkbox], [type=radio], [type=hidden], [type=file])');
    if (isField && parseFloat(getComputedStyle(one).fontSize) < 16) found.push('zooms: ' + name);
  }
  return found;
})()`;

// Of the browser: axe knows nothing of what surrounds a choice and takes presses for it.
const SMALL_CHOICES = `[...document.querySelectorAll('[type=checkbox], [type=radio]')].flatMap((one) => {
  const { width, height } = one.getBoundingClientRect();
  return Math.min(width, height) < 24 ? [width + ' by ' + height + ': ' + one.labels[0]?.textContent] : [];
})`;
