import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { pageAt } from '../parts/pageAt.ts';
import type { Run } from './runEvents.ts';

/** The bill of a run by meter: quantity times price, the network fee, and their sum. */
export function RunMeters({ run: { id, usage, status } }: { run: Run }) {
  return (
    <Panel
      title={usage.settled ? 'Bill' : 'Meters so far'}
      description={status === 'failed' ? 'A failed run costs nothing.' : undefined}
      actions={
        <Anchor component={Link} {...pageAt('/explain', { id })}>
          Explain each cent
        </Anchor>
      }
    >
      <div className="table-region" role="region" aria-label="Meters" tabIndex={0}>
        <Table className="bill" verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Meter</Table.Th>
              <Table.Th scope="col" className="is-end">
                Quantity
              </Table.Th>
              <Table.Th scope="col" className="is-end">
                Price
              </Table.Th>
              <Table.Th scope="col" className="is-end">
                Cost
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {usage.meters.map((meter) => (
              <Table.Tr key={meter.id}>
                <Table.Td>{meter.id.replaceAll('_', ' ')}</Table.Td>
                <Table.Td className="is-end number">
                  {countText(meter.quantity)} {meter.unit}
                </Table.Td>
                <Table.Td className="is-end">
                  <Money usd={meter.price_usd} />
                </Table.Td>
                <Table.Td className="is-end">
                  <Money usd={meter.cost_usd} />
                </Table.Td>
              </Table.Tr>
            ))}
            <Total name="Network fee" usd={usage.network_fee_usd} />
            <Total name="Total" usd={usage.total_usd} isTotal />
          </Table.Tbody>
        </Table>
      </div>
    </Panel>
  );
}

function Total({ name, usd, isTotal = false }: { name: string; usd: number; isTotal?: boolean }) {
  return (
    <Table.Tr className={isTotal ? 'row-total' : undefined}>
      <Table.Td colSpan={3}>{name}</Table.Td>
      <Table.Td className="is-end">
        <Money usd={usd} />
      </Table.Td>
    </Table.Tr>
  );
}
