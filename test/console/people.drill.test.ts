import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../support/browser.ts';
import { password } from '../api/accounts/accountStage.ts';
import { open, setPayingStage, totpOf, type PayingStage } from './payingStage.ts';

describeInBrowser('people on the pages', (browser) => {
  let stage: PayingStage;
  beforeAll(async () => {
    stage = await setPayingStage();
  });
  afterAll(() => stage?.close());

  const signIn = async (page: Awaited<ReturnType<typeof browser.newPage>>, email: string, secret = password) => {
    await page.goto(`${stage.url}/sign-in?next=/keys`);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  test('a second factor requires a code, and a recovery code works once', async () => {
    const page = await browser.newPage();
    const email = await stage.signUp(page);
    await page.goto(`${stage.url}/settings?tab=security`);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog').getByLabel('Your password *').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const codes = (await page.getByRole('group', { name: 'Recovery codes' }).textContent())!.split('\n');
    await page.keyboard.press('Escape');
    await page.getByText('Not copied yet').waitFor();
    const key = (await page.getByRole('dialog').locator('code.id').textContent())!;
    const picture = page.getByRole('img', { name: 'QR code for the authenticator app' });
    expect(
      await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(0);
    // Six digits, and none of the app's.
    const wrong = String((Number(totpOf(key)) + 500_000) % 1_000_000).padStart(6, '0');
    await page.getByLabel('Code from the app').fill(wrong);
    await page.getByRole('button', { name: 'Turn on' }).last().click();
    await page.getByText('This code is wrong or over.').waitFor();
    await page.getByLabel('Code from the app').fill(totpOf(key));
    await page.getByRole('button', { name: 'Turn on' }).last().click();
    await page.getByText('On: signing in needs a code').waitFor();

    const other = await browser.newPage();
    await signIn(other, email);
    await other.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(codes[0]!);
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });

  test('a wrong password shows an error, and a forgotten one is reset by mail', async () => {
    const page = await browser.newPage();
    const email = await stage.signUp(page);
    const other = await browser.newPage();
    await signIn(other, email, 'wrong horse battery');
    await other
      .getByRole('alert')
      .getByText(/password/i)
      .waitFor();
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    await other.getByLabel('Email').fill(email);
    await other.getByRole('button', { name: 'Send link' }).click();
    await other.getByRole('heading', { name: 'Check your email' }).waitFor();
    await other.goto(await stage.linkTo(email));
    await other.getByLabel('New password', { exact: true }).fill('a wholly new one');
    await other.getByRole('button', { name: 'Set password' }).click();
    await other.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await signIn(other, email, 'a wholly new one');
    await other.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });

  test('an invited finance member joins, reads keys and may not create any', async () => {
    const [page, guest] = [await browser.newPage(), await browser.newPage()];
    await stage.signUp(page, 'Ada');
    const email = await stage.signUp(guest, 'Grace');
    await page.goto(`${stage.url}/settings?tab=members`);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('combobox', { name: 'Role', exact: true }).click();
    await page.getByRole('option', { name: /Finance/ }).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('group', { name: 'Invitations' }).getByText(email).waitFor();
    await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await guest.goto(await stage.linkTo(email));
    await guest.getByRole('button', { name: 'Accept invitation' }).click();
    await guest.getByText('Ada’s workspace').first().waitFor();
    await open(guest, 'Keys');
    await guest.getByText('No keys yet').waitFor();
    expect(await guest.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await open(guest, 'Billing');
    await guest.getByRole('button', { name: 'Add $25.00' }).waitFor();
  });

  test('requiring a second factor asks first; an owner without one is told to turn it on', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await page.goto(`${stage.url}/settings?tab=sign-in`);
    const rule = page.getByRole('switch', { name: 'Require a second factor' });
    await rule.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rule.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click();
    await page.getByText('Turn on two-factor authentication for yourself first').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rule.isChecked()).toBe(false);
  });

  test('an automatic top-up whose card was not saved stays off', async () => {
    const page = await browser.newPage();
    await stage.signUp(page);
    await page.goto(`${stage.url}/billing`);
    await page.getByLabel('Top up automatically').click();
    await page.getByRole('button', { name: 'Save a card and turn on' }).click();
    // Left without a card.
    await page.waitForURL((url) => url.pathname !== '/billing');
    await page.goto(`${stage.url}/billing`);
    expect(await page.getByLabel('Top up automatically').isChecked()).toBe(false);
  });

  test('an owner erases the workspace by typing its name, and keeps it after all', async () => {
    const page = await browser.newPage();
    await stage.signUp(page, 'Edith');
    await page.goto(`${stage.url}/settings?tab=workspace`);
    await page.getByRole('button', { name: 'Erase workspace' }).click();
    const confirm = page.getByRole('button', { name: 'Erase it in seven days' });
    await page.getByLabel('Name of the workspace').fill('Edith’s');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Name of the workspace').fill('Edith’s workspace');
    await confirm.click();
    await page.getByText('This workspace will be erased').waitFor();
    await page.getByRole('button', { name: 'Keep workspace' }).click();
    await page.getByRole('button', { name: 'Erase workspace' }).waitFor();
  });

  test('sessions are listed and ended; a signed-out person gets the sign-in page', async () => {
    const [page, other] = [await browser.newPage(), await browser.newPage()];
    const email = await stage.signUp(page);
    await signIn(other, email);
    await other.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.goto(`${stage.url}/settings?tab=security`);
    await page.getByRole('button', { name: /^Sign out \w+ on \w+, signed in \d/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out device' }).click();
    await page.getByText('The session has ended').waitFor();
    // Its next request is that of the click, or one that the page makes by itself before.
    const isSignedOut = other.waitForURL('**/sign-in?next=**');
    const click = other.getByRole('link', { name: 'Usage' }).click();
    await Promise.race([isSignedOut, click.catch(() => {})]);
    await isSignedOut;

    await signIn(other, email);
    await other.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out other devices' }).click();
    await page.getByText('Your other sessions have ended').waitFor();
    await other.goto(`${stage.url}/keys`);
    await other.waitForURL('**/sign-in?next=**');
  });
});
