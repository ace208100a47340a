import { Button, Group, SegmentedControl, Select, Stack, Switch, TextInput } from '@mantine/core';
import { memo, useDeferredValue, useMemo } from 'react';
import { api, consolePath } from '../api/client.ts';
import { useNowMs } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import type { UsageReport } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Refusals } from '../requests/Refusals.tsx';
import { Before } from './Before.tsx';
import { lastDays, priorOf, RANGES, type Range } from './range.ts';
import { UsagePicture } from './UsagePicture.tsx';
import { UsageTable } from './UsageTable.tsx';

const GROUPS = [
  { value: 'model', label: 'Model' },
  { value: 'product', label: 'Product' },
  { value: 'key', label: 'Key' },
  { value: 'agent', label: 'Agent' },
  { value: 'meter', label: 'Meter' },
  { value: 'member', label: 'Member' },
  { value: 'route', label: 'Route' },
];

const DAYS = '30';

// Typing in a filter draws none of them again.
const Picture = memo(UsagePicture);
const Rows = memo(UsageTable);

export default function UsagePage() {
  const [search] = useSearchState();
  // The filters respond at once, the picture and the table a moment later.
  const { by = 'model', days = DAYS, from, to, key, compare } = useDeferredValue(search);
  const today = useToday();
  const range = useMemo(() => rangeOf({ days, from, to }, today), [days, from, to, today]);
  const isKnown = today !== undefined;
  const report = useUsage(`day,${by}`, range, key, isKnown);
  const prior = useUsage(by, priorOf(range), key, isKnown && compare === '1');
  // While another grouping loads, the previous one stays.
  const shownBy = report.data?.group_by[1] ?? by;
  const query = new URLSearchParams({ group_by: `day,${by}`, ...range, format: 'csv', ...(key && { key }) });
  const csv = `${consolePath('/platform/v1/usage')}?${query}`;
  return (
    <>
      <PageHeader
        title="Usage"
        description="What was used and what it cost. Days are UTC, and the sums are those of the ledger."
        actions={
          <Button component="a" href={csv} download variant="default">
            Export CSV
          </Button>
        }
      />
      <Stack gap="lg">
        <UsageFilters />
        {report.error && !report.data ? (
          <TableFailure error={report.error} retry={() => void report.refetch()} />
        ) : (
          <>
            <Totals report={report.data} prior={compare === '1' ? prior.data : undefined} />
            <Panel title="Cost by day" description="Choose a bar to see the requests behind it.">
              <Picture report={report.data} by={shownBy} range={range} />
            </Panel>
            <Rows
              report={report.data}
              prior={compare === '1' ? prior.data : undefined}
              by={shownBy}
              range={range}
              isLoading={report.isLoading}
            />
            <Panel
              title="Errors by code"
              description="Calls that were refused or failed. They are kept for seven days."
            >
              <Refusals of={report.data?.errors_by_code} />
            </Panel>
          </>
        )}
      </Stack>
    </>
  );
}

/** The workspace's current day in UTC; undefined until its clock is known. */
function useToday(): string | undefined {
  const nowMs = useNowMs();
  return nowMs === undefined ? undefined : lastDays(1, nowMs).to;
}

const rangeOf = ({ days, from, to }: { days: string; from?: string; to?: string }, today = ''): Range =>
  from && to ? { from, to } : lastDays(Number(days), Date.parse(today) || 0);

/** The days and the grouping, kept in the address. */
function UsageFilters() {
  const [{ by = 'model', days = DAYS, from, to, key, compare }, set] = useSearchState();
  const range = rangeOf({ days, from, to }, useToday());
  return (
    <Group align="flex-end" gap="sm">
      <SegmentedControl
        data={RANGES}
        value={from ? '' : days}
        onChange={(value) => set({ days: value, from: undefined, to: undefined })}
        aria-label="Range"
      />
      <TextInput
        type="date"
        label="From"
        value={range.from}
        max={range.to}
        onChange={(event) => event.currentTarget.value && set({ from: event.currentTarget.value, to: range.to })}
      />
      <TextInput
        type="date"
        label="To"
        value={range.to}
        min={range.from}
        onChange={(event) => event.currentTarget.value && set({ from: range.from, to: event.currentTarget.value })}
      />
      <Select
        label="By"
        data={GROUPS}
        value={by}
        onChange={(value) => set({ by: value ?? undefined })}
        allowDeselect={false}
        w={140}
      />
      <Switch
        label="Compare with the days before"
        checked={compare === '1'}
        onChange={(event) => set({ compare: event.currentTarget.checked ? '1' : undefined })}
        mb={8}
      />
      {key && (
        <Button variant="subtle" onClick={() => set({ key: undefined })}>
          One key only: show all
        </Button>
      )}
    </Group>
  );
}

function useUsage(groupBy: string, { from, to }: Range, key: string | undefined, enabled = true) {
  return useAnswer(
    ['usage', groupBy, from, to, key],
    (signal) =>
      api.GET('/platform/v1/usage', {
        params: { query: { group_by: groupBy, from, to, ...(key && { key }) } },
        signal,
      }),
    { enabled, placeholderData: (before) => before },
  );
}

function Totals({ report, prior }: { report: UsageReport | undefined; prior: UsageReport | undefined }) {
  const total = report?.total;
  const isLoading = !total;
  return (
    <Figures>
      <Figure label="Cost" isLoading={isLoading} value={<Money usd={total?.cost_usd} />}>
        <Before now={total?.cost_usd} before={prior?.total.cost_usd} />
      </Figure>
      <Figure label="Requests" isLoading={isLoading} value={countText(total?.requests ?? 0)}>
        <Before now={total?.requests} before={prior?.total.requests} />
      </Figure>
      <Figure label="Runs" isLoading={isLoading} value={countText(total?.runs ?? 0)}>
        <Before now={total?.runs} before={prior?.total.runs} />
      </Figure>
      <Figure label="Errors" isLoading={isLoading} value={countText(total?.errors ?? 0)}>
        <Before now={total?.errors} before={prior?.total.errors} />
      </Figure>
    </Figures>
  );
}
