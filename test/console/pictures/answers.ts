import type { Page } from 'playwright-core';

/** Answers that a demonstration does not give by itself. */

/** Answers of the API fail, so that the page shows an error. */
export const failRequests = (page: Page) =>
  page.route('**/console/v1/requests*', (route) =>
    route.fulfill({
      status: 500,
      json: { error: { message: 'Internal error.', type: 'api_error', code: 'internal_error' } },
    }),
  );

const AGENTS = ['northwind/quality-inspector', 'northwind/shift-handover', 'northwind/torque-report'];

/** Three agents earned in every month, and more with each one. */
export const earnByMonth = (page: Page) =>
  page.route('**/console/v1/publisher/statement*', (route) => {
    const month = new URL(route.request().url()).searchParams.get('month')!;
    const today = new Date().toISOString().slice(0, 10);
    const data = Array.from({ length: 28 }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)
      .filter((date) => date <= today)
      .flatMap((date, at) => AGENTS.map((agent, of) => earned({ date, agent, at, of, month: Number(month.slice(5)) })));
    const sum = (name: keyof Line) => data.reduce((total, line) => total + Number(line[name]), 0);
    const totals = Object.fromEntries(AMOUNTS.map((name) => [name, sum(name)]));
    return route.fulfill({
      json: {
        object: 'publisher.statement',
        month,
        currency: 'USD',
        totals,
        opening_usd: 0,
        paid_out_usd: 0,
        closing_usd: totals.earned_usd,
        balance_usd: 412.337_206_1,
        available_usd: 96.5,
        transferable_usd: 90.25,
        maturing_usd: 48.125,
        maturing_on: [
          { date: '2026-12-01', amount_usd: 20.5 },
          { date: '2026-12-02', amount_usd: 27.625 },
        ],
        requested_usd: 25,
        mature_days: 7,
        paid_out: [],
        payouts: [],
        data,
      },
    });
  });

const AMOUNTS = ['runs', 'gross_usd', 'subsidy_usd', 'platform_cost_usd', 'network_fee_usd', 'earned_usd'] as const;
type Line = ReturnType<typeof earned>;

function earned({
  date,
  agent,
  at,
  of,
  month,
}: {
  date: string;
  agent: string;
  at: number;
  of: number;
  month: number;
}) {
  const runs = Math.max(0, Math.round((8 - of * 2) * (0.6 + 0.05 * month) + 4 * Math.sin(at * 1.3 + of + month)));
  const [gross, fee] = [runs * 0.42, runs * 0.42 * 0.1];
  const cost = runs * 0.061_25;
  return {
    date,
    agent,
    version: '2026-11-26.2',
    callers: Math.ceil(runs / 3),
    runs,
    gross_usd: gross,
    subsidy_usd: 0,
    platform_cost_usd: cost,
    network_fee_usd: fee,
    earned_usd: gross - cost - fee,
  };
}
