import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { describeInBrowser } from '../../support/browser.ts';
import { csvRowsOf } from '../../support/csvRows.ts';
import {
  checkStation,
  chooseDays,
  fixTime,
  follow,
  press,
  setJourneyStage,
  settle,
  type Device,
  type JourneyStage,
} from './journeyStage.ts';
import { chartOf, downloadOf, expectSeen, nanosIn, nanosOf, sumOf, tableOf } from './seen.ts';

const AT = '2026-11-17T10:00:00Z';
const MONTH = '2026-09';
const SEPTEMBER = { from: '2026-09-01', to: '2026-09-30' };
const AUGUST = { from: '2026-08-01', to: '2026-08-31' };
interface UsageAnswer {
  total: { cost_usd: number; requests: number; runs: number };
  data: { day: string; model: string | null; cost_usd: number; requests: number; runs: number }[];
}

/** People whose days begin seven hours after those of UTC, five and a half before, and twelve or thirteen before. */
const VIEWERS: { zone: string; device: Device; lastDay: { from: string; to: string }; oddDay: OddDay }[] = [
  {
    zone: 'America/Los_Angeles',
    device: 'desktop',
    lastDay: { from: '2026-09-30T07:00:00Z', to: '2026-10-01T07:00:00Z' },
    // Clocks go back: 25 hours.
    oddDay: { day: '2026-11-01', from: '2026-11-01T07:00:00Z', to: '2026-11-02T08:00:00Z' },
  },
  {
    zone: 'Asia/Kolkata',
    device: 'phone',
    lastDay: { from: '2026-09-29T18:30:00Z', to: '2026-09-30T18:30:00Z' },
    oddDay: { day: '2026-11-01', from: '2026-10-31T18:30:00Z', to: '2026-11-01T18:30:00Z' },
  },
  {
    zone: 'Pacific/Auckland',
    device: 'phone',
    lastDay: { from: '2026-09-29T11:00:00Z', to: '2026-09-30T11:00:00Z' },
    // Clocks go forward: 23 hours.
    oddDay: { day: '2026-09-27', from: '2026-09-26T12:00:00Z', to: '2026-09-27T11:00:00Z' },
  },
];

/** A day of the reader's zone, and the moments that bound it. */
type OddDay = Record<'day' | 'from' | 'to', string>;

describeInBrowser('a finance person asks why the month before last cost more', (browser) => {
  let stage: JourneyStage;
  beforeAll(async () => {
    stage = await setJourneyStage({ at: AT, calls: 5_000, days: 110 });
  }, 600_000);
  afterAll(() => stage?.close());

  describe.each(VIEWERS)('$zone, $device', ({ zone, device, lastDay, oddDay }) => {
    let page: Page;
    beforeAll(async () => {
      page = await stage.visit(browser, { role: 'finance', zone, device });
    });
    afterAll(() => page?.context().close());

    test('Home says what was spent, and leads to the months', async () => {
      await checkStation(page);
      const overview = await stage.read<{ spend_days: { cost_usd: number }[] }>('/platform/v1/overview');
      const spent = sumOf(overview.spend_days.map(({ cost_usd: usd }) => nanosOf(usd)));
      const headline = page.locator('.cockpit-spend .panel-headline-value');
      expect(nanosIn(await headline.innerText())).toBe(spent);
      const days = await chartOf(page, /^Spend by day/);
      expect([days.length, days.at(-1)!.step.replace(',', '')]).toEqual([30, 'Tue 17 Nov UTC']);

      await press(page.getByRole('link', { name: 'Spend, last 30 days' }));
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
      await press(page.getByRole('group', { name: 'Period' }).getByRole('button', { name: /^Month/ }));
      await press(page.getByRole('menuitem', { name: 'September 2026' }));
      await page.getByText(/^September 2026: /).waitFor();
      await checkStation(page);
    });

    test('the month, what it cost more than the one before, and each model are those of the API', async () => {
      const [now, before] = await Promise.all(
        [SEPTEMBER, AUGUST].map((span) =>
          stage.read<UsageAnswer>('/platform/v1/usage', { group_by: 'model', ...span }),
        ),
      );
      const sentence = await page.locator('.why-sentence').innerText();
      const cents = (usd: number) => `$${usd.toFixed(2)}`;
      const change = now!.total.cost_usd - before!.total.cost_usd;
      expect(change).toBeGreaterThan(0);
      expect(sentence).toContain(
        `September 2026: ${cents(now!.total.cost_usd)}, ${cents(change)} more than August 2026`,
      );
      expect(sentence).toContain(`(${cents(before!.total.cost_usd)}, `);

      const { rows, foot } = await tableOf(page.getByRole('group', { name: 'Usage by name' }));
      const seen = rows.map((row) => [row.Model!.text, nanosIn(row.Cost!.exact), nanosIn(row.Previous!.exact)]);
      const was = new Map(before!.data.map((row) => [row.model, nanosOf(row.cost_usd)]));
      const expected = now!.data.map((row) => [row.model, nanosOf(row.cost_usd), was.get(row.model) ?? 0n]);
      expect(seen.toSorted(byName)).toEqual(
        expected.filter(([, ...sums]) => sums.some((sum) => sum !== 0n)).toSorted(byName),
      );
      expect(nanosIn(foot.Cost!.exact)).toBe(nanosOf(now!.total.cost_usd));
      expect(nanosIn(foot.Cost!.exact)).toBe(sumOf(rows.map((row) => nanosIn(row.Cost!.exact))));
    });

    test('the days of the picture and of the file are those of UTC, and the page says so', async () => {
      await page.getByText('Days are UTC').waitFor();
      const report = await stage.read<UsageAnswer>('/platform/v1/usage', { group_by: 'day', ...SEPTEMBER });
      const days = await chartOf(page, /^Cost, September 2026/);
      const byDay = new Map(report.data.map(({ day, cost_usd: usd }) => [day, usd]));
      expect(days.length).toBe(30);
      for (const [at, { step, total }] of days.entries()) {
        const usd = byDay.get(`${MONTH}-${String(at + 1).padStart(2, '0')}`) ?? 0;
        const digits = total.split('.')[1]!.length;
        expect([step.replace(/^\w+,? /, ''), total]).toEqual([`${at + 1} Sept UTC`, `$${usd.toFixed(digits)}`]);
      }
      const file = await downloadOf(page.getByRole('link', { name: 'Export CSV' }));
      const rows = csvRowsOf(file.bytes.toString());
      const inFile = (day: string) => sumOf(rows.filter((row) => row.day === day).map((row) => nanosOf(row.cost_usd!)));
      for (const [day, usd] of byDay) expect([day, inFile(day)]).toEqual([day, nanosOf(usd)]);
      expect(sumOf(rows.map((row) => nanosOf(row.cost_usd!)))).toBe(nanosOf(report.total.cost_usd));
    });

    test("a day's requests add up to its bar, and the reader's own day is another one", async () => {
      await chooseLastBar(page, device);
      await page.getByText('2026-09-30 UTC').first().waitFor();
      await checkStation(page);
      const ofUtc = await totalsOf({ from: '2026-09-30', to: '2026-09-30' });
      await expectSeen(() => footOf(page), ofUtc);
      const report = await stage.read<UsageAnswer>('/platform/v1/usage', {
        group_by: 'day',
        from: '2026-09-30',
        to: '2026-09-30',
      });
      expect(ofUtc.nanos).toBe(nanosOf(report.total.cost_usd));

      await chooseDays(page, { from: '2026-09-30', to: '2026-09-30', isUtc: false });
      const ofReader = await totalsOf(lastDay);
      await expectSeen(() => footOf(page), ofReader);
      expect(ofReader.nanos).not.toBe(ofUtc.nanos);
      // A day of 23 or 25 hours.
      await chooseDays(page, { from: oddDay.day, to: oddDay.day, isUtc: false });
      await expectSeen(() => footOf(page), await totalsOf(oddDay));
      await checkStation(page);
    });

    test('the statement on the page, as CSV and as PDF has the same sums as the report', async () => {
      await follow(page, 'Billing');
      await press(page.getByRole('combobox', { name: 'Month' }));
      await press(page.getByRole('option', { name: 'September 2026' }));
      await page.getByText('month=2026-09').first().waitFor({ state: 'attached' });
      await checkStation(page);
      await page.getByText('Months are UTC.').waitFor();
      const usage = await stage.read<UsageAnswer>('/platform/v1/usage', { group_by: 'model', ...SEPTEMBER });
      const { rows, foot } = await tableOf(page.getByRole('group', { name: 'Statement of the month' }));
      const amounts = rows.map((row) => nanosIn(row.Amount!.text));
      const closing = nanosIn(foot.Amount!.text);
      expect(sumOf(amounts)).toBe(closing);
      const calls = rows.filter((row) => row.Line!.text.includes(': '));
      expect(-sumOf(calls.map((row) => nanosIn(row.Amount!.text)))).toBe(nanosOf(usage.total.cost_usd));

      const csv = await downloadOf(page.getByRole('link', { name: 'CSV', exact: true }));
      expect(csv.name).toBe('statement-2026-09.csv');
      const lines = csvRowsOf(csv.bytes.toString());
      expect(lines.map((line) => nanosOf(line.amount_usd!))).toEqual([...amounts, closing]);
      const pdf = await downloadOf(page.getByRole('link', { name: 'PDF' }));
      expect(pdf.name).toBe('statement-2026-09.pdf');
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf.bytes)), { mergePages: true });
      expect(text).toContain('September 2026');
      for (const row of [...calls, foot])
        expect(text).toContain(row.Amount!.text.replace(/^[−+]?\$/, '').replace(/0+$/, ''));
    });

    test("the ledger's days can be those of UTC, so that a month adds up to the statement", async () => {
      await press(page.getByRole('tab', { name: 'Ledger' }));
      await settle(page);
      await chooseDays(page, { ...SEPTEMBER, isUtc: true });
      await page.getByText('2026-09-01 – 2026-09-30 UTC').first().waitFor();
      const answer = await stage.read<{ count: number; amount_usd: number }>(
        '/platform/v1/billing/ledger/totals',
        SEPTEMBER,
      );
      const region = page.getByRole('group', { name: 'Ledger' });
      const seen = async () => {
        const { foot } = await tableOf(region);
        return { entries: foot.Time!.text, nanos: nanosIn(foot.Amount!.text) };
      };
      await expectSeen(seen, {
        entries: `${answer.count.toLocaleString('en-US')} entries`,
        nanos: nanosOf(answer.amount_usd),
      });
      await checkStation(page);
    });
  });

  // The first of a month, the last minute of a year, the day after a short month, and a leap day: each with the day of UTC and of the reader.
  test.each([
    ['2026-12-01T00:00:30Z', 'America/Los_Angeles', '1 Dec', 'December 2026', 'November 2026', 30],
    ['2026-12-31T23:59:30Z', 'Pacific/Auckland', '31 Dec', 'December 2026', 'November 2026', 30],
    ['2027-03-31T12:00:00Z', 'Asia/Kolkata', '31 Mar', 'March 2027', 'February 2027', 28],
    ['2028-02-29T20:00:00Z', 'Asia/Kolkata', '29 Feb', 'February 2028', 'January 2028', 31],
  ] as const)('at %s in %s the periods are those of UTC', async (moment, zone, day, month, before, daysBefore) => {
    const page = await stage.visit(browser, { role: 'finance', zone, device: 'desktop' });
    await page.addInitScript(fixTime, Date.parse(moment));
    await page.goto('/usage');
    const steps = async (label: RegExp) => (await chartOf(page, label)).map(({ step }) => step.replace(/^\w+,? /, ''));
    const last30 = await steps(/^Cost, Last 30 days/);
    expect([last30.length, last30.at(-1)]).toEqual([30, `${day} UTC`]);
    const periods = page.getByRole('group', { name: 'Period' });
    await periods.getByRole('button', { name: 'Today' }).click();
    const hours = await chartOf(page, /^Cost, Today/);
    expect(hours.map(({ step }) => step)).toEqual(
      Array.from({ length: 24 }, (_, at) => `${day}, ${String(at).padStart(2, '0')}:00 UTC`),
    );
    await periods.getByRole('button', { name: /^Month/ }).click();
    await page.getByRole('menuitem').first().waitFor();
    const months = await page.getByRole('menuitem').allInnerTexts();
    expect([months.length, new Set(months).size, ...months.slice(0, 2)]).toEqual([12, 12, month, before]);
    await page.getByRole('menuitem', { name: before }).click();
    expect((await steps(new RegExp(`^Cost, ${before}`))).length).toBe(daysBefore);
    await page.goto('/billing');
    const chosen = page.getByRole('combobox', { name: 'Month' });
    await chosen.waitFor();
    expect(await chosen.inputValue()).toBe(month);
    await page.context().close();
  });

  test('leaves no error in the browsers', () => expect(browser.complaints).toEqual([]));

  /** Chooses the last day of the picture: by the keyboard, or by two taps. */
  async function chooseLastBar(page: Page, device: Device): Promise<void> {
    const chart = page.getByRole('group', { name: /^Cost, September 2026/ });
    if (device === 'desktop') {
      await chart.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
    } else {
      const picture = chart.locator('svg').first();
      const { width } = (await picture.boundingBox())!;
      // Above the parts of the bar, which lead to one model each.
      const position = { x: width - 6, y: 20 };
      await picture.tap({ position });
      await picture.tap({ position });
    }
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  }

  async function footOf(page: Page) {
    const { foot } = await tableOf(page.getByRole('group', { name: 'Requests', exact: true }));
    return { calls: foot.Ended!.text, nanos: nanosIn(foot.Cost!.exact) };
  }

  async function totalsOf({ from, to }: { from: string; to: string }) {
    const answer = await stage.read<{ calls: number; cost_usd: number }>('/platform/v1/requests/totals', { from, to });
    return { calls: `${answer.calls} requests`, nanos: nanosOf(answer.cost_usd) };
  }
});

const byName = ([one]: unknown[], [other]: unknown[]) => String(one).localeCompare(String(other));
