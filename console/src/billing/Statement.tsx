import { Button, Group, Select, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { api, consolePath } from '../api/client.ts';
import { useNowMs } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Statement as Month } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';

const MONTHS_BACK = 24;

/** The changes of the balance in one month, to read and to download. */
export function Statement() {
  const nowMs = useNowMs();
  const months = monthsBack(new Date(nowMs ?? 0));
  const [chosen, setMonth] = useState<string>();
  const month = chosen ?? months[0]!.value;
  const statement = useAnswer(
    ['statement', month],
    (signal) => api.GET('/platform/v1/billing/statement', { params: { query: { month } }, signal }),
    { enabled: nowMs !== undefined },
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
            data={months}
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

function monthsBack(now: Date): { value: string; label: string }[] {
  return Array.from({ length: MONTHS_BACK }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const label = first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return { value: first.toISOString().slice(0, 7), label };
  });
}

/** The rows of the CSV and the PDF: all before the last one sum up to it. */
function Sums({ of: { rows, earnings_usd: earned } }: { of: Month }) {
  return (
    <>
      <div className="table-region" role="group" aria-label="Statement of the month" tabIndex={0}>
        <Table>
          <Table.Tbody>
            {rows.map(({ line, label, name, requests, amount_usd: usd }) => (
              <Table.Tr
                key={`${line} ${label} ${name}`}
                className={line === 'closing_balance' ? 'row-total' : undefined}
              >
                <Table.Td>
                  {label}
                  {name && `: ${name}`}
                  {requests !== null && ` (${countText(requests)})`}
                </Table.Td>
                <Table.Td className="is-end">
                  <Money usd={usd} hasSign={!line.endsWith('_balance')} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {earned !== 0 && (
        <Text size="sm" c="dimmed">
          Published agents earned <Money usd={earned} />. That is not part of the balance until it is paid out to it.
        </Text>
      )}
    </>
  );
}
