import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { csvRowsOf } from '../support/csvRows.ts';
import { until } from '../support/until.ts';
import { read, setClickStage, type ClickStage, type Person } from './clickStage.ts';

interface Doing {
  stage: ClickStage;
  person: Person;
  page: Page;
  click: (target: Locator) => Promise<void>;
}

/**
 * A common task: at most how many clicks it may take from Home. `before` prepares what it is about; `work` does it in a new workspace, and
 * then checks its effect. Typing is not counted.
 */
interface Task<About> {
  name: string;
  clicksMax: number;
  before: (stage: ClickStage, person: Person) => Promise<About>;
  work: (doing: Doing, about: About) => Promise<void>;
}

const isAbout = <About>(task: Task<About>): Task<unknown> => task as Task<unknown>;
const nothing = () => Promise.resolve();
const credit = (stage: ClickStage, { me }: Person) => stage.credit(me.workspace.id, '5');

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
const workspaceMenu = (page: Page) => button(page, /^Workspace:/);

/** The file that a click downloads. */
async function fileOf(page: Page, clicked: Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), clicked]);
  return readFile(await download.path());
}

const TASKS: Task<unknown>[] = [
  isAbout({
    name: 'buy credit for 25 USD',
    clicksMax: 3,
    before: nothing,
    work: async ({ stage, page, click }) => {
      await click(page.getByRole('main').getByRole('link', { name: 'Add credit' }).first());
      await page.getByLabel('Amount').fill('25');
      await click(button(page, 'Add $25.00'));
      await click(button(page, 'Use the test card 4242'));
      await page.getByText('Thank you').waitFor();
      await stage.paid();
      await until(async () => {
        const { balance_usd: usd } = await read<{ balance_usd: number }>(page.context(), '/console/v1/overview');
        return usd === 25;
      });
      await page.getByRole('region', { name: 'Balance' }).getByText('$25.00').first().waitFor();
    },
  }),
  isAbout({
    name: 'create a key',
    clicksMax: 3,
    before: credit,
    work: async ({ stage, page, click }) => {
      await click(page.getByRole('main').getByRole('link', { name: 'Create key' }).first());
      await page.getByRole('dialog').getByLabel('Name').fill('Picking cell');
      await click(button(page.getByRole('dialog'), 'Create key'));
      const secret = (await page.getByTestId('secret').textContent())!;
      expect((await stage.call(secret)).status).toBe(200);
    },
  }),
  isAbout({
    name: 'get a first answer',
    clicksMax: 2,
    before: credit,
    work: async ({ page, click }) => {
      await click(menu(page, 'Playground'));
      await click(button(page, 'Compare TCP and UDP in a table.'));
      await page.getByRole('list', { name: 'Figures of this call' }).waitFor();
      const { data } = await read<{ data: { status: number }[] }>(page.context(), '/console/v1/requests');
      expect(data.map(({ status }) => status)).toEqual([200]);
    },
  }),
  isAbout({
    name: 'see what a call cost, and why',
    clicksMax: 2,
    before: async (stage, person) => {
      await credit(stage, person);
      return (await stage.call(await stage.keyOf(person, 'Laptop'))).headers.get('x-cost-usd')!;
    },
    work: async ({ page, click }, usd: string) => {
      await click(page.getByRole('region', { name: 'Latest requests' }).getByRole('row').nth(1).getByRole('link'));
      await page.getByRole('heading', { name: 'Cost breakdown' }).waitFor();
      await page.getByRole('group', { name: 'Lines of the cost' }).getByRole('row').first().waitFor();
      expect(Number(usd)).toBeGreaterThan(0);
      await page
        .getByRole('region', { name: 'Cost and latency' })
        .getByText(`$${Number(usd)}`)
        .waitFor();
    },
  }),
  isAbout({
    name: 'see why a call was refused',
    clicksMax: 2,
    before: async (stage, person) => {
      await credit(stage, person);
      const secret = await stage.keyOf(person, 'Laptop');
      await stage.call(secret);
      return (await (await stage.call(secret, { model: 'gpt-nine' })).json()) as { error: { message: string } };
    },
    work: async ({ page, click }, { error }: { error: { message: string } }) => {
      await click(menu(page, 'Requests'));
      await click(page.getByRole('row').filter({ hasText: 'model_not_found' }).getByRole('link').first());
      await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
      await page.getByText(error.message).first().waitFor();
    },
  }),
  isAbout({
    name: 'download the statement as PDF',
    clicksMax: 2,
    before: credit,
    work: async ({ page, click }) => {
      await click(menu(page, 'Billing'));
      const file = await fileOf(page, click(page.getByRole('link', { name: 'PDF' }).first()));
      expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    },
  }),
  isAbout({
    name: 'download the usage by key as CSV',
    clicksMax: 3,
    before: async (stage, person) => {
      await credit(stage, person);
      for (const name of ['Laptop', 'Server']) await stage.call(await stage.keyOf(person, name));
    },
    work: async ({ page, click }) => {
      await click(menu(page, 'Usage'));
      await click(page.getByRole('group', { name: 'Group by' }).getByRole('button', { name: 'Key', exact: true }));
      const chosen = page.getByRole('link', { name: 'Export CSV' }).and(page.locator('[href*="%2Ckey"]'));
      const rows = csvRowsOf((await fileOf(page, click(chosen))).toString());
      const { data } = await read<{ data: { id: string }[] }>(page.context(), '/console/v1/keys');
      expect(rows).toHaveLength(2);
      expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(data.map(({ id }) => id)));
      for (const row of rows) expect(Number(row.cost_usd)).toBeGreaterThan(0);
    },
  }),
  isAbout({
    name: 'turn on automatic top-up, without a saved card',
    clicksMax: 4,
    before: credit,
    work: async ({ stage, page, click }) => {
      await click(menu(page, 'Billing'));
      await click(page.getByLabel('Top up automatically'));
      await click(button(page, 'Save a card and turn on'));
      await click(button(page, 'Use the test card 4242'));
      await page.getByText('Visa ending in 4242').waitFor();
      await stage.paid();
      await until(async () => {
        const { enabled } = await read<{ enabled: boolean }>(page.context(), '/console/v1/auto_topup');
        return enabled;
      });
      expect(await page.getByLabel('Top up automatically').isChecked()).toBe(true);
    },
  }),
  isAbout({
    name: 'rotate a key',
    clicksMax: 3,
    before: async (stage, person) => {
      await credit(stage, person);
      return stage.keyOf(person, 'Picking cell');
    },
    work: async ({ stage, page, click }, old: string) => {
      await click(menu(page, 'Keys'));
      await click(button(page, 'Rotate Picking cell'));
      await click(button(page.getByRole('dialog'), 'Rotate key'));
      const secret = (await page.getByTestId('secret').textContent())!;
      expect(secret).not.toBe(old);
      expect((await stage.call(secret)).status).toBe(200);
    },
  }),
  isAbout({
    name: 'publish an agent, from its draft to the review',
    clicksMax: 7,
    before: credit,
    work: async ({ page, click }) => {
      await click(menu(page, 'Publish'));
      await click(button(page, 'New agent').first());
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Greeter');
      await dialog.getByLabel('Namespace').fill('in-seven-clicks');
      await click(button(page, 'Create draft'));
      await page.getByLabel('Description').fill('Greets whoever is named.');
      await page.getByLabel('Instructions').fill('Greet the person that the user names, in one sentence.');
      await page.getByRole('combobox', { name: 'Categories' }).fill('writing');
      await page.keyboard.press('Enter');
      await page.getByLabel('Example prompts').fill('Ada');
      await click(button(page.getByRole('list', { name: 'Steps' }), /Price/));
      await page.getByLabel('Max cost of a run').fill('0.05');
      await page.getByLabel('Output tokens, per 1M tokens').fill('10');
      await click(button(page, 'Submit for review'));
      await button(page, 'In review').waitFor();
      const path = '/console/v1/publisher/agents';
      const { data } = await read<{ data: { public_submission: { status: string } }[] }>(page.context(), path);
      expect(data.map((agent) => agent.public_submission.status)).toEqual(['in_review']);
    },
  }),
  isAbout({
    name: 'approve a submission',
    clicksMax: 3,
    before: async (stage, person) => {
      await stage.makeOperator(person.email);
      return stage.submit(await stage.person(), 'Poet');
    },
    work: async ({ page, click }, id: string) => {
      await click(page.getByRole('main').getByRole('link', { name: 'Poet', exact: true }));
      await click(button(page, 'Approve'));
      await click(page.getByRole('dialog').getByRole('button', { name: 'Approve version' }));
      await page.getByText('Approved: it is public now.').waitFor();
      const { status } = await read<{ status: string }>(page.context(), `/console/v1/deployments/${id}`);
      expect(status).toBe('active');
    },
  }),
  isAbout({
    name: 'invite a member',
    clicksMax: 3,
    before: nothing,
    work: async ({ stage, page, click }) => {
      const email = stage.newEmail('invited');
      await click(workspaceMenu(page));
      await click(page.getByRole('menuitem', { name: 'Invite a member' }));
      await page.getByLabel('Email').fill(email);
      await click(button(page, 'Invite'));
      await page.getByRole('group', { name: 'Invitations' }).getByRole('row').filter({ hasText: email }).waitFor();
      const path = '/console/v1/auth/organization/list-invitations';
      const invited = await read<{ email: string; status: string }[]>(page.context(), path);
      expect(invited.map((one) => `${one.email} ${one.status}`)).toEqual([`${email} pending`]);
      expect((await stage.mailTo(email)).text).toContain('/invitations/');
    },
  }),
];

describeInBrowser('the clicks of common tasks', (browser) => {
  let stage: ClickStage;
  beforeAll(async () => {
    stage = await setClickStage();
  });
  afterAll(() => stage?.close());

  test.each(TASKS)('$name: at most $clicksMax, from Home', async ({ clicksMax, before, work }) => {
    const person = await stage.person();
    const about = await before(stage, person);
    const page = await stage.visit(browser, person);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await work({ stage, person, page, click }, about);
    expect({ clicks, isTooMany: clicks > clicksMax }).toEqual({ clicks, isTooMany: false });
    await page.context().close();
  });
});
