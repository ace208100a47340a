import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable } from '../parts/DataTable.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, UtcDay, usdText } from '../parts/figures.tsx';
import { digitsOf, Money } from '../parts/Money.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { OfWorkspace } from './overview/OfWorkspace.tsx';

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
        { title: 'Workspace', cell: (row) => <Recipient of={row} /> },
        { title: 'Amount', usd: ({ amount_usd: usd }) => usd },
        { title: 'To', visibleFrom: 'sm', cell: ({ to }) => DESTINATIONS[to] },
        { title: 'Earned', visibleFrom: 'lg', cell: (row) => <Earned payout={row} /> },
        { title: 'Paid by', cell: (row) => <Sources of={row} /> },
        { title: 'Status', cell: (row) => <State of={row} /> },
        {
          title: 'Decide',
          isTitleHidden: true,
          cell: (row) => row.status === 'requested' && <Decision payout={row} />,
        },
      ]}
    />
  );
}

const DESTINATIONS: Record<Payout['to'], string> = { balance: 'Balance', transfer: 'Transfer' };

const STATES: Record<Payout['status'], { word: string; tone: Tone }> = {
  requested: { word: 'Requested', tone: 'held' },
  sent: { word: 'Sent', tone: 'good' },
  paid: { word: 'Paid', tone: 'good' },
  rejected: { word: 'Rejected', tone: 'quiet' },
};

/** Who is paid: the workspace with its balance now, and the person who asked. */
function Recipient({ of: payout }: { of: Payout }) {
  const { workspace_id: id, workspace_name: name, requested_by: by, balance_usd: balance } = payout;
  return (
    <div>
      <OfWorkspace id={id} name={name ?? id} />
      <div className="cell-sub">
        <span className="nowrap">{by}</span>{' '}
        <span className="nowrap">
          Balance <Money usd={balance} isRounded />
        </span>
      </div>
    </div>
  );
}

/** The state with what was written at its end: the reference of the transfer, or the reason. */
function State({ of: { status, reference, reason } }: { of: Payout }) {
  return (
    <div>
      <Status {...STATES[status]} />
      {(reference ?? reason) && <div className="cell-sub">{reference ?? reason}</div>}
    </div>
  );
}

/** The days on which its earnings were earned. */
function Earned({ payout: { earned_from: from, earned_until: until } }: { payout: Payout }) {
  if (from === null || until === null) return '—';
  if (from.slice(0, 10) === until.slice(0, 10)) return <UtcDay at={until} />;
  return (
    <span>
      <UtcDay at={from} /> – <UtcDay at={until} />
    </span>
  );
}

const SOURCES_SHOWN = 2;

/** The callers who paid the earnings. A balance below zero means that a payment was reversed. */
function Sources({ of: { sources } }: { of: Payout }) {
  if (sources.length === 0) return '—';
  const digits = digitsOf(sources.map(({ earned_usd: usd }) => usd));
  return (
    <div>
      {sources.slice(0, SOURCES_SHOWN).map((source) => (
        <div key={source.workspace_id} className="payout-source">
          <OfWorkspace id={source.workspace_id} name={source.workspace_name ?? source.workspace_id} />{' '}
          <Money usd={source.earned_usd} digits={digits} />
          <Overdrawn usd={source.balance_usd} />
        </div>
      ))}
      {sources.length > SOURCES_SHOWN && <div className="cell-sub">and {sources.length - SOURCES_SHOWN} more</div>}
    </div>
  );
}

const Overdrawn = ({ usd }: { usd: number | null }) =>
  usd !== null && usd < 0 && <span className="text-bad">Balance {usdText(usd)}</span>;

type Move = 'send' | 'reject';

/** The buttons of a decision. The person who requested the payout may only reject it. */
function Decision({ payout: { id, amount_usd: usd, may_confirm: mayConfirm } }: { payout: Payout }) {
  const [move, setMove] = useState<Move>();
  const what = <span className="for-readers">{` ${usdText(usd)}`}</span>;
  return (
    <>
      <div className="row-buttons" title={mayConfirm ? undefined : 'Another operator confirms it'}>
        {mayConfirm && (
          <Button size="xs" onClick={() => setMove('send')}>
            Confirm{what}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setMove('reject')}>
          Reject{what}
        </Button>
      </div>
      <Dialog
        title={move === 'reject' ? 'Reject the payout' : 'Confirm the transfer'}
        isOpen={move !== undefined}
        onClose={() => setMove(undefined)}
      >
        {move && <DecisionForm id={id} usd={usd} move={move} onDone={() => setMove(undefined)} />}
      </Dialog>
    </>
  );
}

/** Records that a transfer was sent, with its reference, or why it is not. */
function DecisionForm({ id, usd, move, onDone }: { id: string; usd: number; move: Move; onDone: () => void }) {
  const [text, setText] = useState('');
  const isSent = move === 'send';
  const decide = useChange(
    () => sendJson(`/console/v1/payouts/${id}/${move}`, isSent ? { reference: text } : { reason: text }),
    {
      stale: [['payouts'], ['audit']],
      done: isSent ? 'Payout marked as sent' : 'Payout rejected',
      onSuccess: onDone,
      onError: () => {},
    },
  );
  return (
    <DialogForm
      submitLabel={isSent ? 'Mark as sent' : 'Reject payout'}
      isPending={decide.isPending}
      error={decide.error}
      onSubmit={() => decide.mutate(undefined)}
    >
      <Text size="sm">
        {isSent
          ? `Make the transfer of ${usdText(usd)} first, then record it here.`
          : `The ${usdText(usd)} go back to the publisher’s earnings.`}
      </Text>
      <TextInput
        label={isSent ? 'Reference of the transfer' : 'Reason'}
        description={isSent ? undefined : 'The publisher reads it'}
        placeholder={isSent ? 'SEPA 2026-11-26/4471' : undefined}
        required
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
