import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { password, setAccountStage, type AccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;

describeInBrowser('a tab beside others', (browser) => {
  let stage: AccountStage;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    stage = await setAccountStage();
    ada = await stage.person({ name: 'Ada Lovelace' });
    bob = await stage.person({ name: 'Bob' });
  });
  afterAll(() => stage?.close());

  async function signIn(page: Page, { email }: Person): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  }

  async function visit(person: Person): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.url, reducedMotion: 'reduce' });
    await page.goto('/sign-in');
    await signIn(page, person);
    return page;
  }

  async function beside(page: Page, path: string): Promise<Page> {
    const other = await page.context().newPage();
    await other.goto(path);
    await other.locator('main h1').first().waitFor();
    return other;
  }

  async function typeKey(page: Page, name: string) {
    const other = await beside(page, '/keys?create=1');
    await other.getByRole('dialog', { name: 'Create key' }).getByLabel('Name').fill(name);
    return other;
  }

  test('says that its session has ended in another one, and that another person has signed in', async () => {
    const page = await visit(ada);
    const idle = await beside(page, '/billing');
    const typing = await typeKey(page, 'Of Ada');
    await page.getByRole('button', { name: 'Ada Lovelace' }).last().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // Nothing is read on the other pages before they know.
    await idle.getByText('Your session has ended.').waitFor();
    expect(new URL(idle.url()).searchParams.get('next')).toBe('/billing');
    await typing.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.waitForURL('**/sign-in');
    await signIn(page, bob);
    const ended = typing.getByRole('dialog', { name: 'Somebody else has signed in' });
    await ended.getByText('This page was opened by Ada Lovelace.').waitFor();
    await ended.getByRole('button', { name: 'Go to their workspace' }).click();
    await typing.getByRole('button', { name: 'Workspace: Bob’s workspace' }).waitFor();
    await page.context().close();
  });

  test('never writes to another workspace after its own is closed to the person, and says so', async () => {
    const organizationId = ada.me.workspace.id;
    await ada.post('auth/organization/invite-member', { email: bob.email, role: 'developer', organizationId });
    const { link } = await stage.mailTo(bob.email, 'Join');
    const page = await visit(bob);
    await page.goto(new URL(link).pathname);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('button', { name: 'Workspace: Ada Lovelace’s workspace' }).waitFor();
    const typing = await typeKey(page, 'For Ada');
    await ada.post('auth/organization/remove-member', { organizationId, memberIdOrEmail: bob.email });
    // The person is read anew before the form is sent.
    await typing.clock.install();
    await typing.clock.fastForward('02:00');
    await typing.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const ended = typing.getByRole('dialog', { name: 'This workspace is not open to you any more' });
    await ended.getByText('You are no longer a member of Ada Lovelace’s workspace').waitFor();
    expect(await typing.evaluate(() => sessionStorage.getItem('ledgerline-workspace'))).toBe(organizationId);
    const { body } = await bob.get<{ data: object[] }>('keys');
    expect(body.data).toEqual([]);
    await ended.getByRole('button', { name: 'Go to another workspace' }).click();
    await typing.getByRole('button', { name: 'Workspace: Bob’s workspace' }).waitFor();
    await page.reload();
    await page.getByText('no longer, a member of the workspace that was asked for').waitFor();
    await page.context().close();
  });

  test.each([
    ['/sign-in?next=/keys', '/keys'],
    ['/sign-up', '/'],
  ])('at %s leads who is signed in on to %s', async (path, next) => {
    const page = await visit(ada);
    // The browser knows of a person once their page has been there.
    await page.getByRole('button', { name: /^Workspace: Ada/ }).waitFor();
    await page.goto(path);
    await page.waitForURL((url) => url.pathname === next);
    await page.getByRole('button', { name: /^Workspace: Ada/ }).waitFor();
    await page.context().close();
  });
});
