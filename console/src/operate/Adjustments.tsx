import { api, sendJson } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { DecisionButtons } from '../parts/DecisionButtons.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, usdText } from '../parts/figures.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { OfWorkspace } from './overview/OfWorkspace.tsx';

type Adjustment = components['schemas']['AdjustmentPage']['data'][number];

/** Adjustments of balances: one operator requests, another approves or rejects. */
export default function Adjustments() {
  const adjustments = usePages<Adjustment>(['adjustments'], (cursor, signal) =>
    api.GET('/console/v1/adjustments', { params: { query: { cursor } }, signal }),
  );
  const decide = useChange(
    ({ id, move }: { id: string; move: 'approve' | 'reject' }) => sendJson(`/console/v1/adjustments/${id}/${move}`, {}),
    {
      stale: [['adjustments'], ['workspaces'], ['audit']],
      done: (_, { move }) => `Adjustment ${move === 'approve' ? 'approved' : 'rejected'}`,
    },
  );
  return (
    <DataTable<Adjustment>
      label="Adjustments"
      isStacked
      from={adjustments}
      rowKey={({ id }) => id}
      empty={
        <EmptyState drawing="money" title="No adjustments">
          An operator requests one in the list of workspaces; it moves money only when another operator approves it.
        </EmptyState>
      }
      columns={[
        { title: 'Time', cell: ({ created_at: at }) => <Ago at={at} /> },
        {
          title: 'Workspace',
          cell: ({ workspace_id: id, workspace_name: name }) => <OfWorkspace id={id} name={name ?? id} />,
        },
        { title: 'Amount', usd: ({ amount_usd: usd }) => usd, hasSign: true, isExact: true },
        { title: 'Reason', cell: ({ reason }) => <span className="cell-short">{reason}</span> },
        { title: 'Requested by', visibleFrom: 'lg', cell: (row) => row.requested_by },
        { title: 'Status', cell: ({ status }) => <Status {...(STATES[status] ?? { tone: 'quiet', word: status })} /> },
        {
          title: 'Decide',
          isTitleHidden: true,
          cell: (row) =>
            row.status === 'pending' && (
              <DecisionButtons
                kind="adjustment"
                subject={`${changeText(row)}: ${row.reason}`}
                change={decide}
                approval={
                  row.may_approve && {
                    label: 'Approve',
                    follows: 'The balance changes at once. Another adjustment can take it back.',
                    input: { id: row.id, move: 'approve' },
                  }
                }
                refusal={{
                  label: 'Reject',
                  follows: 'The balance stays as it is. An operator can request another adjustment.',
                  input: { id: row.id, move: 'reject' },
                }}
              />
            ),
        },
      ]}
    />
  );
}

/** `a credit of $5.00 for Northwind` */
function changeText({ amount_usd: usd, workspace_id: id, workspace_name: name }: Adjustment): string {
  const amount = usdText(Math.abs(usd));
  return usd < 0 ? `a debit of ${amount} from ${name ?? id}` : `a credit of ${amount} for ${name ?? id}`;
}

const STATES: Record<string, { tone: Tone; word: string }> = {
  pending: { tone: 'held', word: 'Pending' },
  approved: { tone: 'good', word: 'Approved' },
  rejected: { tone: 'quiet', word: 'Rejected' },
};
