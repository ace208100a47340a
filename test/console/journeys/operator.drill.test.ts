import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AuditRow } from '../../../console/src/operate/audit/changes.ts';
import { sentenceOf } from '../../../console/src/operate/audit/sentences.ts';
import { describeInBrowser } from '../../support/browser.ts';
import {
  checkStation,
  chooseDays,
  follow,
  press,
  setJourneyStage,
  type Device,
  type JourneyStage,
} from './journeyStage.ts';
import { expectSeen, nanosIn, nanosOf, tableOf } from './seen.ts';

const AT = '2026-11-17T10:00:00Z';
/** An operator, what that one does, and the fifth of November as that one has it. */
interface Operator {
  zone: string;
  device: Device;
  submission: string;
  verdict: 'Approve' | 'Reject';
  workspace: string;
  usd: number;
  day: { from: string; to: string };
}

const OPERATORS: Operator[] = [
  {
    zone: 'America/Los_Angeles',
    device: 'phone',
    submission: 'Anomaly watch',
    verdict: 'Reject',
    workspace: 'Juniper Health',
    usd: 3.000000001,
    day: { from: '2026-11-05T08:00:00Z', to: '2026-11-06T08:00:00Z' },
  },
  {
    zone: 'Asia/Kolkata',
    device: 'desktop',
    submission: 'Tender summary',
    verdict: 'Approve',
    workspace: 'Orbit Freight',
    usd: -1.25,
    day: { from: '2026-11-04T18:30:00Z', to: '2026-11-05T18:30:00Z' },
  },
];

interface List<Row> {
  data: Row[];
  has_more: boolean;
}

const REASON = 'It does not say which series it leaves out.';

describeInBrowser('an operator decides what waits, moves money and reads the audit', (browser) => {
  let stage: JourneyStage;
  let ask: Awaited<ReturnType<JourneyStage['as']>>;
  beforeAll(async () => {
    stage = await setJourneyStage({ at: AT, calls: 1_000, days: 40 });
    ask = await stage.as('operator');
  }, 600_000);
  afterAll(() => stage?.close());

  describe.each(OPERATORS)('$zone, $device', ({ zone, device, submission, verdict, workspace, usd, day }) => {
    let page: Page;
    let other: Page;
    beforeAll(async () => {
      page = await stage.visit(browser, { role: 'operator', zone, device });
      other = await stage.visit(browser, { role: 'owner', zone, device });
    });
    afterAll(() => Promise.all([page, other].map((one) => one?.context().close())));

    const tab = async (of: Page, name: string) => {
      await press(of.getByRole('tab', { name, exact: true }));
      await checkStation(of);
    };

    test('Operate says how much waits, and leads to it', async () => {
      await follow(page, 'Operate');
      await checkStation(page);
      const reviews = await ask<List<object>>('GET', 'reviews?status=in_review');
      const adjustments = await ask<List<{ status: string }>>('GET', 'adjustments');
      const pending = adjustments.data.filter(({ status }) => status === 'pending').length;
      const waits = page.getByRole('group', { name: 'What waits' });
      const countOf = (label: string) =>
        waits.locator('> div', { hasText: label }).getByRole('link').first().innerText();
      expect(await countOf('Reviews waiting')).toBe(String(reviews.data.length));
      expect(await countOf('Adjustments to approve')).toBe(String(pending));
      await tab(page, 'Reviews');
      const { rows } = await tableOf(page.getByRole('group', { name: 'Submissions' }));
      expect(rows.length).toBe(reviews.data.length);
    });

    test('a submission is decided, with a reason that its publisher reads', async () => {
      await press(page.getByRole('link', { name: submission }));
      await page.getByRole('heading', { name: submission, level: 1 }).waitFor();
      await page.getByRole('heading', { name: 'Evidence' }).waitFor();
      await checkStation(page);
      if (verdict === 'Reject') await page.getByRole('textbox', { name: 'Remark for the publisher' }).fill(REASON);
      await press(page.getByRole('button', { name: verdict, exact: true }));
      await press(page.getByRole('dialog').getByRole('button', { name: `${verdict} version` }));
      await page
        .getByText(verdict === 'Reject' ? 'Rejected.' : 'Approved: it is public now.')
        .first()
        .waitFor();
      await checkStation(page);
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      const decided = await ask<{ status: string; review_feedback: { message: string }[] }>('GET', `deployments/${id}`);
      expect(decided.status).toBe(verdict === 'Reject' ? 'rejected' : 'active');
      const messages = decided.review_feedback.map(({ message }) => message);
      expect(messages.includes(REASON)).toBe(verdict === 'Reject');
    });

    test('a workspace is found, and its balance adjusted to the nano once another operator approves', async () => {
      const find = async () =>
        (await ask<List<{ balance_usd: number }>>('GET', `workspaces?query=${encodeURIComponent(workspace)}`)).data[0]!;
      const before = nanosOf((await find()).balance_usd);
      await follow(page, 'Operate');
      await tab(page, 'Workspaces');
      await page.getByRole('searchbox', { name: 'Search workspaces' }).fill(workspace.slice(0, 6).toLowerCase());
      const region = page.getByRole('group', { name: 'Workspaces' });
      const seen = async () =>
        (await tableOf(region)).rows.map((row) => [row.Workspace!.text.split('\n')[0], nanosIn(row.Balance!.exact)]);
      await expectSeen(seen, [[workspace, before]]);
      await press(page.getByRole('button', { name: `Adjust the balance of ${workspace}` }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount, US dollars').fill(String(usd));
      await dialog.getByLabel('Reason').fill(`Outage seen from ${zone}`);
      await checkStation(page);
      await press(dialog.getByRole('button', { name: 'Request approval' }));
      await dialog.waitFor({ state: 'detached' });
      expect(nanosOf((await find()).balance_usd)).toBe(before);

      await follow(other, 'Operate');
      await tab(other, 'Adjustments');
      await press(other.getByRole('button', { name: new RegExp(`^Approve.*Outage seen from ${zone}`) }));
      await press(other.getByRole('dialog').getByRole('button', { name: 'Approve adjustment' }));
      await other
        .getByRole('row')
        .filter({ hasText: `Outage seen from ${zone}` })
        .getByText('approved')
        .waitFor();
      const after = nanosOf((await find()).balance_usd);
      expect(after - before).toBe(nanosOf(usd));
    });

    test('the audit of a past day has the entries of that day as the reader has it, and of UTC', async () => {
      await follow(page, 'Operate');
      await tab(page, 'Audit trail');
      const region = page.getByRole('group', { name: 'Audit trail' });
      for (const [isUtc, span] of [
        [false, day],
        [true, { from: '2026-11-05', to: '2026-11-05' }],
      ] as const) {
        await chooseDays(page, { from: '2026-11-05', to: '2026-11-05', isUtc });
        const { data } = await ask<List<AuditRow>>('GET', `audit?from=${span.from}&to=${span.to}&limit=50`);
        expect(data.length).toBeGreaterThan(0);
        const seen = async () => (await tableOf(region)).rows.map((row) => row['What happened']!.text);
        await expectSeen(
          seen,
          data.map((entry) => sentenceOf(entry)),
        );
        await checkStation(page);
      }
    });
  });

  test('leaves no error in the browsers', () => expect(browser.complaints).toEqual([]));
});
