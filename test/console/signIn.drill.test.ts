import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectAnswer, password, setAccountStage } from '../api/accounts/accountStage.ts';
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
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(browser.complaints).toEqual([]);
    await page.close();
  });

  test('signing in leads to no other site, whatever the address says', async () => {
    const { email } = await stage.person();
    const page = await browser.newPage({ baseURL: stage.api.url });
    for (const next of [
      '/\t/evil.example',
      '//evil.example',
      '/.//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'http://[',
    ]) {
      await page.goto(`/sign-in?${new URLSearchParams({ next }).toString()}`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      expect([next, page.url()]).toEqual([next, `${stage.api.url}/`]);
      await page.context().clearCookies();
    }
    await page.close();
  });

  test('a link of a mail asks before it signs in, and names the account', async () => {
    const email = stage.newEmail();
    expectAnswer(await stage.browser().post('auth/sign-up/email', { name: 'Eve', email, password }), 200);
    const { pathname, search } = new URL((await stage.mailTo(email, 'confirm')).link);
    const page = await browser.newPage({ baseURL: stage.api.url });
    await page.goto(pathname + search);
    await page.getByText(`in to the account of ${email}`).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await page.goto(pathname + search);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });
});
