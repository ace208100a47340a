import { Button, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { DateTime, usdText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status, type Tone } from '../parts/Status.tsx';

type Payout = components['schemas']['PayoutPage']['data'][number];

/** The amount available now: to the balance, and as a transfer. */
interface Payable {
  availableUsd: number;
  transferableUsd: number;
}

/** The payouts of earnings. */
export function Payouts() {
  const payouts = usePages<Payout>(['publisher', 'payouts'], (cursor, signal) =>
    api.GET('/v1/publisher/payouts', { params: { query: { cursor } }, signal }),
  );
  return (
    <Panel title="Payouts" description="To the balance of this workspace, or as a bank transfer.">
      <DataTable<Payout>
        label="Payouts"
        columns={COLUMNS}
        from={payouts}
        rowKey={({ id }) => id}
        empty="No payouts yet."
      />
    </Panel>
  );
}

/** The button that pays out, and its form. */
export function PayOut(payable: Payable) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button fullWidth mt="auto" disabled={payable.availableUsd <= 0} onClick={() => setOpen(true)}>
        Pay out
      </Button>
      <Dialog title="Pay out earnings" isOpen={isOpen} onClose={() => setOpen(false)}>
        <PayoutForm {...payable} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function PayoutForm({ availableUsd, transferableUsd, onDone }: Payable & { onDone: () => void }) {
  const [amount, setAmount] = useState<number | string>('');
  const [to, setTo] = useState('balance');
  const pay = useChange(
    () => sendJson('/v1/publisher/payouts', { to, ...(amount !== '' && { amount_usd: Number(amount) }) }),
    {
      stale: [['publisher'], ['balance'], ['ledger']],
      done: 'The payout was made',
      onSuccess: onDone,
      // The form shows it.
      onError: () => {},
    },
  );
  return (
    <DialogForm
      submitLabel="Pay out"
      isPending={pay.isPending}
      error={pay.error}
      onSubmit={() => pay.mutate(undefined)}
    >
      <NumberInput
        label="Amount"
        description={`${usdText(to === 'balance' ? availableUsd : transferableUsd)} available. Leave it empty to pay out all of it.`}
        placeholder="All"
        prefix="$"
        min={0}
        decimalScale={to === 'balance' ? 9 : 2}
        hideControls
        value={amount}
        onChange={setAmount}
      />
      <Select
        label="To"
        allowDeselect={false}
        value={to}
        onChange={(value) => setTo(value ?? 'balance')}
        data={DESTINATIONS}
      />
    </DialogForm>
  );
}

const DESTINATIONS = [
  { value: 'balance', label: 'Balance of this workspace, at once' },
  { value: 'transfer', label: 'Bank transfer, made by an operator' },
];

const STATES: Record<Payout['status'], { word: string; tone: Tone }> = {
  paid: { word: 'Added to balance', tone: 'good' },
  requested: { word: 'In review', tone: 'held' },
  sent: { word: 'Sent', tone: 'good' },
  rejected: { word: 'Rejected', tone: 'bad' },
};

const COLUMNS: Column<Payout>[] = [
  { title: 'Time', cell: ({ created_at: at }) => <DateTime at={at} /> },
  { title: 'Amount', usd: ({ amount_usd: usd }) => usd },
  { title: 'Status', cell: ({ status }) => <Status {...STATES[status]} /> },
  { title: 'Decided', visibleFrom: 'sm', cell: ({ ended_at: at }) => (at === null ? '—' : <DateTime at={at} />) },
  { title: 'Reference', visibleFrom: 'sm', cell: ({ reference, reason }) => reference ?? reason ?? '—' },
  { title: 'Requested by', visibleFrom: 'sm', cell: (row) => row.requested_by },
];
