import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { nanosOfUsd } from '../../db/money.ts';
import { balanceOf } from '../support/account.ts';
import { describeInBrowser } from '../support/browser.ts';
import { createBrowser } from '../api/accounts/accountStage.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const SUBMISSIONS = 30;
const PUBLISHERS = 3;
const canary = '<img src=x onerror=alert(1)>';

const draft = (name: string) => ({
  name,
  description: `Writes verses. ${canary}`,
  instructions: `Write four lines about what is asked for. ${canary}`,
  tools: ['write_file'],
  pricing: {
    minimum_cost_usd: 0,
    maximum_cost_usd: 1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.0000025 }],
  },
  categories: ['writing'],
  example_prompts: [`A verse ${canary}`],
});

type Person = Awaited<ReturnType<ConsoleStage['person']>>;

describeInBrowser('operators at work', (browser) => {
  let stage: ConsoleStage;
  let publishers: Person[];
  let olga: Person;
  let page: Page;
  let other: Page;
  let second: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    publishers = [];
    for (let at = 0; at < PUBLISHERS; at += 1)
      publishers.push(await stage.person({ name: `Publisher ${at} ${canary}` }));
    olga = await stage.person({ name: `Olga ${canary}` });
    const oskar = await stage.person({ name: 'Oskar' });
    for (const { email } of [olga, oskar]) await stage.makeOperator(email);
    [page, other] = [await stage.visit(browser, olga), await stage.visit(browser, oskar)];
    second = publishers[1]!.me.workspace.id;
    for (const one of [page, other])
      one.on('dialog', (dialog) => browser.complaints.push(`dialog: ${dialog.message()}`));
  });
  afterAll(() => stage?.close());

  async function submit({ send }: Person, at: number): Promise<void> {
    const path = '/console/v1/publisher/agents';
    const slug = { namespace: `publisher-${at % PUBLISHERS}`, slug: `poet-${at}`, name: `Poet ${at}` };
    const made = await send('POST', path, slug);
    const changed = await send('PATCH', `${path}/${made.body.id}/draft`, draft(`Poet ${at} ${canary}`), {
      'if-match': made.headers.get('etag')!,
    });
    const submitted = await send(
      'POST',
      `${path}/${made.body.id}/submit-public`,
      {},
      {
        'if-match': changed.headers.get('etag')!,
      },
    );
    expect(submitted.status).toBe(200);
  }

  /** Opens the nth submission in the queue. */
  async function openReview(at: number): Promise<void> {
    await page.goto('/operate?tab=reviews');
    await page.getByRole('link', { name: new RegExp(String.raw`^Poet ${at} `) }).click();
    await page.getByRole('heading', { level: 1, name: `Poet ${at} ` }).waitFor();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  }

  const remark = (text: string) => page.getByRole('textbox', { name: 'Remark for the publisher' }).fill(text);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  /** Decides what asks first. */
  async function decide(name: string, what: string): Promise<void> {
    await press(name);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `${name} ${what}`, exact: true })
      .click();
  }

  test('the queue has all submissions of all publishers, the evidence, and what differs', async () => {
    for (let at = 0; at < SUBMISSIONS; at += 1) await submit(publishers[at % PUBLISHERS]!, at);
    await page.goto('/operate?tab=reviews');
    await page.getByRole('group', { name: 'Submissions' }).getByRole('link').first().waitFor();
    const rows = page.getByRole('group', { name: 'Submissions' }).getByRole('link');
    // Later pages load when the end of the rows comes near.
    await until(async () => {
      await rows.last().scrollIntoViewIfNeeded();
      return (await rows.count()) === SUBMISSIONS;
    });
    expect(new Set(await rows.allTextContents()).size).toBe(SUBMISSIONS);
    for (let at = 0; at < PUBLISHERS; at += 1)
      expect(await page.getByRole('cell', { name: `Publisher ${at} ` }).count()).toBe(SUBMISSIONS / PUBLISHERS);
    expect(await violationsOf(page)).toEqual([]);

    await openReview(0);
    await page.getByRole('region', { name: 'Changes from the public version' }).getByText('/instructions').waitFor();
    await page.getByText('An icon helps to find it').waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  test('approve and suspend, request changes, reject: the publisher reads each', async () => {
    await openReview(0);
    await decide('Approve', 'version');
    await page.getByText('Approved: it is public now.').waitFor();
    await decide('Suspend', 'agent');
    await page.getByText('Suspended: new runs are refused.').waitFor();
    await press('Reinstate');
    await page.getByText('It is public again.').waitFor();

    await openReview(1);
    expect(await page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await remark(`Say how long a verse is. ${canary}`);
    await press('Request changes');
    await page.getByText('The publisher is asked for changes.').waitFor();

    await openReview(2);
    await remark('It copies another agent.');
    await decide('Reject', 'version');
    await page.getByText('Rejected.').waitFor();

    const publisher = await stage.visit(browser, publishers[1]!);
    await publisher.goto('/publish');
    await publisher.getByRole('link', { name: /^Poet 1 / }).click();
    await publisher.getByRole('tab', { name: /Review/ }).click();
    await publisher.getByText(`Say how long a verse is. ${canary}`).waitFor();
    expect(await publisher.locator('img[src=x]').count()).toBe(0);
    await publisher.context().close();
  });

  test('an adjustment is asked for once, although its answer is lost, and another operator approves it', async () => {
    const before = await balanceOf(stage.db, second);
    await page.goto('/operate?tab=workspaces');
    await page.getByRole('searchbox', { name: 'Search workspaces' }).fill(second);
    await page.getByRole('button', { name: /^Adjust the balance of Publisher 1/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount, US dollars').fill('12.5');
    await dialog.getByLabel('Reason').fill(`Outage ${canary}`);
    // The request arrives, and its answer is lost: the second try has the same key.
    await page.route(
      '**/console/v1/adjustments',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await dialog.getByText('The service could not be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.goto('/operate?tab=adjustments');
    await page
      .getByRole('button', { name: /^Reject/ })
      .first()
      .waitFor();
    expect(await page.getByText('Another operator approves it').count()).toBe(1);
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    expect(await balanceOf(stage.db, second)).toBe(before);

    await other.goto('/operate?tab=adjustments');
    await other.getByRole('button', { name: /^Approve/ }).click();
    // Money moves only once the operator has confirmed the question.
    await other.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await balanceOf(stage.db, second)).toBe(before);
    await other.getByRole('button', { name: /^Approve a credit of \$12\.50 for Publisher 1/ }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Approve adjustment' }).click();
    await other.getByRole('row').filter({ hasText: 'approved' }).waitFor();
    expect(await balanceOf(stage.db, second)).toBe(before + nanosOfUsd('12.5'));

    await other.goto('/operate?tab=audit');
    await other.getByText('approved a credit of $12.50 for Publisher 1').waitFor();
    expect(await other.locator('img[src=x]').count()).toBe(0);
  });

  test('what strangers wrote is text on every page: names, titles, metadata, files, keys, remarks, browsers', async () => {
    await write(olga);
    await (await stage.visit(browser, olga)).context().close();
    const stranger = createBrowser(stage.api.url, { headers: { 'user-agent': canary } });
    await stranger.post('auth/sign-in/email', { email: olga.email, password: 'correct horse battery' });
    const { body: sessions } = await olga.get('sessions');
    const { body: runs } = await olga.get('runs');
    const found: string[] = [];
    for (const path of [
      '/',
      '/keys',
      '/requests',
      '/usage?by=key',
      '/billing',
      '/files',
      '/files?view=files',
      `/sessions/${sessions.data[0]!.id}`,
      `/runs/${runs.data[0]!.id}`,
      '/runs',
      '/agents',
      '/agents/publisher-0/poet-0',
      '/publish',
      '/settings',
      '/settings?tab=security',
      '/settings?tab=members',
      '/playground?tool=agent',
      '/playground?tool=speech',
      '/operate',
      '/operate?tab=workspaces',
      '/operate?tab=adjustments',
      '/operate?tab=audit',
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      if ((await page.locator('img[src=x]').count()) > 0) found.push(path);
    }
    expect(found).toEqual([]);
    await page.goto('/files');
    await page.getByText(`Title ${canary}`).waitFor();
    await page.goto(`/runs/${runs.data[0]!.id}`);
    await page.getByText(`Value ${canary}`).waitFor();
    await page.goto('/keys');
    await page.getByText(`Key ${canary}`).waitFor();
  });

  /** All writes that any member may do. */
  async function write({ post, send }: Person): Promise<void> {
    const done = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer;
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    };
    await stage.credit(olga.me.workspace.id, '5');
    await done(post('keys', { name: `Key ${canary}`, scopes: ['llm'] }));
    const metadata = { [canary]: `Value ${canary}` };
    const session = await post('sessions', { title: `Title ${canary}`, metadata });
    await done(Promise.resolve(session));
    const form = new FormData();
    form.append('purpose', 'agent_input');
    form.append('file', new Blob([canary], { type: 'text/html' }), `${canary}.html`.replaceAll(/[/\\]/g, ''));
    const headers = { cookie: cookiesOf(olga), 'x-ledgerline-csrf': '1', 'sec-fetch-site': 'same-origin' };
    const uploaded = await fetch(`${stage.api.url}/console/v1/files`, { method: 'POST', headers, body: form });
    expect(uploaded.status).toBeLessThan(300);
    await done(post(`sessions/${session.body.id}/files`, { kind: 'directory', name: canary }));
    await done(post('runs', { agent: 'publisher-0/poet-0', input: canary, metadata }));
    await done(
      post('auth/organization/invite-member', { email: `"${canary}"@example.com`, role: 'finance' }).then((answer) =>
        answer.status === 400 ? { ...answer, status: 200 } : answer,
      ),
    );
    await done(send('POST', '/console/v1/auth/update-user', { name: `Olga ${canary}` }));
  }

  const cookiesOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  test('leaves no error in the browsers but the lost answer', () => {
    expect(browser.complaints).toEqual(['Failed to load resource: net::ERR_FAILED']);
  });
});
