import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { password, setAccountStage, type AccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { chatBody, chatPath } from '../support/guardStage.ts';
import { storeCalls } from '../support/pastCalls.ts';
import { switchMode } from './payingStage.ts';
import { until } from '../support/until.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;

const REASON = "The model 'no-such-model' does not exist";

describeInBrowser('what people see of calls, days and keys', (browser) => {
  let stage: AccountStage;
  let ada: Person;
  let key: { id: string; key: string };
  beforeAll(async () => {
    stage = await setAccountStage();
    ada = await stage.person({ name: 'Ada Lovelace' });
    await stage.credit(ada.me.workspace.id, '20');
    key = (await ada.post<typeof key>('keys', { name: 'Server' })).body;
  });
  afterAll(() => stage?.close());

  async function visit({ email }: Person, options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.url, ...options });
    await page.goto('/sign-in');
    const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ email, password }) };
    const signIn = async (init: typeof sent) => (await fetch('/console/v1/auth/sign-in/email', init)).status;
    expect(await page.evaluate(signIn, sent)).toBe(200);
    return page;
  }

  async function call(model?: string): Promise<string> {
    const body = chatBody({ ...(model !== undefined && { model }) });
    const response = await stage.ask(chatPath, { headers: { authorization: `Bearer ${key.key}` }, body });
    await response.text();
    return response.headers.get('x-request-id')!;
  }

  describe('why a call was refused', () => {
    test('is two clicks away, from the list, by the id alone, from Home and from Usage', async () => {
      const id = await call('no-such-model');
      const page = await visit(ada);
      const shown = () => page.getByRole('main').getByText(REASON).first().waitFor();
      const menu = (name: string) =>
        page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

      await page.goto('/');
      await menu('Requests');
      await page
        .getByRole('row', { name: /no-such-model/ })
        .getByRole('link')
        .click();
      await shown();
      expect(new URL(page.url()).pathname).toBe(`/requests/${id}`);

      await menu('Requests');
      await page.getByLabel('Find a request by its ID').fill(` ${id} `);
      await page.keyboard.press('Enter');
      await shown();

      await menu('Explain a cent');
      await page.getByLabel('ID', { exact: true }).fill(id);
      await page.getByRole('button', { name: 'Explain' }).click();
      await shown();

      await menu('Home');
      await page
        .getByRole('group', { name: /^Errors, last/ })
        .getByRole('link', { name: /model_not_found/ })
        .click();
      await shown();

      await menu('Usage');
      await page.getByRole('tab', { name: /^Errors/ }).click();
      await page.getByRole('group', { name: 'Usage by name' }).getByRole('link', { name: 'model_not_found' }).click();
      await shown();
      expect(browser.complaints).toEqual([]);
    });
  });

  describe('days', () => {
    const rows = (page: Page) => page.getByRole('group', { name: 'Requests', exact: true }).locator('tbody tr');

    test('of the list are those of its reader, whose times it shows; of a report those of UTC', async () => {
      // 10 p.m. in UTC is 11 a.m. of the next day in Auckland.
      const ended = { at: '2026-11-20T22:00:00Z', keyId: key.id, workspaceId: ada.me.workspace.id };
      await storeCalls(stage.addresses.databaseUrl, [ended]);
      const page = await visit(ada, { timezoneId: 'Pacific/Auckland', locale: 'en-GB' });
      const on = async (day: string, zone = '') => {
        await page.goto(`/requests?status=200&from=${day}&to=${day}${zone}`);
        await page.locator('time[title*="21 Nov"]').or(page.getByText('No matching requests')).first().waitFor();
        return rows(page).count();
      };
      expect([await on('2026-11-20'), await on('2026-11-21'), await on('2026-11-22')]).toEqual([0, 1, 0]);
      expect([await on('2026-11-20', '&zone=utc'), await on('2026-11-21', '&zone=utc')]).toEqual([1, 0]);
      await page.getByRole('button', { name: '2026-11-21 UTC' }).waitFor();
    });

    test('of Usage: a day in the past has that day alone, and today is compared with yesterday', async () => {
      const asked: string[] = [];
      const page = await visit(ada);
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/console/v1/usage') asked.push(`${searchParams.get('from')} ${searchParams.get('to')}`);
      });
      await page.goto('/usage?from=2026-01-19&to=2026-01-19');
      await page.getByText('No usage in this period.').first().waitFor();
      expect(asked).toEqual(['2026-01-19 2026-01-19']);
      asked.length = 0;
      await page.goto('/usage?days=1&compare=1');
      await page.getByText('as much as yesterday by this time').first().waitFor();
      const [today, before] = asked.map((range) => range.split(' '));
      expect(today![0]).toBe(today![1]);
      expect(Date.parse(today![0]!) - Date.parse(before![0]!)).toBe(86_400_000);
      // Of yesterday, as many whole hours as have passed today.
      const hours = (Date.parse(before![1]!) - Date.parse(before![0]!)) / 3_600_000;
      expect([Number.isInteger(hours), hours >= 1, hours < 24]).toEqual([true, true, true]);
    });

    test('of Usage and of the statement follow the clock of the test workspace', async () => {
      const page = await visit(ada);
      await page.goto('/');
      await switchMode(page);
      await page.getByRole('button', { name: 'Leave test mode' }).waitFor();
      const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
      const body = JSON.stringify({ seconds: 40 * 86_400 });
      const advance = (init: RequestInit) => fetch('/console/v1/test_clock/advance', init).then(({ ok }) => ok);
      expect(await page.evaluate(advance, { method: 'POST', headers, body })).toBe(true);
      const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
      await page.goto('/usage?days=1');
      await page.getByRole('button', { name: 'Custom' }).click();
      await page
        .getByLabel('To')
        .and(page.locator(`[value="${day}"]`))
        .waitFor();
      await page.goto('/billing');
      const month = new Date(day).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
      const chosen = page.getByLabel('Month').first();
      await until(async () => (await chosen.inputValue()) === month);
      await page.getByRole('button', { name: 'Leave test mode' }).click();
      await page.getByRole('button', { name: 'Leave test mode' }).waitFor({ state: 'detached' });
    });
  });

  describe('keys', () => {
    test('may do everything unless they are restricted, and a limit out of range is refused, not replaced', async () => {
      const page = await visit(ada);
      await page.goto('/keys?create=1');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Whole');
      await dialog.getByText('Rate limits, expiry, IP addresses').click();
      await dialog.getByLabel('Requests per minute').fill('-5');
      await dialog.getByLabel('Concurrent requests').click();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('At least 1.').waitFor();
      await dialog.getByLabel('Requests per minute').fill('');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByTestId('secret').waitFor();
      await page.getByRole('button', { name: 'I have copied it' }).click();

      await page.goto('/keys?create=1');
      await dialog.getByLabel('Name').fill('Narrow');
      await dialog.getByRole('radio', { name: 'Restricted' }).click();
      await dialog.getByRole('checkbox', { name: 'Agents', exact: true }).click();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByTestId('secret').waitFor();
      const { body } = await ada.get<{ data: { name: string; scopes: string[]; rpm_limit: number | null }[] }>('keys');
      const made = Object.fromEntries(body.data.map(({ name, ...key }) => [name, key]));
      expect(made.Whole).toMatchObject({ scopes: ['llm', 'voice', 'batch', 'publisher'], rpm_limit: null });
      expect(made.Narrow).toMatchObject({ scopes: ['agents'] });
    });

    test.each([768, 1024])('have their menu in view at %i pixels', async (width) => {
      const limits = { spend_limit: 250, spend_limit_period: 'monthly', rpm_limit: 1200, concurrency_limit: 40 };
      await ada.post('keys', { name: `A key whose name is long, for ${width}`, ...limits });
      const page = await visit(ada, { viewport: { width, height: 900 } });
      await page.goto('/keys');
      const button = page.getByRole('button', { name: `Actions for A key whose name is long, for ${width}` });
      await button.waitFor();
      const right = (box: { x: number; width: number } | null) => box!.x + box!.width;
      const table = right(await page.getByRole('group', { name: 'Keys' }).boundingBox());
      expect(right(await button.boundingBox())).toBeLessThanOrEqual(table);
      await button.click();
      const menu = await page.getByRole('menu').boundingBox();
      expect(menu!.x).toBeGreaterThanOrEqual(0);
      expect(right(menu)).toBeLessThanOrEqual(width);
    });

    test('of a removed member are shown, and revoked with the membership or marked', async () => {
      const [keeper, leaver] = [await join('developer'), await join('developer')];
      for (const person of [keeper, leaver]) await person.post('keys', { name: `Of ${person.email}` });
      const page = await visit(ada);
      const remove = async ({ name }: Person, revokes: boolean) => {
        await page.goto('/settings?tab=members');
        await page
          .getByRole('button', { name: `Remove ${name}` })
          .first()
          .click();
        await page.getByText('go on working').waitFor();
        if (revokes) await page.getByLabel('Revoke these keys too').click();
        await page.getByRole('button', { name: 'Remove member' }).click();
        await page.getByText('is no longer a member').first().waitFor();
      };
      await remove(keeper, false);
      await remove(leaver, true);
      await page.goto('/keys');
      const row = page.getByRole('row', { name: new RegExp(`Of ${keeper.email}`) });
      await row.getByText('who is no longer a member').waitFor();
      expect(await page.getByText(`Of ${leaver.email}`).count()).toBe(0);
    });
  });

  /** A person who has joined the owner's workspace and selected it. */
  async function join(role: string): Promise<Person> {
    const email = stage.newEmail(role);
    const person = await stage.person({ name: `Mx ${email.split('@')[0]}`, email });
    await ada.post('auth/organization/invite-member', { email, role });
    const { link } = await stage.mailTo(email, 'Join');
    const invitationId = new URL(link).pathname.split('/').at(-1)!;
    await person.post('auth/organization/accept-invitation', { invitationId });
    await person.post('auth/organization/set-active', { organizationId: ada.me.workspace.id });
    return person;
  }

  describe('a finance member', () => {
    test('finds every page of the menu readable, and no button for what others do', async () => {
      const finance = await join('finance');
      const page = await visit(finance);
      const choose = (body: string) =>
        fetch('/console/v1/auth/organization/set-active', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' },
          body,
        }).then(({ ok }) => ok);
      expect(await page.evaluate(choose, JSON.stringify({ organizationId: ada.me.workspace.id }))).toBe(true);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(new URL(response.url()).pathname);
      });
      await page.goto('/');
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Add credit' }).first().waitFor();
      expect(await page.getByRole('link', { name: /Create (a )?key/ }).count()).toBe(0);
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
      for (const path of paths.filter((one) => one.startsWith('/') && !one.startsWith('/docs'))) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      }
      expect(refused).toEqual([]);
    });
  });

  describe('an invitation', () => {
    test('survives signing up: from its link, and for who came another way', async () => {
      const emails = [stage.newEmail('invited'), stage.newEmail('invited')];
      for (const email of emails) await ada.post('auth/organization/invite-member', { email, role: 'finance' });
      const mail = async (email: string, subject: string) => {
        return new URL((await stage.mailTo(email, subject)).link).href.replace(/^[^/]*\/\/[^/]*/, '');
      };
      const fill = async (page: Page, email: string) => {
        await page.getByLabel('Name').fill('Grace Hopper');
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password', { exact: true }).fill(password);
        // A busy machine refuses a sign-up and asks to try again: its person does.
        const sent = page.getByRole('heading', { name: 'Check your email' });
        await until(async () => {
          await page.getByRole('button', { name: 'Create account' }).click();
          await sent.or(page.getByText('Try again shortly')).first().waitFor();
          return sent.isVisible();
        });
        await page.goto(await mail(email, 'confirm'));
        await page.getByRole('button', { name: 'Confirm and sign in' }).click();
      };
      // Each in a browser of their own: what one is still loading must not become the other's.
      const open = () => browser.newPage({ baseURL: stage.url });
      const [invited, other] = [await open(), await open()];
      await invited.goto(await mail(emails[0]!, 'Join'));
      await invited.getByRole('link', { name: 'Sign in' }).click();
      await invited.getByRole('link', { name: 'Sign up' }).click();
      await fill(invited, emails[0]!);
      await invited.getByRole('heading', { name: /^Join / }).waitFor();

      await other.goto('/sign-up');
      await fill(other, emails[1]!);
      await other.getByRole('link', { name: 'See the invitation' }).click();
      await other.getByRole('button', { name: 'Accept invitation' }).click();
      await other.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await other.getByText(ada.me.workspace.name).first().waitFor();
    });
  });
});
