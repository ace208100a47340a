import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectAnswer, password, setAccountStage } from '../api/accounts/accountStage.ts';
import { codeOf, protect } from '../api/accounts/protect.ts';
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

  test('who goes back from a refused second factor signs in again, and still gets to the page asked for', async () => {
    const ada = await stage.person();
    const { totpURI } = await protect(ada);
    const page = await browser.newPage({ baseURL: stage.api.url });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto('/sign-in?next=/keys');
    for (const isRight of [false, true]) {
      await page.getByLabel('Email').fill(ada.email);
      await press('Continue');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await press('Sign in');
      await page.getByLabel('Code from your authenticator app').fill(isRight ? codeOf(totpURI, 1) : 'none');
      await press('Continue');
      if (!isRight) await page.getByText('Back to sign-in').click();
    }
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
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

  test('a link that is over leads to the sign-in, which goes on to the page of the link', async () => {
    const page = await browser.newPage({ baseURL: stage.api.url });
    await page.goto('/confirm-link?link=magic-link%2Fverify&token=over&callbackURL=%2Fsettings');
    await page.getByRole('button', { name: 'Sign in with this link' }).click();
    await page.getByText('Back to sign-in').click();
    await page.getByLabel('Email').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/settings');
    await page.close();
  });
});
