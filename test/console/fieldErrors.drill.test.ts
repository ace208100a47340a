import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { password, setAccountStage, type AccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { violationsOf } from './violations.ts';
import { visitAs } from './visitAs.ts';

describeInBrowser('what the API refuses in a form', (browser) => {
  let stage: AccountStage;
  let page: Page;
  let ada: Awaited<ReturnType<AccountStage['person']>>;
  beforeAll(async () => {
    stage = await setAccountStage();
    ada = await stage.person();
    page = await visitAs(browser, stage.url, ada);
  });
  afterAll(() => stage?.close());

  /** The text by which a screen reader describes a field. */
  const descriptionOf = async (field: Locator): Promise<string> => {
    const ids = (await field.getAttribute('aria-describedby')) ?? '';
    return (await Promise.all(ids.split(' ').map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ');
  };

  test.each([
    ['/keys?create=1', 'Create key', 'Name', 'n'.repeat(300), 'at most'],
    ['/webhooks?create=1', 'Add endpoint', 'URL', 'http://127.0.0.1/hook', 'https'],
  ])(
    'at %s is said at its field, which has the focus, until it is changed',
    async (path, title, label, text, words) => {
      await page.goto(path);
      const dialog = page.getByRole('dialog', { name: title });
      const field = dialog.getByRole('textbox', { name: label });
      await field.fill(text);
      await dialog.getByRole('button', { name: title }).click();
      await dialog.locator('.field-error').waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await descriptionOf(field)).toContain(words);
      await until(() => field.evaluate((input) => input === input.ownerDocument.activeElement));
      // Once, and not above the form too.
      expect(await dialog.getByRole('alert').innerText()).toBe('');
      expect(await violationsOf(page)).toEqual([]);
      await field.press('End');
      await field.press('Backspace');
      await dialog.locator('.field-error').waitFor({ state: 'detached' });
      expect(await field.getAttribute('aria-invalid')).not.toBe('true');
    },
  );

  test.each([
    ['/settings', 'Name', 'n'.repeat(300), 'at most 100'],
    ['/settings?tab=workspace', 'Name', '   ', 'Fill this in.'],
    ['/settings?tab=security', 'Current password', 'another one', 'not your password'],
    ['/settings?tab=members', 'Email', 'no address', 'Enter a whole address'],
    ['/settings?tab=sign-in', 'Domain', 'no domain', 'example.com'],
  ])('on the page %s is said at the field %s too, and in no notification', async (path, label, text, words) => {
    await page.goto(path);
    const inputOf = (name: string) => page.locator('input').and(page.getByLabel(name)).first();
    const field = inputOf(label);
    await field.fill(text);
    if (label === 'Current password') await inputOf('New password').fill('correct horse battery 2');
    await field.press('Enter');
    await page.locator('.field-error').waitFor();
    expect(await descriptionOf(field)).toContain(words);
    await until(() => field.evaluate((input) => input === input.ownerDocument.activeElement));
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('what lacks is said in the same way before anything is sent', async () => {
    await page.goto('/publish');
    await page.getByRole('button', { name: 'New agent' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New agent' });
    await dialog.getByLabel('Name', { exact: false }).first().fill('Verse maker');
    await dialog.getByLabel('Namespace').fill('');
    await dialog.getByRole('button', { name: 'Create draft' }).click();
    const field = dialog.getByLabel('Namespace');
    expect(await descriptionOf(field)).toBe('Fill this in.');
    await until(() => field.evaluate((input) => input === input.ownerDocument.activeElement));
  });

  test('a sign-in that is too old comes with the way to a new one, and what is typed stays', async () => {
    const age = `update user_sessions set created_at = now() - interval '13 hours' where user_id = $1`;
    await stage.asOwner(age, [ada.me.user.id]);
    await page.goto('/keys?create=1');
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('On Monday morning');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const again = dialog.getByRole('link', { name: 'Sign in again' });
    const [beside] = await Promise.all([page.context().waitForEvent('page'), again.click()]);
    // The old session lasts, and must not lead back at once.
    await beside.getByText('Your sign-in is some hours old.').waitFor();
    expect(new URL(beside.url()).searchParams.get('next')).toBe('/keys?create=1');
    await beside.getByLabel('Email').fill(ada.email);
    await beside.getByRole('button', { name: 'Continue', exact: true }).click();
    await beside.getByLabel('Password', { exact: true }).fill(password);
    await beside.getByRole('button', { name: 'Sign in', exact: true }).click();
    await beside.getByRole('dialog', { name: 'Create key' }).waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('On Monday morning');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByTestId('secret').waitFor();
  });
});
