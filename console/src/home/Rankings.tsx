import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UsageReport } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { countText } from '../parts/figures.tsx';
import { columnText } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import type { Range } from '../usage/range.ts';
import { nameOf, valueOf } from '../usage/usageRows.ts';
import { useUsage } from '../usage/useReports.ts';

const ROWS = 5;
const ALL = {};
const EVERY_MS = 10_000;

/** What costs most in the last 30 days, and what goes wrong: each line leads to its requests. */
export function Rankings({ range }: { range: Range | undefined }) {
  const options = { enabled: range !== undefined, refetchInterval: EVERY_MS };
  const byModel = useUsage('model', range ?? NO_SPAN, ALL, options);
  const byKey = useUsage('key', range ?? NO_SPAN, ALL, options);
  const [models, keys] = [byModel.data, byKey.data];
  const failed = [byModel, byKey].filter(({ data, error }) => error && !data);
  if (failed[0]?.error)
    return <TableFailure error={failed[0].error} retry={() => failed.forEach((query) => void query.refetch())} />;
  return (
    <section className="panel ranks" aria-label="What costs most, and what goes wrong">
      <Ranking
        title="Top models"
        to={pageAt('/usage')}
        lines={models && costLines(models, 'model', range!)}
        empty="No model was called in these 30 days."
      />
      <Ranking
        title="Top keys"
        to={pageAt('/usage', { by: 'key' })}
        lines={keys && costLines(keys, 'key', range!)}
        empty="No key was used in these 30 days."
      />
      <Ranking
        title="Errors, last 7 days"
        to={pageAt('/usage', { metric: 'errors', days: '7' })}
        lines={models && errorLines(models)}
        empty="No call was refused or failed."
        isBad
      />
    </section>
  );
}

const NO_SPAN = { from: '', to: '' };

interface RankedLine {
  id: string;
  name: ReactNode;
  to: ReturnType<typeof pageAt>;
  value: number;
  text: string;
}

/** A report by name alone has its most expensive rows first. */
function costLines({ data }: UsageReport, by: 'model' | 'key', { from, to }: Range): RankedLine[] {
  const rows = data.filter(({ cost_usd: usd }) => usd > 0).slice(0, ROWS);
  const text = columnText(rows.map(({ cost_usd: usd }) => usd));
  return rows.map((row) => {
    const id = valueOf(row, by);
    return {
      id: id ?? '',
      name: nameOf(row, by),
      to: id === null ? pageAt('/usage', { by: 'agent' }) : pageAt('/requests', { [by]: id, from, to, zone: 'utc' }),
      value: row.cost_usd,
      text: text(row.cost_usd),
    };
  });
}

const errorLines = ({ errors_by_code: codes }: UsageReport): RankedLine[] =>
  codes.slice(0, ROWS).map(({ status, code, calls, last_request_id: id }) => ({
    id: `${status} ${code}`,
    name: (
      <>
        <span className="number rank-status">{status}</span> {code}
      </>
    ),
    to: pageAt(`/requests/${id}`),
    value: calls,
    text: countText(calls),
  }));

function Ranking({
  title,
  to,
  lines,
  empty,
  isBad = false,
}: {
  title: string;
  to: ReturnType<typeof pageAt>;
  /** Undefined while they load. */
  lines: RankedLine[] | undefined;
  empty: string;
  isBad?: boolean;
}) {
  const most = Math.max(...(lines ?? []).map(({ value }) => value));
  return (
    <div className="rank-part" role="group" aria-label={title}>
      <div className="rank-head">
        <h2>{title}</h2>
        <Link {...to}>
          All<span className="for-readers"> of {title.toLowerCase()}</span>
        </Link>
      </div>
      {lines?.length === 0 && <p className="rank-empty">{empty}</p>}
      <ol className="rank-lines">
        {lines
          ? lines.map((line) => (
              <li key={line.id}>
                <Link {...line.to} className="rank-line">
                  <span className="rank-name" title={typeof line.name === 'string' ? line.name : line.id}>
                    {line.name}
                  </span>
                  <span className="number">{line.text}</span>
                  <svg className="rank-bar" width="100%" height={4} data-bad={isBad || undefined} aria-hidden>
                    <rect className="rank-track" width="100%" height={4} rx={2} />
                    <rect width={`${Math.max(1, (line.value / most) * 100)}%`} height={4} rx={2} />
                  </svg>
                </Link>
              </li>
            ))
          : Array.from({ length: ROWS }, (_, at) => (
              <li key={at} className="rank-line">
                <Skeleton height={12} width="60%" />
              </li>
            ))}
      </ol>
    </div>
  );
}
