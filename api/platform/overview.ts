import { z } from 'zod';
import { readOverview, SPEND_DAYS, type DaySpend } from '../../db/accounting/overview.ts';
import { createSpendDays } from '../../db/accounting/spendDays.ts';
import { usdOf } from '../../db/money.ts';
import type { Context, Handler } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { refuseUnfunded } from '../../calls/funds.ts';
import { nowMsOf } from '../../calls/caller.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { presentBalance } from '../billing/billing.ts';
import { Balance } from '../billing/billingAnswers.ts';
import { presentRefusal, trySumHours } from '../usage/usage.ts';
import { RefusalCount } from '../usage/usageAnswers.ts';
import { noticeText, noticeTypes } from './notices.ts';

const SUM_BUDGET_MS = 1_000;

const usd = z.number();

const days = z.array(z.object({ day: z.iso.date(), cost_usd: usd }));

const Overview = Balance.extend({
  runway_days: z
    .number()
    .nullable()
    .describe(
      'How many days the available balance lasts at the mean of the last seven whole days and today; null when nothing was spent.',
    ),
  spend_today_usd: usd.describe('Days and months are UTC.'),
  spend_yesterday_usd: usd,
  spend_month_usd: usd,
  spend_last_month_usd: usd.describe('The whole month.'),
  spend_days: days.describe(`${SPEND_DAYS} days, the oldest first; the last one is today.`),
  spend_days_before: days.describe(`The ${SPEND_DAYS} days before.`),
  requests_last_hour: z.int(),
  errors_last_hour: z.int(),
  refused_last_hour: z
    .array(RefusalCount)
    .describe('Calls that were refused or failed, by code, the five most frequent first.'),
  runs_last_hour: z.int().describe('Runs that have ended.'),
  runs_failed_last_hour: z.int(),
  runs_open: z.int(),
  blocked: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why a paid call of this key would be refused now; null when it would not be.'),
  notices: z.array(z.object({ type: z.string(), message: z.string(), created_at: z.iso.datetime() })),
});

export const overviewDoc = {
  tag: 'Billing',
  summary: 'Read what the workspace has, spends and does',
  description:
    'Balance and how long it lasts, spending by day and of this month beside the last, the last hour, and what needs attention.',
  answer: { id: 'Overview', schema: Overview },
} satisfies RouteDoc;

/** `GET /platform/v1/overview`: balance, spending, the last hour, and open problems. */
export function retrieveOverview(services: Services): Handler {
  const { db } = services;
  const spendDays = createSpendDays();
  return async (ctx) => {
    const { workspaceId, seesProjects } = ctx.state.key;
    const isLimited = seesProjects !== null;
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    await trySumHours(services, workspaceId, SUM_BUDGET_MS);
    const balance = presentBalance(await db.ledger.balanceOf(workspaceId));
    const { notices, refusals, ...seen } = await readOverview(seenBy(db, ctx.state.key), {
      now: new Date(nowMsOf(ctx.state)),
      // Who is limited to projects gets no notices of the workspace, and days of their own.
      noticeTypes: isLimited ? [] : noticeTypes(),
      spendDays: isLimited ? createSpendDays() : spendDays,
    });
    ctx.body = {
      ...balance,
      runway_days: runwayDaysOf(balance.available_usd, seen.spendPerDayNanos),
      spend_today_usd: usdOf(seen.spendTodayNanos),
      spend_yesterday_usd: usdOf(seen.spendYesterdayNanos),
      spend_month_usd: usdOf(seen.spendMonthNanos),
      spend_last_month_usd: usdOf(seen.spendLastMonthNanos),
      spend_days: seen.spendDays.map(presentDay),
      spend_days_before: seen.spendDaysBefore.map(presentDay),
      requests_last_hour: seen.requestsLastHour,
      errors_last_hour: seen.errorsLastHour,
      refused_last_hour: refusals.map(presentRefusal),
      runs_last_hour: seen.runsLastHour,
      runs_failed_last_hour: seen.runsFailedLastHour,
      runs_open: seen.runsOpen,
      blocked: await refusalNow(ctx, services),
      notices: notices.map(({ type, data, createdAt }) => ({
        type,
        message: noticeText({ type, data }),
        created_at: createdAt.toISOString(),
      })),
    } satisfies z.infer<typeof Overview>;
  };
}

const presentDay = ({ day, nanos }: DaySpend) => ({ day, cost_usd: usdOf(nanos) });

/** To one decimal, never more than there is. */
const runwayDaysOf = (availableUsd: number, spendPerDayNanos: number): number | null =>
  spendPerDayNanos > 0 ? Math.floor((Math.max(availableUsd, 0) * 1e10) / spendPerDayNanos) / 10 : null;

async function refusalNow(ctx: Context, services: Services): Promise<{ code: string; message: string } | null> {
  try {
    await refuseUnfunded(ctx.state, services);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: error.message };
  }
}
