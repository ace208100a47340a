import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { DateTime, usdText } from '../parts/figures.tsx';
import { Status, type Tone } from '../parts/Status.tsx';

type Payout = components['schemas']['PayoutPage']['data'][number];

/** The amount available now: to the balance, and as a transfer. */
interface Payable {
  availableUsd: number;
  transferableUsd: number;
}

/** The payouts of earnings, and the form that asks for one. */
export function Payouts({ matureDays, ...payable }: Payable & { matureDays: number | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const payouts = usePages<Payout>(['publisher', 'payouts'], (cursor, signal) =>
    api.GET('/v1/publisher/payouts', { params: { query: { cursor } }, signal }),
  );
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        {matureDays !== undefined && (
          <Text size="sm" c="dimmed">
            Earnings can be paid out after {matureDays} days.
          </Text>
        )}
        <Button disabled={payable.availableUsd <= 0} onClick={() => setOpen(true)}>
          Pay out
        </Button>
      </Group>
      <DataTable<Payout>
        label="Payouts"
        columns={COLUMNS}
        from={payouts}
        rowKey={({ id }) => id}
        empty="No payouts yet."
      />
      <Dialog title="Pay out earnings" isOpen={isOpen} onClose={() => setOpen(false)}>
        <PayoutForm {...payable} onDone={() => setOpen(false)} />
      </Dialog>
    </Stack>
  );
}

function PayoutForm({ availableUsd, transferableUsd, onDone }: Payable & { onDone: () => void }) {
  const [amount, setAmount] = useState('');
  const [to, setTo] = useState('balance');
  const pay = useChange(
    () => sendJson('/v1/publisher/payouts', { to, ...(amount.trim() !== '' && { amount_usd: Number(amount) }) }),
    { stale: [['publisher'], ['balance'], ['ledger']], done: 'The payout was made.', onSuccess: onDone },
  );
  return (
    <DialogForm
      submitLabel="Pay out"
      isPending={pay.isPending}
      error={pay.error && sentenceOf(pay.error)}
      onSubmit={(event) => {
        event.preventDefault();
        pay.mutate(undefined);
      }}
    >
      <TextInput
        label="Amount in US dollars"
        description={`Of ${usdText(to === 'balance' ? availableUsd : transferableUsd)}. Left empty: all of it.`}
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <Select
        label="To"
        allowDeselect={false}
        value={to}
        onChange={(value) => setTo(value ?? 'balance')}
        data={[
          { value: 'balance', label: 'the balance of this workspace, at once' },
          { value: 'transfer', label: 'a transfer, which an operator makes' },
        ]}
      />
    </DialogForm>
  );
}

const STATES: Record<Payout['status'], { word: string; tone: Tone }> = {
  paid: { word: 'On the balance', tone: 'good' },
  requested: { word: 'Waits for the transfer', tone: 'held' },
  sent: { word: 'Sent', tone: 'good' },
  rejected: { word: 'Rejected', tone: 'bad' },
};

const COLUMNS: Column<Payout>[] = [
  { title: 'Time', cell: ({ created_at: at }) => <DateTime at={at} /> },
  { title: 'Amount', usd: ({ amount_usd: usd }) => usd },
  { title: 'Status', cell: ({ status }) => <Status {...STATES[status]} /> },
  { title: 'Reference or reason', cell: ({ reference, reason }) => reference ?? reason ?? '—' },
  { title: 'Asked by', visibleFrom: 'sm', cell: (row) => row.requested_by },
];
