import type { Rows, Transaction } from '../postgres/rows.ts';
import { countRefusals, type RefusalCount } from './requests.ts';
import type { SpendDays } from './spendDays.ts';

/** A workspace's recent spending and activity. Amounts in nano-USD; days and months are UTC. */
export interface Overview {
  spendTodayNanos: bigint;
  spendYesterdayNanos: bigint;
  spendMonthNanos: bigint;
  spendLastMonthNanos: bigint;
  /** The days of a month, the last of which is today, and the same number of days before. */
  spendDays: DaySpend[];
  spendDaysBefore: DaySpend[];
  /** The mean of a day, over the last seven whole days and what has passed of today. */
  spendPerDayNanos: number;
  requestsLastHour: number;
  errorsLastHour: number;
  runsLastHour: number;
  runsFailedLastHour: number;
  runsOpen: number;
  /** Calls refused or failed in the last hour, by code, the most frequent first. */
  refusals: RefusalCount[];
  notices: { type: string; data: object; createdAt: Date }[];
}

export interface DaySpend {
  /** `YYYY-MM-DD` */
  day: string;
  nanos: bigint;
}

/** How many days `spendDays` has. */
export const SPEND_DAYS = 30;
const MEAN_DAYS = 7;
const NOTICES = 10;
const CODES = 5;
const NOTICE_DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The overview at the moment `now`. Events of `noticeTypes` are notices. */
export async function readOverview(
  rows: Rows,
  { now, noticeTypes, spendDays }: { now: Date; noticeTypes: string[]; spendDays: SpendDays },
): Promise<Overview> {
  return rows.transaction(async (tx) => {
    const { client, workspaceId, em, PlatformEvent } = tx;
    const spend = await readSpend(tx, spendDays, now);
    const { rows: counted } = await client.query<Counts>(COUNTS, [workspaceId]);
    const since = new Date(now.getTime() - NOTICE_DAYS * DAY_MS);
    const notices = await em.find(
      PlatformEvent,
      { type: { $in: noticeTypes }, createdAt: { $gt: since } },
      { orderBy: { createdAt: 'desc' }, limit: NOTICES },
    );
    return {
      ...spend,
      ...counted[0]!,
      refusals: await countRefusals(tx, {
        since: new Date(now.getTime() - HOUR_MS),
        until: soon(now),
        codesMax: CODES,
      }),
      notices: notices.map(({ type, data, createdAt }) => ({ type, data, createdAt })),
    };
  });
}

async function readSpend(tx: Transaction, spendDays: SpendDays, now: Date) {
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const firstDay = Date.parse(dayOf(daysBefore(now, 2 * SPEND_DAYS - 1)));
  const days = await spendDays.read(tx, { from: new Date(Math.min(lastMonth.getTime(), firstDay)), now });
  const spentIn = (prefix: string) =>
    [...days].filter(([day]) => day.startsWith(prefix)).reduce((sum, [, nanos]) => sum + nanos, 0n);
  const lastDays = (count: number, skipped = 0): DaySpend[] =>
    Array.from({ length: count }, (_, at) => dayOf(daysBefore(now, skipped + count - 1 - at))).map((day) => ({
      day,
      nanos: days.get(day) ?? 0n,
    }));
  const lastWeekNanos = lastDays(MEAN_DAYS + 1).reduce((sum, { nanos }) => sum + nanos, 0n);
  return {
    spendTodayNanos: spentIn(dayOf(now)),
    spendYesterdayNanos: spentIn(dayOf(daysBefore(now, 1))),
    spendMonthNanos: spentIn(dayOf(now).slice(0, 7)),
    spendLastMonthNanos: spentIn(dayOf(lastMonth).slice(0, 7)),
    spendDays: lastDays(SPEND_DAYS),
    spendDaysBefore: lastDays(SPEND_DAYS, SPEND_DAYS),
    spendPerDayNanos: Number(lastWeekNanos) / (MEAN_DAYS + (now.getTime() % DAY_MS) / DAY_MS),
  };
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
// The clocks of the database and of this process may differ.
const soon = (now: Date) => new Date(now.getTime() + HOUR_MS);

type Counts = Pick<
  Overview,
  'requestsLastHour' | 'errorsLastHour' | 'runsLastHour' | 'runsFailedLastHour' | 'runsOpen'
>;

// Raw: five counts in one statement.
const COUNTS = `
select c.*, r.*, (select count(*)::int from runs o where o.workspace_id = $1 and o.settled_at is null) as "runsOpen"
from (select count(*)::int as "requestsLastHour", (count(*) filter (where q.status >= 400 and not q.cancelled))::int as "errorsLastHour"
    from requests q where q.workspace_id = $1 and q.settled_at > ledger_now($1) - interval '1 hour') c,
  (select count(*)::int as "runsLastHour", (count(*) filter (where s.status = 'failed'))::int as "runsFailedLastHour"
    from runs s where s.workspace_id = $1 and s.settled_at > ledger_now($1) - interval '1 hour') r`;
