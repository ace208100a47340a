import { Center, Skeleton, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { UsageReport } from '../api/shapes.ts';
import { Chart } from '../parts/charts.tsx';
import { shortDayText, shortUsdText } from '../parts/figures.tsx';
import { daysOf, oneDay, type Range } from './range.ts';
import { nameOf, summed, valueOf } from './usageRows.ts';

const SERIES_MAX = 8;
const OTHERS = 'Others';
const HEIGHT = 280;

/** A bar for each day, in colours by group. A bar links to its requests. */
export function UsagePicture({ report, by, range }: { report: UsageReport | undefined; by: string; range: Range }) {
  const navigate = useNavigate();
  if (!report) return <Skeleton height={HEIGHT} />;
  if (report.data.length === 0) {
    return (
      <Center h={HEIGHT}>
        <Text c="dimmed">Nothing was used in these days.</Text>
      </Center>
    );
  }
  const top = summed(report, by).slice(0, SERIES_MAX);
  const names = new Map(top.map((row) => [valueOf(row, by), nameOf(row, by)]));
  const rows = rowsOf(report, by, range, names);
  const hasOthers = rows.some((row) => OTHERS in row);
  const onBar = (row: Record<string, string | number>, series: string) => {
    const value = [...names].find(([, name]) => name === series)?.[0];
    const filter = (by === 'model' || by === 'key' || by === 'route') && value ? { [by]: value } : {};
    void navigate({ to: '/requests', search: () => ({ ...oneDay(String(row.day)), zone: 'utc', ...filter }) });
  };
  return (
    <Chart
      label="Cost by day. The table below has the numbers."
      rows={rows}
      nameKey="day"
      series={[...names.values(), ...(hasOthers ? [OTHERS] : [])].map((name) => ({ name }))}
      nameText={shortDayText}
      valueText={shortUsdText}
      onBar={onBar}
      height={HEIGHT}
    />
  );
}

function rowsOf({ data }: UsageReport, by: string, range: Range, names: Map<string | null, string>) {
  const rows = new Map<string, Record<string, string | number>>(daysOf(range).map((day) => [day, { day }]));
  for (const row of data) {
    const bar = rows.get(String(row.day).slice(0, 10));
    const name = names.get(valueOf(row, by)) ?? OTHERS;
    if (bar) bar[name] = Number(bar[name] ?? 0) + row.cost_usd;
  }
  return [...rows.values()];
}
