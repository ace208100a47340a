import { Anchor, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { api, linkPath } from '../api/client.ts';
import { useNowMs } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { DEFAULT_PROJECT } from '../api/projects.ts';
import type { Statement as Month } from '../api/shapes.ts';
import { Code } from '../parts/CodeSnippets.tsx';
import { DataTable, TableFailure, type Column } from '../parts/DataTable.tsx';
import { Count } from '../parts/figures.tsx';
import { exactDigitsOf, Money } from '../parts/Money.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { LIVE_MS } from './useCommonTime.ts';
import { isMonth, lastMonths, monthText } from '../usage/period.ts';

const MONTHS_BACK = 24;

/** The changes of the balance in one month, to read, to download and to verify. */
export function Statement() {
  const nowMs = useNowMs();
  const [{ month: chosen }, set] = useSearchState();
  const months = lastMonths(MONTHS_BACK, nowMs ?? 0);
  const month = isMonth(chosen) ? chosen : months[0]!;
  const statement = useAnswer(
    ['statement', month],
    (signal) => api.GET('/platform/v1/billing/statement', { params: { query: { month } }, signal }),
    { enabled: nowMs !== undefined, refetchInterval: LIVE_MS },
  );
  const file = (format: 'csv' | 'pdf' | 'jsonl') =>
    linkPath(`/platform/v1/billing/statement?${new URLSearchParams({ month, format })}`);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Select
          aria-label="Month"
          data={months.map((value) => ({ value, label: monthText(value) }))}
          value={month}
          onChange={(value) => value && set({ month: value })}
          allowDeselect={false}
          w={{ base: '100%', xs: 190 }}
        />
        <Text size="xs" c="dimmed" mr="auto">
          Months are UTC.
        </Text>
        {(['pdf', 'csv'] as const).map((format) => (
          <Button
            key={format}
            component="a"
            href={file(format)}
            download
            variant="default"
            leftSection={<DownloadIcon />}
          >
            {format.toUpperCase()}
          </Button>
        ))}
        <Button component="a" href={file('jsonl')} download variant="default">
          Signed JSONL
        </Button>
      </Group>
      {statement.error && <TableFailure error={statement.error} retry={() => void statement.refetch()} />}
      {statement.isLoading && <Skeleton height={280} radius="lg" />}
      {statement.data && <Sums of={statement.data} />}
      {statement.data && <ByProject of={statement.data} />}
      <Verify month={month} />
    </Stack>
  );
}

type Line = Month['rows'][number];

/** The rows of the CSV and the PDF: all before the last one sum up to it. */
function Sums({ of: { rows, closing_balance_usd: closing, earnings_usd: earned } }: { of: Month }) {
  const digits = exactDigitsOf(rows.map(({ amount_usd: usd }) => usd));
  const columns: Column<Line>[] = [
    {
      title: 'Line',
      cell: ({ label, name }) => (name ? `${label}: ${name}` : label),
      foot: <strong>Closing balance</strong>,
    },
    {
      title: 'Requests',
      isNumber: true,
      visibleFrom: 'sm',
      cell: ({ requests }) => (requests === null ? '' : <Count value={requests} />),
    },
    {
      title: 'Amount',
      isNumber: true,
      cell: ({ line, amount_usd: usd }) => <Money usd={usd} digits={digits} hasSign={!line.endsWith('_balance')} />,
      foot: <Money usd={closing} digits={digits} />,
    },
  ];
  return (
    <>
      <DataTable
        label="Statement of the month"
        columns={columns}
        from={{ rows: rows.slice(0, -1), error: null, isLoading: false }}
        rowKey={({ line, label, name }) => `${line} ${label} ${name}`}
        empty="Nothing changed the balance in this month."
      />
      {earned !== 0 && (
        <Text size="sm" c="dimmed">
          Published agents earned <Money usd={earned} />. This becomes part of the balance when it is paid out to it.
        </Text>
      )}
    </>
  );
}

type Part = Month['spend_by_project'][number];

/** The same spending by project, where there are several. */
function ByProject({ of: { spend_by_project: parts, spend_usd: spent } }: { of: Month }) {
  if (parts.every(({ project_id: id }) => id === DEFAULT_PROJECT)) return null;
  const digits = exactDigitsOf(parts.map(({ cost_usd: usd }) => usd));
  const columns: Column<Part>[] = [
    {
      title: 'Project',
      cell: ({ name }) => <span className="cell-short">{name}</span>,
      foot: <strong>Spend</strong>,
    },
    { title: 'Requests', isNumber: true, visibleFrom: 'sm', cell: ({ requests }) => <Count value={requests} /> },
    {
      title: 'Amount',
      isNumber: true,
      cell: ({ cost_usd: usd }) => <Money usd={usd} digits={digits} />,
      foot: <Money usd={spent} digits={digits} />,
    },
  ];
  return (
    <DataTable
      label="Spend by project"
      columns={columns}
      from={{ rows: parts, error: null, isLoading: false }}
      rowKey={({ project_id: id }) => id}
      rowTo={({ project_id: id }) => `/projects/${id}`}
      empty=""
    />
  );
}

/** How anybody checks the month without trusting this service. */
function Verify({ month }: { month: string }) {
  const { api_url: url } = useMe().features;
  const code = `curl -sS ${url}/.well-known/ledgerline-bill-keys.json -o bill-keys.json
curl -sS "${url}/platform/v1/billing/statement?month=${month}&format=jsonl" \\
  -H "Authorization: Bearer $API_KEY" -o statement.jsonl
python3 statement.py`;
  return (
    <details className="verify">
      <summary>Verify this statement yourself</summary>
      <Stack gap="xs" mt="xs">
        <Text size="sm" c="dimmed">
          Every entry is hashed with the one before it, and each day is signed. The client adds everything up again and
          names the first line that was changed. <Anchor href="/docs/guides/bill-check">Get the program</Anchor>
        </Text>
        <Code code={code} label="Commands that verify the statement" />
      </Stack>
    </details>
  );
}
