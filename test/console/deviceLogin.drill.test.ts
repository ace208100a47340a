import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { password } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const NAME = 'ledgerline on ada-laptop';

interface Codes {
  device_code: string;
  user_code: string;
}

describeInBrowser('the login of a program', (browser) => {
  let stage: ConsoleStage;
  let ada: Awaited<ReturnType<ConsoleStage['person']>>;
  let page: Page;

  beforeAll(async () => {
    stage = await setConsoleStage();
    ada = await stage.person();
    page = await browser.newPage({ baseURL: stage.api.url, reducedMotion: 'reduce' });
  });
  afterAll(() => stage?.close());

  const send = async (path: string, body: object) => {
    const response = await stage.ask(`/platform/v1/device/${path}`, { body: JSON.stringify(body) });
    return response.json();
  };
  const begin = async (body: object = {}) => (await send('codes', { client_name: NAME, ...body })) as Codes;
  const fetchKey = ({ device_code }: Codes) =>
    send('token', { device_code }) as Promise<{
      key?: { name: string; scopes: string[]; expires_at: string; spend_limit: number };
      error?: { code: string };
    }>;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const isDisabled = (name: string) => button(name).isDisabled();

  async function look(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      }
    }
  }

  test('leads through sign-in, shows who asks for what, and gives what is left ticked, once compared', async () => {
    const codes = await begin({ scopes: ['llm', 'voice', 'publisher', 'operator'] });
    await page.goto(`/device?code=${codes.user_code}`);
    await page.getByLabel('Email').fill(ada.email);
    // No session has ended for a person who was never signed in here.
    expect(new URL(page.url()).search).toBe(`?next=${encodeURIComponent(`/device?code=${codes.user_code}`)}`);
    expect(await page.title()).toBe('Sign in to Ledgerline');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button('Sign in').click();
    const asks = panel('Does your terminal show this code?');
    await asks.getByText(codes.user_code, { exact: true }).waitFor();
    expect(page.url()).toContain(`/device?code=${codes.user_code}`);
    await asks.getByText(NAME).waitFor();
    await asks.getByText('As it calls itself: not verified').waitFor();
    await asks.getByText('The network of this browser').waitFor();
    const gets = panel('What it gets');
    await gets.getByText('It also asks for what you may not give here: Operate the platform.').waitFor();
    expect(await gets.getByRole('checkbox', { checked: true }).count()).toBe(3);
    await look();
    await gets.getByLabel(/^Voice/).uncheck();
    await gets.getByLabel('Spend limit').fill('25');
    expect(await isDisabled('Approve')).toBe(true);
    await page.getByLabel(/^My terminal shows/).check();
    await button('Approve').click();
    await page.getByRole('status').getByText('You can return to your terminal').waitFor();
    await look();
    const { key } = await fetchKey(codes);
    expect(key).toMatchObject({
      name: 'Command line on ada-laptop',
      scopes: ['llm', 'publisher'],
      spend_limit: 25,
      spend_limit_period: 'monthly',
    });
    expect(Math.round((Date.parse(key!.expires_at) - Date.now()) / 86_400_000)).toBe(90);
    await page.getByRole('main').getByRole('link', { name: 'Keys', exact: true }).click();
    const made = page.getByRole('cell', { name: /^Command line on ada-laptop/ });
    await made.getByText('Login of Ada Lovelace on a device').waitFor();
  });

  test('takes a typed code, says when there is none such, and gives nothing when it is denied', async () => {
    const codes = await begin();
    await page.goto('/device');
    await panel('Enter the code of your terminal').waitFor();
    await look();
    await page.getByLabel('Code', { exact: true }).fill('bbbb-bbbb');
    await button('Continue').click();
    await page.getByRole('alert').getByText('No program waits with this code').waitFor();
    await look();
    await page.getByLabel('Code', { exact: true }).fill(codes.user_code.toLowerCase().replace('-', ' '));
    await button('Continue').click();
    await panel('Does your terminal show this code?').getByText(codes.user_code, { exact: true }).waitFor();
    await button('Deny').click();
    await page.getByRole('status').getByText('The program gets no key').waitFor();
    await look();
    expect(await fetchKey(codes)).toMatchObject({ error: { code: 'access_denied' } });
    await page.reload();
    await page.getByRole('status').getByText('The program gets no key').waitFor();
  });

  test('gives a test key in test mode; managing keys stands alone', async () => {
    const codes = await begin({ scopes: ['llm'] });
    await page.goto(`/device?code=${codes.user_code}`);
    const gets = panel('What it gets');
    await gets.getByRole('combobox', { name: 'Workspace' }).click();
    await page.getByRole('option', { name: /, test mode$/ }).click();
    await gets.getByLabel(/^Manage keys/).check();
    expect(await gets.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await gets.getByLabel(/^Text and agents/).check();
    expect(await gets.getByLabel(/^Manage keys/).isChecked()).toBe(false);
    await page.getByLabel(/^My terminal shows/).check();
    await button('Approve').click();
    await page.getByRole('status').getByText('You can return to your terminal').waitFor();
    expect(await fetchKey(codes)).toMatchObject({
      api_key: expect.stringMatching(/^sk_test_/),
      key: { scopes: ['llm'] },
      workspace: { mode: 'test' },
    });
  });

  test('needs a recent sign-in, and a role whose programs may call something', async () => {
    const codes = await begin();
    const userId = ada.me.user.id;
    await stage.db.pool.query(`update user_sessions set created_at = now() - interval '13 hours' where user_id = $1`, [
      userId,
    ]);
    await page.goto(`/device?code=${codes.user_code}`);
    await page.getByLabel(/^My terminal shows/).check();
    await button('Approve').click();
    const again = page.getByRole('alert').getByRole('link', { name: 'Sign in again' });
    await again.waitFor();
    await look();
    expect(await again.getAttribute('href')).toBe(
      `/sign-in?next=${encodeURIComponent(`/device?code=${codes.user_code}`)}&again=1`,
    );
    await stage.db.pool.query(`update members set role = 'finance' where user_id = $1`, [userId]);
    await page.reload();
    await page.getByText('Your role lets no program call anything').waitFor();
    expect(await button('Approve').count()).toBe(0);
    await look();
    expect(browser.complaints.filter((text) => !/40[134]/.test(text))).toEqual([]);
  });
});
