import { Button, Group, Select, Skeleton, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { api, consolePath } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Statement as Month } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { countText, Money } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';

const MONTHS_BACK = 24;

/** The changes of the balance in one month, to read and to download. */
export function Statement() {
  const [month, setMonth] = useState(() => monthsBack()[0]!.value);
  const statement = useAnswer(['statement', month], (signal) =>
    api.GET('/platform/v1/billing/statement', { params: { query: { month } }, signal }),
  );
  const file = (format: 'csv' | 'pdf' | 'jsonl') =>
    `${consolePath('/platform/v1/billing/statement')}?${new URLSearchParams({ month, format })}`;
  return (
    <Panel
      title="Statement"
      description="Opening balance and all that changed it are the closing balance, to the nano."
    >
      <Stack>
        <Group align="flex-end">
          <Select
            label="Month"
            data={monthsBack()}
            value={month}
            onChange={(value) => value && setMonth(value)}
            allowDeselect={false}
            w={190}
          />
          <Button component="a" href={file('pdf')} download variant="default">
            PDF
          </Button>
          <Button component="a" href={file('csv')} download variant="default">
            CSV
          </Button>
          <Button component="a" href={file('jsonl')} download variant="default">
            Download statement (verifiable)
          </Button>
        </Group>
        {statement.error && <TableFailure error={statement.error} retry={() => void statement.refetch()} />}
        {statement.isLoading && <Skeleton height={280} />}
        {statement.data && <Sums of={statement.data} />}
      </Stack>
    </Panel>
  );
}

function monthsBack(now = new Date()): { value: string; label: string }[] {
  return Array.from({ length: MONTHS_BACK }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const label = first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return { value: first.toISOString().slice(0, 7), label };
  });
}

function Sums({ of: month }: { of: Month }) {
  const rows: [string, number][] = [
    ['Opening balance', month.opening_balance_usd],
    ['Payments', month.topups_usd],
    ['Refunds', month.refunds_usd],
    ['Adjustments', month.adjustments_usd],
    ['Earnings paid out', month.payouts_usd],
    ['Earnings', month.earnings_usd],
  ];
  return (
    <div className="table-region" role="group" aria-label="Statement of the month" tabIndex={0}>
      <Table>
        <Table.Tbody>
          {rows.map(([name, usd], at) => (
            <Sum key={name} name={name} usd={usd} hasSign={at > 0} />
          ))}
          {month.spend.map(({ product, model, agent, requests, cost_usd: usd }) => (
            <Sum
              key={`${product} ${model ?? agent}`}
              name={`${product}${(model ?? agent) ? `: ${model ?? agent}` : ''} (${countText(requests)})`}
              usd={-usd}
              hasSign
            />
          ))}
          <Sum name="Closing balance" usd={month.closing_balance_usd} isTotal />
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Sum({ name, usd, hasSign, isTotal }: { name: string; usd: number; hasSign?: boolean; isTotal?: boolean }) {
  return (
    <Table.Tr className={isTotal ? 'row-total' : undefined}>
      <Table.Td>{name}</Table.Td>
      <Table.Td className="is-end">
        <Money usd={usd} hasSign={hasSign} />
      </Table.Td>
    </Table.Tr>
  );
}
