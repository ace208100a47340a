import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { BillingDetails } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Panel } from '../parts/Panel.tsx';
import { countryName } from './countries.ts';
import { DetailsDialog } from './DetailsDialog.tsx';

/** Whom the next invoices are for. */
export function Details() {
  const [isOpen, setOpen] = useState(false);
  const details = useAnswer(['billing-details'], (signal) => api.GET('/platform/v1/billing/details', { signal }));
  return (
    <Panel
      title="Billing details"
      description="They stand on the invoices that are issued from now on."
      actions={
        <Button variant="default" onClick={() => setOpen(true)} disabled={!details.data}>
          Edit details
        </Button>
      }
    >
      {details.error && <TableFailure error={details.error} retry={() => void details.refetch()} />}
      {details.isLoading && <Skeleton height={62} />}
      {details.data && <Facts of={details.data} />}
      {details.data && <DetailsDialog details={details.data} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function Facts({ of: details }: { of: BillingDetails }) {
  const { company, tax_id: taxId, purchase_order: order, email } = details;
  const { workspace } = useMe();
  return (
    <dl className="invoice-facts">
      <Fact name="Bill to">
        <span>{company ?? workspace.name}</span>
        {addressOf(details).map((line, at) => (
          <span key={at}>{line}</span>
        ))}
      </Fact>
      <Fact name="Tax number">{taxId?.value ?? '—'}</Fact>
      <Fact name="Purchase order">{order ?? '—'}</Fact>
      <Fact name="Mailed to">{email ?? 'Owners and finance'}</Fact>
    </dl>
  );
}

type Address = Pick<BillingDetails, 'line1' | 'line2' | 'postal_code' | 'city' | 'region' | 'country'>;

/** The lines of an address. */
export function addressOf({ line1, line2, postal_code: code, city, region, country }: Address): string[] {
  const place = [code, city, region !== city && region].filter(Boolean).join(' ');
  return [line1, line2, place, country && countryName(country)].filter((line): line is string => Boolean(line));
}
