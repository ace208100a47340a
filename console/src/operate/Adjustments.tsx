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
          cell: ({ id, status, amount_usd: usd, reason, may_approve: mayApprove }) =>
            status === 'pending' && (
              <DecisionButtons
                subject={`${usdText(usd)}: ${reason}`}
                mayApprove={mayApprove}
                refusal="Reject"
                isDisabled={decide.isPending}
                onApprove={() => decide.mutate({ id, move: 'approve' })}
                onRefuse={() => decide.mutate({ id, move: 'reject' })}
              />
            ),
        },
      ]}
    />
  );
}

const STATES: Record<string, { tone: Tone; word: string }> = {
  pending: { tone: 'held', word: 'Pending' },
  approved: { tone: 'good', word: 'Approved' },
  rejected: { tone: 'quiet', word: 'Rejected' },
};
