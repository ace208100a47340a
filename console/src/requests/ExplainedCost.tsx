import { Alert, Skeleton, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Explanation } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { countText, DateTime, unitName, usdText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';

/** The origin of each nano of a cost: quantity, price row, rounding, and the ledger's entry. */
export function ExplainedCost({ id }: { id: string }) {
  const explained = useAnswer(['explain', id], (signal) =>
    api.GET('/platform/v1/explain/{explained_id}', { params: { path: { explained_id: id } }, signal }),
  );
  if (explained.error) return <TableFailure error={explained.error} retry={() => void explained.refetch()} />;
  if (!explained.data) return <Skeleton height={260} />;
  return (
    <Stack gap="lg">
      <Panel title="What it cost" description={<PriceRow of={explained.data} />}>
        <Stack>
          <Lines of={explained.data} />
          {explained.data.text && <Alert color="gray">{explained.data.text}</Alert>}
        </Stack>
      </Panel>
      <Panel title="Ledger entries">
        <Entries of={explained.data} />
      </Panel>
    </Stack>
  );
}

function PriceRow({ of: { lines, model, agent, price_valid_from: from } }: { of: Explanation }) {
  const name = lines.length > 0 && (model ?? agent);
  return (
    <>
      {name && `Prices of ${name}`}
      {from && (
        <>
          , valid from <DateTime at={from} isDay />
        </>
      )}
    </>
  );
}

function Lines({ of: { lines, rounding_usd: rounding, total_usd: total } }: { of: Explanation }) {
  return (
    <div className="table-region" role="group" aria-label="Lines of the cost" tabIndex={0}>
      <Table className="bill">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th className="is-end">Quantity</Table.Th>
            <Table.Th className="is-end">Price</Table.Th>
            <Table.Th className="is-end">Cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, at) => (
            <Table.Tr key={`${line.unit} ${at}`}>
              <Table.Td>
                <span className="cell-short">{line.description || unitName(line.unit)}</span>
              </Table.Td>
              <Table.Td className="is-end number">{countText(line.quantity)}</Table.Td>
              <Table.Td className="is-end number">
                {line.price_usd === null ? '—' : `${usdText(line.price_usd)} / ${line.per}`}
              </Table.Td>
              <Table.Td className="is-end">
                <Money usd={line.cost_usd} />
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td colSpan={3}>Rounding, once</Table.Td>
            <Table.Td className="is-end">
              <Money usd={rounding} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr className="row-total">
            <Table.Td colSpan={3}>Total</Table.Td>
            <Table.Td className="is-end">
              <Money usd={total} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Entries({ of: { entries } }: { of: Explanation }) {
  if (entries.length === 0) return <Text c="dimmed">It changed no balance.</Text>;
  return (
    <div className="table-region" role="group" aria-label="Ledger entries" tabIndex={0}>
      <Table className="table-stacked">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Entry</Table.Th>
            <Table.Th className="is-end">Amount</Table.Th>
            <Table.Th className="is-end">Balance after</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td data-title="Time">
                <DateTime at={entry.created_at} />
              </Table.Td>
              <Table.Td data-title="Kind">{entry.kind}</Table.Td>
              <Table.Td data-title="Entry">
                <Link to="/explain" search={() => ({ id: entry.id })} className="id row-link">
                  {entry.id}
                </Link>
              </Table.Td>
              <Table.Td className="is-end" data-title="Amount">
                <Money usd={entry.amount_usd} hasSign />
              </Table.Td>
              <Table.Td className="is-end" data-title="Balance after">
                <Money usd={entry.balance_after_usd} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
