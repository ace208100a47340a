import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { csvRowsOf } from '../../support/csvRows.ts';
import {
  checkStation,
  follow,
  press,
  setJourneyStage,
  settle,
  type Device,
  type JourneyStage,
} from './journeyStage.ts';
import { downloadOf, expectSeen, nanosIn, nanosOf, sumOf, tableOf } from './seen.ts';

// The runs of the demonstration began 27 days before: some ended in October.
const AT = '2026-11-03T10:00:00Z';
interface Statement {
  totals: { earned_usd: number; gross_usd: number; runs: number };
  data: { date: string; agent: string; is_own: boolean; runs: number; earned_usd: number }[];
}

interface Publisher {
  zone: string;
  device: Device;
  agent: string;
  /** What an operator decides, and what is seen of it. */
  move: 'approve' | 'request-changes';
  outcome: string;
}

const PUBLISHERS: Publisher[] = [
  {
    zone: 'America/Los_Angeles',
    device: 'phone',
    agent: 'Weld seam reader',
    move: 'request-changes',
    outcome: 'Changes requested',
  },
  { zone: 'Pacific/Auckland', device: 'desktop', agent: 'Coolant adviser', move: 'approve', outcome: 'Active' },
];

const REMARK = 'Say what happens with a seam of two materials.';

describeInBrowser('a publisher takes an agent from a draft to its outcome, and reads earnings', (browser) => {
  let stage: JourneyStage;
  let decide: Awaited<ReturnType<JourneyStage['as']>>;
  beforeAll(async () => {
    stage = await setJourneyStage({ at: AT, calls: 1_000, days: 40 });
    decide = await stage.as('operator');
  }, 600_000);
  afterAll(() => stage?.close());

  describe.each(PUBLISHERS)('$zone, $device', ({ zone, device, agent, move, outcome }) => {
    let page: Page;
    beforeAll(async () => {
      page = await stage.visit(browser, { role: 'publisher', zone, device });
    });
    afterAll(() => page?.context().close());

    const field = (label: string) => page.getByRole('textbox', { name: new RegExp(String.raw`^${label}( \*)?$`) });

    test('a draft is made in four steps and submitted', async () => {
      await follow(page, 'Publish');
      await checkStation(page);
      await press(page.getByRole('button', { name: 'New agent' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(agent);
      expect(await dialog.getByLabel('Namespace').inputValue()).toBe('northwind');
      await checkStation(page);
      await press(dialog.getByRole('button', { name: 'Create draft' }));
      await page.getByRole('heading', { name: agent, level: 1 }).waitFor();

      await field('Description').fill('Reads pictures of seams and names those to be welded again.');
      await field('Instructions').fill('You read seams. Name the seam, its fault and its place.');
      await field('Example prompts').fill('Which seams of frame 12 have pores?');
      await page.getByRole('combobox', { name: 'Categories' }).fill('manufacturing');
      await page.keyboard.press('Enter');
      await checkStation(page);
      await press(page.getByRole('button', { name: 'Next: Tools' }));
      await checkStation(page);
      await press(page.getByRole('button', { name: 'Next: Price' }));
      await field('Max cost of a run').fill('0.5');
      await field('Output tokens, per 1M tokens').fill('40');
      await checkStation(page);
      await press(page.getByRole('button', { name: 'Next: Try' }));
      await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
      await checkStation(page);
      await press(page.getByRole('button', { name: 'Submit for review' }));
      await page.getByRole('button', { name: 'In review' }).waitFor();
    });

    test('the outcome of the review is seen in the list, and with the reason on the page of the agent', async () => {
      const { data } = await decide<{ data: { id: string; name: string }[] }>('GET', 'reviews?status=in_review');
      const { id } = data.find(({ name }) => name === agent)!;
      const feedback = move === 'approve' ? [] : [{ severity: 'blocking', path: '/instructions', message: REMARK }];
      await decide('POST', `deployments/${id}/${move}`, { feedback });

      await follow(page, 'Publish');
      const row = page.getByRole('row', { name: new RegExp(agent) });
      await row.getByText(outcome, { exact: true }).waitFor();
      await press(row.getByRole('link').first());
      await press(page.getByRole('tab', { name: 'Review' }));
      await page.getByText(outcome, { exact: true }).first().waitFor();
      if (move !== 'approve') await page.getByText(REMARK).waitFor();
      await checkStation(page);
    });

    test('the earnings of last month are those of the statement and of its file, by day of UTC', async () => {
      await follow(page, 'Publish');
      await settle(page);
      await chooseMonth(page, 'October 2026');
      const statement = await stage.read<Statement>('/v1/publisher/statement', { month: '2026-10' });
      expect(statement.data.length).toBeGreaterThan(1);
      expect(statement.data.every(({ date }) => date.startsWith('2026-10-'))).toBe(true);
      const region = page.getByRole('group', { name: 'Earnings by day', exact: true });
      const seen = async () => {
        const { rows, foot } = await tableOf(region);
        const lines = rows.map(({ 'Day (UTC)': day, Agent, Runs, Earned }) =>
          [dayIn(day!.text), Agent!.text.replace('\n', ''), Runs!.text, nanosIn(Earned!.exact)].join(' '),
        );
        return [...lines.toSorted(), nanosIn(foot.Earned!.exact)];
      };
      const lines = statement.data.map(({ date, agent: id, is_own: isOwn, runs, earned_usd: usd }) =>
        [dayIn(date), `${id.split('/')[1]}${isOwn ? 'Own runs' : ''}`, runs, nanosOf(usd)].join(' '),
      );
      await expectSeen(seen, [...lines.toSorted(), nanosOf(statement.totals.earned_usd)]);
      await checkStation(page);

      const file = await downloadOf(page.getByRole('link', { name: 'CSV' }));
      const inFile = csvRowsOf(file.bytes.toString());
      expect(sumOf(inFile.map((line) => nanosOf(line.earned_usd!)))).toBe(nanosOf(statement.totals.earned_usd));
    });
  });

  test('leaves no error in the browsers', () => expect(browser.complaints).toEqual([]));
});

async function chooseMonth(page: Page, name: string): Promise<void> {
  await press(page.getByRole('combobox', { name: 'Month' }));
  await press(page.getByRole('option', { name }));
  await settle(page);
}

/** A day of October by its number: `2026-10-05` or `Mon 5 Oct`. */
const dayIn = (text: string): number => Number(/-(\d+)$|(\d+) Oct/.exec(text)!.slice(1).find(Boolean));
