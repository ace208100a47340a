import type { Rows } from '../postgres/rows.ts';
import { countRefusals, type RefusalCount } from './requests.ts';
import { readUsageReport } from './usageReport.ts';

/** A workspace's recent spending and activity. Amounts in nano-USD; days and months are UTC. */
export interface Overview {
  spendTodayNanos: bigint;
  spendYesterdayNanos: bigint;
  spendMonthNanos: bigint;
  spendLastMonthNanos: bigint;
  requestsLastHour: number;
  errorsLastHour: number;
  runsLastHour: number;
  runsFailedLastHour: number;
  runsOpen: number;
  /** Calls refused or failed in the last hour, by code, the most frequent first. */
  refusals: RefusalCount[];
  notices: { type: string; createdAt: Date }[];
}

const NOTICES = 10;
const CODES = 5;
const NOTICE_DAYS = 30;
const HOUR_MS = 3_600_000;

/** The overview at the moment `now`. Events of `noticeTypes` are notices. */
export async function readOverview(rows: Rows, now: Date, noticeTypes: string[]): Promise<Overview> {
  return rows.transaction(async (tx) => {
    const { client, workspaceId, em, PlatformEvent } = tx;
    const month = now.toISOString().slice(0, 7);
    const lastMonth = dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))).slice(0, 7);
    const report = await readUsageReport(tx, { groupBy: ['day'], from: new Date(`${lastMonth}-01`), to: soon(now) });
    const days = report!.rows.map(({ names, costNanos }) => ({ day: names[0]!, nanos: BigInt(costNanos) }));
    const spentIn = (prefix: string) =>
      days.filter(({ day }) => day.startsWith(prefix)).reduce((sum, { nanos }) => sum + nanos, 0n);
    const { rows: counted } = await client.query<Counts>(COUNTS, [workspaceId]);
    const since = new Date(now.getTime() - NOTICE_DAYS * 24 * HOUR_MS);
    const notices = await em.find(
      PlatformEvent,
      { type: { $in: noticeTypes }, createdAt: { $gt: since } },
      { orderBy: { createdAt: 'desc' }, limit: NOTICES },
    );
    return {
      spendTodayNanos: spentIn(dayOf(now)),
      spendYesterdayNanos: spentIn(dayOf(new Date(now.getTime() - 24 * HOUR_MS))),
      spendMonthNanos: spentIn(month),
      spendLastMonthNanos: spentIn(lastMonth),
      ...counted[0]!,
      refusals: await countRefusals(tx, {
        since: new Date(now.getTime() - HOUR_MS),
        until: soon(now),
        codesMax: CODES,
      }),
      notices: notices.map(({ type, createdAt }) => ({ type, createdAt })),
    };
  });
}

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
