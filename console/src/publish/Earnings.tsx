import { Anchor, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, consolePath } from '../api/client.ts';
import { useNowMs } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { countText } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Payouts } from './Payouts.tsx';

type Line = components['schemas']['PublisherStatement']['data'][number];
type Totals = components['schemas']['PublisherStatement']['totals'];

/** The earnings of the workspace's agents in a month, by day, and as CSV. */
export function Earnings() {
  const nowMs = useNowMs();
  const [chosen, setMonth] = useState<string>();
  const month = chosen ?? (nowMs === undefined ? '' : new Date(nowMs).toISOString().slice(0, 7));
  const statement = useAnswer(
    ['publisher', 'statement', month],
    (signal) => api.GET('/v1/publisher/statement', { params: { query: { month } }, signal }),
    { enabled: /^\d{4}-\d{2}$/.test(month) },
  );
  const totals = statement.data?.totals;
  const { isLoading } = statement;
  return (
    <Panel
      title="Earnings"
      actions={
        <Group align="flex-end">
          <TextInput
            type="month"
            label="Month"
            value={month}
            onChange={(event) => setMonth(event.currentTarget.value)}
          />
          <Anchor href={`${consolePath('/v1/publisher/statement')}?month=${month}&format=csv`} mb={8}>
            Download CSV
          </Anchor>
        </Group>
      }
    >
      <Stack>
        <Figures>
          <Figure label="Earned this month" isLoading={isLoading} value={<HeadlineMoney usd={totals?.earned_usd} />}>
            {countText(totals?.runs ?? 0)} runs
          </Figure>
          <Figure label="Paid by callers" isLoading={isLoading} value={<HeadlineMoney usd={totals?.gross_usd} />} />
          <Figure
            label="Platform’s share"
            isLoading={isLoading}
            value={<HeadlineMoney usd={totals && totals.platform_cost_usd + totals.network_fee_usd} />}
          >
            model, sandbox, network fee
          </Figure>
          <Figure
            label="Earned so far"
            isLoading={isLoading}
            value={<HeadlineMoney usd={statement.data?.balance_usd} />}
          >
            <Money usd={statement.data?.available_usd} /> can be paid out, <Money usd={statement.data?.maturing_usd} />{' '}
            mature first
          </Figure>
        </Figures>
        <DataTable<Line>
          label="Earnings by day"
          columns={columnsOf(totals)}
          from={{ rows: statement.data?.data, error: statement.error, isLoading }}
          rowKey={({ date, agent, version }) => `${date} ${agent} ${version}`}
          empty="No runs in this month."
        />
        <Payouts
          availableUsd={statement.data?.available_usd ?? 0}
          transferableUsd={statement.data?.transferable_usd ?? 0}
          matureDays={statement.data?.mature_days}
        />
      </Stack>
    </Panel>
  );
}

const columnsOf = (totals: Totals | undefined): Column<Line>[] => [
  { title: 'Day', cell: ({ date }) => <span className="number">{date}</span>, foot: 'Month' },
  { title: 'Agent', cell: ({ agent }) => agent },
  { title: 'Version', visibleFrom: 'sm', cell: ({ version }) => version },
  { title: 'Runs', isNumber: true, cell: ({ runs }) => countText(runs), foot: totals && countText(totals.runs) },
  {
    title: 'Paid by callers',
    visibleFrom: 'sm',
    usd: ({ gross_usd: usd }) => usd,
    foot: <Money usd={totals?.gross_usd} />,
  },
  { title: 'Earned', usd: ({ earned_usd: usd }) => usd, foot: <Money usd={totals?.earned_usd} /> },
];
