import './catalog.css';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api, sendJson } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DecisionButtons } from '../parts/DecisionButtons.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, DateTime } from '../parts/figures.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Status, type Tone } from '../parts/Status.tsx';
import { Amounts } from './Amounts.tsx';
import type { CatalogPrice } from './shapes.ts';

type Move = 'approve' | 'reject' | 'withdraw';

const MOVED: Record<Move, string> = {
  approve: 'Price approved',
  reject: 'Price rejected',
  withdraw: 'Price withdrawn',
};

const APPROVAL = {
  label: 'Approve',
  follows: 'Callers pay it from the time it holds. Another price can replace it later.',
} as const;
const REJECTION = {
  label: 'Reject',
  follows: 'The price stays as it is. An operator can propose another one.',
} as const;
const WITHDRAWAL = {
  label: 'Withdraw',
  follows: 'No operator can approve it any more. The price stays as it is.',
} as const;

/** Prices that operators proposed: one proposes, another approves or rejects. */
export default function Proposals() {
  const prices = usePages<CatalogPrice>(['catalog', 'prices'], (cursor, signal) =>
    api.GET('/console/v1/catalog/prices', { params: { query: { cursor } }, signal }),
  );
  const decide = useChange(
    ({ id, move }: { id: string; move: Move }) => sendJson(`/console/v1/catalog/prices/${id}/${move}`, {}),
    { stale: [['catalog'], ['models'], ['audit']], done: (_, { move }) => MOVED[move] },
  );
  const actions: Column<CatalogPrice> = {
    title: 'Decide',
    isTitleHidden: true,
    cell: ({ id, status, model, may_approve: mayApprove, may_withdraw: mayWithdraw }) =>
      status === 'pending' && (
        <DecisionButtons
          kind="price"
          subject={`the price of ${model}`}
          change={decide}
          approval={mayApprove && { ...APPROVAL, input: { id, move: 'approve' } }}
          // Who proposed the price may only withdraw it.
          refusal={
            mayWithdraw
              ? { ...WITHDRAWAL, input: { id, move: 'withdraw' } }
              : { ...REJECTION, input: { id, move: 'reject' } }
          }
        />
      ),
  };
  return (
    <DataTable<CatalogPrice>
      label="Proposed prices"
      isStacked
      from={prices}
      rowKey={({ id }) => id}
      columns={[...COLUMNS, actions]}
      empty={
        <EmptyState drawing="money" title="No proposed prices">
          An operator proposes one on the page of a model; it holds only once another operator has approved it.
        </EmptyState>
      }
    />
  );
}

const STATES: Record<CatalogPrice['status'], { tone: Tone; word: string }> = {
  pending: { tone: 'held', word: 'Pending' },
  approved: { tone: 'good', word: 'Approved' },
  rejected: { tone: 'quiet', word: 'Rejected' },
  withdrawn: { tone: 'quiet', word: 'Withdrawn' },
};

const COLUMNS: Column<CatalogPrice>[] = [
  { title: 'Time', visibleFrom: 'lg', cell: ({ created_at: at }) => <Ago at={at} /> },
  {
    title: 'Model',
    cell: ({ model }) => (
      <Anchor component={Link} size="sm" className="nowrap" {...pageAt(`/operate/models/${encodeURIComponent(model)}`)}>
        {model}
      </Anchor>
    ),
  },
  {
    title: 'Price',
    cell: (row) => (
      <span className="catalog-cell">
        {row.from_file ? 'That of the file' : Amounts({ of: row.usd_per_million })}
        {row.reason && <span className="cell-sub mantine-hidden-from-lg">{row.reason}</span>}
      </span>
    ),
  },
  {
    title: 'Holds from',
    cell: ({ valid_from: from, holds_from: asked }) =>
      (from ?? asked) ? <DateTime at={from ?? asked} /> : 'Its approval',
  },
  { title: 'Reason', visibleFrom: 'lg', cell: ({ reason }) => <span className="cell-short">{reason ?? '—'}</span> },
  { title: 'Proposed by', visibleFrom: 'lg', cell: (row) => row.proposed_by },
  { title: 'Status', cell: ({ status }) => <Status {...STATES[status]} /> },
];
