import type { z } from 'zod';
import type { RefusalCount } from '../../db/accounting/requests.ts';
import { isTime } from '../../db/accounting/callGroups.ts';
import { sumHours } from '../../db/accounting/usageCells.ts';
import {
  GROUPS_MAX,
  readUsageReport,
  type UsageGroup,
  type UsageReport,
  type UsageRow,
} from '../../db/accounting/usageReport.ts';
import { usdOf } from '../../db/money.ts';
import type { Context, Handler } from '../context.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { nowMsOf } from '../../calls/caller.ts';
import { csvTextOf } from '../http/csvList.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { rangeOf } from './usageRange.ts';
import type { UsageReportQuery } from './usageSchema.ts';

// Time budget of a report for summing hours; it reads the calls of the remaining hours.
const SUM_BUDGET_MS = 2_000;

/** `GET /platform/v1/usage`: the cost of calls and runs, by up to two groups; as JSON or CSV. */
export function retrieveUsageReport(services: Services): Handler<z.output<typeof UsageReportQuery>> {
  const { db } = services;
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { group_by: groupBy, format, ...given } = ctx.state.input;
    const query = { ...given, ...rangeOf(given, groupBy, nowMsOf(ctx.state)), groupBy };
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    await trySumHours(services, workspaceId, SUM_BUDGET_MS);
    const report = await readUsageReport(seenBy(db, ctx.state.key), query);
    if (!report) throw tooManyGroups();
    const rows = inOrder(report.rows, groupBy);
    if (format === 'csv') return answerCsv(ctx, { ...report, rows }, query);
    ctx.body = {
      object: 'usage',
      from: query.from.toISOString(),
      to: query.to.toISOString(),
      group_by: groupBy,
      data: rows.map((row) => presentRow(row, groupBy, report)),
      total: presentSums(report.total),
      errors_by_code: report.refusals.map(presentRefusal),
    };
  };
}

/** Sums completed hours for a report that reads them next. If an hour cannot be summed, the report reads its calls. */
export async function trySumHours({ db, log }: Services, workspaceId: string, budgetMs: number): Promise<void> {
  await sumHours(db.write(workspaceId), { budgetMs }).catch((err: unknown) =>
    log.warn({ err }, 'hours of usage are not summed'),
  );
}

export const tooManyGroups = () =>
  validationErrorAt(
    ['query', 'group_by'],
    `There are more than ${GROUPS_MAX} groups. Choose a shorter range, or fewer groups.`,
  );

// By time if a group is a time, otherwise by cost, highest first.
function inOrder(rows: UsageRow[], groupBy: UsageGroup[]): UsageRow[] {
  if (groupBy.some(isTime)) return rows;
  return rows.toSorted((one, other) => (BigInt(one.costNanos) < BigInt(other.costNanos) ? 1 : -1));
}

const presentRow = (row: UsageRow, groupBy: UsageGroup[], { labels }: UsageReport) => ({
  ...presentNames(row.names, groupBy, labels),
  ...presentSums(row),
  units: row.units,
});

/** An entry's member for each group, and the name of its key, agent, member or project. */
export function presentNames(
  names: (string | null)[],
  groupBy: string[],
  labels: Record<string, string>,
): Record<string, string | null> & { label?: string } {
  const label = labelOf(names, groupBy, labels);
  return {
    ...Object.fromEntries(groupBy.map((group, at) => [group, names[at] ?? null])),
    ...(label !== undefined && { label }),
  };
}

function labelOf(names: (string | null)[], groupBy: string[], labels: Record<string, string>): string | undefined {
  const at = groupBy.findIndex((group) => ['key', 'agent', 'member', 'project'].includes(group));
  return labels[names[at] ?? ''];
}

const presentSums = ({ requests, runs, errors, costNanos }: UsageReport['total']) => ({
  requests,
  runs,
  errors,
  cost_usd: usdOf(BigInt(costNanos)),
});

/** The number of answers with a code, with the last call. */
export const presentRefusal = ({ status, code, calls, lastId, message }: RefusalCount) => ({
  status,
  code,
  calls,
  message,
  last_request_id: lastId,
});

/** The same rows as CSV, with a column for each unit. */
async function answerCsv(
  ctx: Context,
  { rows, labels }: UsageReport,
  { groupBy, from, to }: { groupBy: UsageGroup[]; from: Date; to: Date },
): Promise<void> {
  const units = [...new Set(rows.flatMap((row) => row.units.map(({ unit }) => unit)))].toSorted();
  const columns = [
    ...groupBy,
    'label',
    'requests',
    'runs',
    'errors',
    'cost_usd',
    ...units.map((unit) => `units.${unit}`),
  ];
  const records = rows.map((row) => [
    ...row.names,
    labelOf(row.names, groupBy, labels) ?? '',
    row.requests,
    row.runs,
    row.errors,
    BigInt(row.costNanos),
    ...units.map((unit) => row.units.find((one) => one.unit === unit)?.quantity ?? ''),
  ]);
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set(
    'content-disposition',
    `attachment; filename="usage-${dayOf(from)}-${dayOf(new Date(to.getTime() - 1))}.csv"`,
  );
  ctx.body = await csvTextOf([columns, ...records]);
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
