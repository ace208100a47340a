import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { password, setAccountStage, type AccountStage } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;

// Back, which is undone.
const BACK_AND_FORTH = `new Promise((done) => {
  addEventListener('popstate', () => addEventListener('popstate', done, { once: true }), { once: true });
  history.back();
})`;

describeInBrowser('what people keep when something fails', (browser) => {
  let stage: AccountStage;
  let ada: Person;
  beforeAll(async () => {
    stage = await setAccountStage();
    ada = await stage.person({ name: 'Ada Lovelace' });
  });
  afterAll(() => stage?.close());

  async function signIn(page: Page, { email }: Person): Promise<void> {
    const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ email, password }) };
    const post = async (init: typeof sent) => (await fetch('/console/v1/auth/sign-in/email', init)).status;
    expect(await page.evaluate(post, sent)).toBe(200);
  }

  async function visit(person: Person, options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.url, reducedMotion: 'reduce', ...options });
    await page.goto('/sign-in');
    await signIn(page, person);
    return page;
  }

  const keysNamed = async (name: string) =>
    (await ada.get<{ data: { id: string; name: string }[] }>('keys')).body.data.filter((key) => key.name === name);

  const menu = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

  async function typeKey(page: Page, name: string) {
    await page.goto('/keys?create=1');
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill(name);
    return { dialog, create: () => dialog.getByRole('button', { name: 'Create key' }).click() };
  }

  describe('a page whose code is gone, as after a deploy', () => {
    test('is loaded anew by itself; where that does not help, a button does once it is there', async () => {
      const page = await visit(ada);
      let isGone = true;
      let loads = 0;
      // Nothing is preloaded before the click.
      await page.route('**/assets/{ProjectsPage,VoicesPage}-*.js', (route) =>
        isGone ? route.fulfill({ status: 404, body: '' }) : route.continue(),
      );
      page.on('load', () => {
        loads += 1;
        // The second load is of the new build.
        if (loads === 2) isGone = false;
      });
      await page.goto('/');
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await menu(page, 'Projects');
      await page.getByRole('button', { name: 'Create project' }).waitFor();
      expect([new URL(page.url()).pathname, loads]).toEqual(['/projects', 2]);

      isGone = true;
      await page.goto('/voices');
      await page.getByText('could not be loaded').waitFor();
      await until(async () => loads === 4 && (await page.getByRole('button', { name: 'Reload' }).isVisible()));
      isGone = false;
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('tab', { name: 'Library' }).waitFor();
    });
  });

  describe('a session that ends', () => {
    test('keeps what is typed: its person signs in again beside it, and sends it', async () => {
      const page = await visit(ada);
      const { dialog, create } = await typeKey(page, 'Typed before');
      await page.context().clearCookies();
      await create();
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      await ended.waitFor();
      const [beside] = await Promise.all([
        page.context().waitForEvent('page'),
        ended.getByRole('link', { name: 'Sign in again' }).click(),
      ]);
      await beside.waitForURL('**/sign-in*');
      await signIn(beside, ada);
      await beside.close();
      await page.bringToFront();
      await ended.getByRole('button', { name: 'I have signed in' }).click();
      await ended.waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed before');
      await create();
      await page.getByTestId('secret').waitFor();
      expect(await keysNamed('Typed before')).toHaveLength(1);
    });

    test('leads to the sign-in page where nothing is typed, and back to the same place', async () => {
      const page = await visit(ada);
      // It ends between the page and what it reads.
      await page.route(
        '**/console/v1/usage?*',
        async (route) => {
          await page.context().clearCookies();
          await route.continue({ headers: { ...(await route.request().allHeaders()), cookie: '' } });
        },
        { times: 1 },
      );
      await page.goto('/usage?days=7#by-name');
      await page.waitForURL('**/sign-in?next=**');
      await page.getByLabel('Email').fill(ada.email);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
      const { pathname, search, hash } = new URL(page.url());
      expect(pathname + search + hash).toBe('/usage?days=7#by-name');
    });
  });

  describe('a lost answer', () => {
    test('to a new key makes no second one, and its secret is replaced', async () => {
      const page = await visit(ada);
      const { create } = await typeKey(page, 'Lost answer');
      let isLost = true;
      await page.route('**/console/v1/keys', async (route) => {
        if (route.request().method() !== 'POST' || !isLost) return route.continue();
        isLost = false;
        await route.fetch();
        await route.abort();
      });
      await create();
      await page.getByText('could not be reached').waitFor();
      await create();
      const made = page.getByRole('dialog', { name: 'Your new key' });
      await made.getByText('its secret was lost').waitFor();
      await made.getByRole('button', { name: 'Get a new secret' }).click();
      const secret = await made.getByTestId('secret').innerText();
      expect(await keysNamed('Lost answer')).toHaveLength(1);
      const answer = await fetch(`${stage.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
      expect(answer.status).toBe(200);
    });

    test('offline, a write fails at once, and is not sent later by itself', async () => {
      const page = await visit(ada);
      const { create } = await typeKey(page, 'Made offline');
      await page.context().setOffline(true);
      await create();
      await page.getByRole('alert').getByText('could not be reached').waitFor();
      await page.context().setOffline(false);
      await page.getByText('You are offline').waitFor({ state: 'detached' });
      await create();
      await page.getByTestId('secret').waitFor();
      expect(await keysNamed('Made offline')).toHaveLength(1);
    });
  });

  describe('a dialog', () => {
    test('stays open while it saves, and says what became of it', async () => {
      const page = await visit(ada);
      // Within the console, so that Back leads to another page of it.
      await page.goto('/');
      await menu(page, 'Keys');
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill('Escaped');
      const create = () => dialog.getByRole('button', { name: 'Create key' }).click();
      const body = JSON.stringify({ error: { message: 'The service is away.', code: 'overloaded' } });
      let isAway = true;
      let answer = () => {};
      await page.route('**/console/v1/keys', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await new Promise<void>((resolve) => (answer = resolve));
        return isAway ? route.fulfill({ status: 503, contentType: 'application/json', body }) : route.continue();
      });
      const closeWhileSaving = async () => {
        const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/keys'));
        await create();
        await sent;
        await page.keyboard.press('Escape');
        await dialog.getByRole('button', { name: 'Close' }).click();
        await page.mouse.click(5, 5);
        await page.evaluate(BACK_AND_FORTH);
        answer();
      };
      await closeWhileSaving();
      await dialog.getByText('The service is away.').waitFor();
      isAway = false;
      await closeWhileSaving();
      await page.getByTestId('secret').waitFor();
      expect(await keysNamed('Escaped')).toHaveLength(1);
    });

    test('with something typed is not closed by a click beside it; Escape closes it', async () => {
      const page = await visit(ada);
      const { dialog } = await typeKey(page, 'Beside');
      await page.mouse.click(5, 5);
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Beside');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.goto('/keys?create=1');
      await dialog.waitFor();
      await page.mouse.click(5, 5);
      await dialog.waitFor({ state: 'detached' });
    });

    test('that is refused without a network is told of, though nothing was told before', async () => {
      const { body } = await ada.post<{ id: string }>('keys', { name: 'Offline' });
      const page = await visit(ada);
      const drawn = page.waitForResponse(/assets\/Notifications-/);
      await page.goto('/keys');
      await drawn;
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Actions for Offline' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
      await page.locator('.mantine-Notification-root').getByText('could not be reached').waitFor();
      expect((await keysNamed('Offline')).map(({ id }) => id)).toEqual([body.id]);
    });
  });

  test('an invitation that cannot be read for a moment is not called expired', async () => {
    const page = await browser.newPage({ baseURL: stage.url });
    let isAway = true;
    const body = JSON.stringify({ error: { message: 'Try again shortly.', code: 'overloaded' } });
    await page.route('**/organization/get-invitation*', (route) =>
      isAway ? route.fulfill({ status: 503, contentType: 'application/json', body }) : route.continue(),
    );
    await page.goto('/invitations/inv_1');
    await page.getByRole('heading', { name: 'The invitation could not be read' }).waitFor();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'You are invited' }).waitFor({ timeout: 30_000 });
  });

  describe('an address', () => {
    test('of operators, or of another role, shows others one page that says so', async () => {
      const page = await visit(ada);
      const refused: number[] = [];
      page.on('response', (response) => void (response.status() === 403 && refused.push(response.status())));
      for (const path of ['/operate', '/operate?tab=payouts', '/operate/agent-model', '/operate/reviews/dep_1']) {
        await page.goto(path);
        await page.getByRole('heading', { name: 'This page is for operators', level: 1 }).waitFor();
      }
      expect(refused).toEqual([]);
    });

    test('with a tab that does not exist shows the first one', async () => {
      const page = await visit(ada);
      await page.goto('/settings?tab=nowhere');
      await page.getByRole('tab', { name: 'Profile', selected: true }).waitFor();
      await page.goto('/files?view=nowhere');
      await page.getByRole('tab', { name: 'Sessions', selected: true }).waitFor();
      await page.goto('/voices?view=nowhere');
      await page.getByRole('tab', { name: 'Library', selected: true }).waitFor();
      await page.goto('/playground?tool=nowhere');
      await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
    });
  });

  describe('the spend limit of a conversation', () => {
    test('is what is typed, also from nothing on', async () => {
      const page = await visit(ada);
      await page.goto('/playground?tool=voice');
      const limit = page.getByLabel('Spend limit');
      await limit.click();
      await limit.press('ControlOrMeta+a');
      await limit.press('Backspace');
      await limit.pressSequentially('0.25');
      await limit.blur();
      expect(await limit.inputValue()).toBe('$0.25');
      await limit.fill('');
      await limit.blur();
      expect(await limit.inputValue()).toBe('$0.25');
    });
  });

  describe('names', () => {
    test('of keys are searched, and their letters stand in the order in which they are', async () => {
      for (const name of ['evil\u202Egnp.exe', 'مفتاح', 'Nightly', 'Nightly check']) await ada.post('keys', { name });
      const page = await visit(ada);
      await page.goto('/keys');
      const rows = page.getByRole('group', { name: 'Keys' }).locator('tbody tr');
      await rows.getByText('evilgnp.exe', { exact: true }).waitFor();
      await rows.locator('[dir=auto]', { hasText: 'مفتاح' }).waitFor();
      await page.getByLabel('Search keys').fill('nightly');
      await until(async () => (await rows.count()) === 2);
      await page.getByLabel('Search keys').fill('no such key');
      await page.getByText('No matching keys').waitFor();
    });
  });
});
