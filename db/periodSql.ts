/** SQL for limits and budgets whose spending counts anew each day or month (UTC, by the workspace's clock). */

/** When the present period began, as a date; null for spending that never counts anew. `period` and `now` are SQL. */
export const begunSql = (period: string, now: string): string =>
  `case ${period} when 'daily' then ${now}::date when 'monthly' then date_trunc('month', ${now})::date end`;

/** The columns `start` and `until` of the period that began at `begun`, or of the one before it. */
export const boundsSql = (period: string, begun: string, { ofLast }: { ofLast: boolean }): string =>
  ofLast
    ? `(case ${period} when 'daily' then ${begun} - 1 else ${begun} - interval '1 month' end)::date as start, ${begun} as until`
    : `${begun} as start, 'infinity'::date as until`;

// A run takes at most a day.
const LATE_HOURS = 25;

/**
 * Whether spending of the period before may still be told, which comes late: from its last minute, or from a run that was ordered in it and
 * ended after it. `p` has its bounds and `c` the time. `since`: when what is watched was set. `told`: the period of the last event; after the
 * first of a period, the period before has none.
 */
export const isToldLateSql = ({ since, told }: { since: string; told: string }): string =>
  `c.now < p.until + interval '${LATE_HOURS} hours' and ${since} at time zone 'utc' < p.until and (${told} is null or ${told} <= p.start)`;
