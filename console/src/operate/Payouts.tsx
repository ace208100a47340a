import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, DateTime, usdText } from '../parts/figures.tsx';
import { Status, type Tone } from '../parts/Status.tsx';

type Payout = components['schemas']['OperatorPayoutPage']['data'][number];

/** Payouts of earnings. A transfer is made outside the platform, and confirmed here by a person other than the requester. */
export default function Payouts() {
  const payouts = usePages<Payout>(['payouts'], (cursor, signal) =>
    api.GET('/console/v1/payouts', { params: { query: { cursor } }, signal }),
  );
  return (
    <DataTable<Payout>
      label="Payouts"
      isStacked
      from={payouts}
      rowKey={({ id }) => id}
      empty={
        <EmptyState drawing="money" title="No payouts">
          Publishers ask for their earnings here; another operator confirms each transfer.
        </EmptyState>
      }
      columns={[
        { title: 'Time', cell: ({ created_at: at }) => <Ago at={at} /> },
        { title: 'Workspace', cell: ({ workspace_id: id }) => <span className="id">{id}</span> },
        { title: 'Amount', usd: ({ amount_usd: usd }) => usd },
        { title: 'Balance', usd: ({ balance_usd: usd }) => usd },
        { title: 'Earned', cell: (row) => <Earned payout={row} /> },
        { title: 'Paid by', cell: (row) => <Sources of={row} /> },
        { title: 'To', cell: ({ to }) => to },
        { title: 'Requested by', visibleFrom: 'sm', cell: (row) => row.requested_by },
        { title: 'State', cell: ({ status }) => <Status tone={TONES[status] ?? 'quiet'} word={status} /> },
        { title: 'Reference or reason', cell: ({ reference, reason }) => reference ?? reason ?? '—' },
        {
          title: 'Decide',
          isTitleHidden: true,
          cell: (row) => row.status === 'requested' && <Decision payout={row} />,
        },
      ]}
    />
  );
}

const TONES: Record<string, Tone> = { requested: 'held', sent: 'good', rejected: 'quiet' };

/** When its earnings were earned. */
function Earned({ payout: { earned_from: from, earned_until: until } }: { payout: Payout }) {
  if (from === null || until === null) return '—';
  if (from.slice(0, 10) === until.slice(0, 10)) return <DateTime at={until} />;
  return (
    <>
      <DateTime at={from} /> to <DateTime at={until} />
    </>
  );
}

const SOURCES_SHOWN = 3;

/** The callers who paid the earnings. A balance below zero means that a payment was reversed. */
function Sources({ of: { sources } }: { of: Payout }) {
  if (sources.length === 0) return '—';
  return (
    <Stack gap={2}>
      {sources.slice(0, SOURCES_SHOWN).map(({ workspace_id: id, earned_usd: usd, balance_usd: balance }) => (
        <Text key={id} size="xs" c={balance !== null && balance < 0 ? 'red' : undefined}>
          <span className="id">{id}</span>: {usdText(usd)}
          {balance !== null && `, balance ${usdText(balance)}`}
        </Text>
      ))}
      {sources.length > SOURCES_SHOWN && <Text size="xs">and {sources.length - SOURCES_SHOWN} more</Text>}
    </Stack>
  );
}

/** The person who requested the payout may only reject it. */
function Decision({ payout: { id, amount_usd: usd, may_confirm: mayConfirm } }: { payout: Payout }) {
  const [text, setText] = useState('');
  const decide = useChange(
    (move: 'send' | 'reject') =>
      sendJson(`/console/v1/payouts/${id}/${move}`, move === 'send' ? { reference: text } : { reason: text }),
    { stale: [['payouts'], ['audit']], done: 'Recorded.' },
  );
  const isDisabled = decide.isPending || text.trim() === '';
  const what = <span className="for-readers">{` ${usdText(usd)}`}</span>;
  return (
    <Stack gap={4}>
      <TextInput
        size="xs"
        aria-label={`Reference of the transfer of ${usdText(usd)}, or the reason of its rejection`}
        placeholder="Reference, or reason"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap={6} wrap="nowrap">
        {mayConfirm && (
          <Button size="xs" disabled={isDisabled} onClick={() => decide.mutate('send')}>
            Sent{what}
          </Button>
        )}
        <Button size="xs" variant="default" disabled={isDisabled} onClick={() => decide.mutate('reject')}>
          Reject{what}
        </Button>
      </Group>
      {!mayConfirm && (
        <Text size="xs" c="dimmed">
          Another operator confirms it
        </Text>
      )}
    </Stack>
  );
}
