import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { changeColumn } from '../parts/rowActions.tsx';
import { Status } from '../parts/Status.tsx';
import { countOf } from '../parts/totals.tsx';
import { AgentAlertDialog } from './AgentAlertDialog.tsx';
import type { AgentAlert } from './agentRuns.ts';

/** When the publisher is told that runs of the agent fail. */
export function AgentAlerts({ agentId }: { agentId: string }) {
  const [open, setOpen] = useState<AgentAlert | 'new'>();
  const [leaving, setLeaving] = useState<AgentAlert>();
  const alerts = useAnswer(['publisher', 'alerts', agentId], (signal) =>
    api.GET('/v1/publisher/alerts', { params: { query: { agent_id: agentId } }, signal }),
  );
  const remove = useChange(
    (id: string) =>
      answerOf(api.DELETE('/v1/publisher/alerts/{agent_alert_id}', { params: { path: { agent_alert_id: id } } })),
    { stale: [['publisher', 'alerts']], done: 'Alert deleted', onSuccess: () => setLeaving(undefined) },
  );
  return (
    <Panel
      title="Alerts"
      description="A mail and a webhook when runs of callers fail."
      actions={
        <Button variant="default" size="xs" onClick={() => setOpen('new')}>
          Create alert
        </Button>
      }
    >
      <DataTable<AgentAlert>
        label="Alerts"
        columns={[...COLUMNS, changeColumn('alert', limitText, setOpen, setLeaving)]}
        from={rowsFrom(alerts, alerts.data?.data)}
        rowKey={({ id }) => id}
        empty="No alerts yet. Hear when 20% of the runs of an hour fail, for example."
      />
      <AgentAlertDialog agentId={agentId} of={open} onClose={() => setOpen(undefined)} />
      <ConfirmDialog
        title="Delete this alert?"
        confirmLabel="Delete alert"
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving.id)}
        onClose={() => setLeaving(undefined)}
      >
        <Text size="sm">Nobody is told of this any more. What was told stays among the events.</Text>
      </ConfirmDialog>
    </Panel>
  );
}

const windowText = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`);

const limitText = ({ type, threshold, window_minutes: minutes }: AgentAlert): string =>
  `${type === 'failures' ? countOf(threshold, 'failure') : `${threshold}% failed`} in ${windowText(minutes)}`;

const COLUMNS: Column<AgentAlert>[] = [
  {
    title: 'Told at',
    cell: limitText,
  },
  {
    title: 'Now',
    visibleFrom: 'sm',
    cell: ({ runs, failures }) => (
      <span className="number">
        {countText(failures)} of {countOf(runs, 'run')}
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ is_failing: isFailing }) => (
      <Status tone={isFailing ? 'bad' : 'good'} word={isFailing ? 'Failing' : 'Within'} />
    ),
  },
  {
    title: 'Mail',
    visibleFrom: 'md',
    cell: ({ mail, mail_to: chosen }) =>
      !mail ? 'Webhook only' : chosen === null ? 'Owners and publishers' : `${chosen.length} chosen`,
  },
];
