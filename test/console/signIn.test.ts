import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { password, setAccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the pages in a browser', (browser) => {
  let stage: Awaited<ReturnType<typeof setAccountStage>>;
  beforeAll(async () => {
    stage = await setAccountStage();
  });
  afterAll(() => stage?.close());

  test('a person signs in, sees Home, and opens another page through the menu', async () => {
    const { email } = await stage.person();
    const page = await browser.newPage({ baseURL: stage.api.url });
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password *').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
