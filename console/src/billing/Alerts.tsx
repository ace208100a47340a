import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { answerOf, api } from '../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { SpendAlert } from '../api/shapes.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Money } from '../parts/Money.tsx';
import { usdText } from '../parts/usdText.ts';
import { changeColumn } from '../parts/rowActions.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { AlertDialog } from './AlertDialog.tsx';
import { countOf } from '../parts/totals.tsx';

/** Budgets and warnings, and what they watch now. */
export function Alerts() {
  const { scopes } = useMe();
  const mayWrite = scopes.includes('billing') || scopes.includes('manage');
  const [open, setOpen] = useState<SpendAlert | 'new'>();
  const [leaving, setLeaving] = useState<SpendAlert>();
  const alerts = useAnswer(['alerts'], (signal) => api.GET('/platform/v1/alerts', { signal }));
  const remove = useChange(
    (id: string) => answerOf(api.DELETE('/platform/v1/alerts/{alert_id}', { params: { path: { alert_id: id } } })),
    { stale: [['alerts']], done: 'Alert deleted', onSuccess: () => setLeaving(undefined) },
  );
  const create = mayWrite && <Button onClick={() => setOpen('new')}>Create alert</Button>;
  return (
    <>
      {alerts.data?.data.length ? <div className="alerts-head">{create}</div> : null}
      <DataTable
        label="Alerts"
        columns={mayWrite ? [...COLUMNS, changeColumn('alert', nameOf, setOpen, setLeaving)] : COLUMNS}
        from={rowsFrom(alerts, alerts.data?.data)}
        rowKey={({ id }) => id}
        noun="alert"
        empty={
          <EmptyState drawing="money" title="No alerts yet" action={create}>
            Hear by mail and webhook when a budget is half spent, or when the balance will not last.
          </EmptyState>
        }
      />
      <AlertDialog of={open} onClose={() => setOpen(undefined)} />
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
    </>
  );
}

interface Shown {
  watched: (alert: SpendAlert) => string;
  limit: (alert: SpendAlert) => string;
  now: (alert: SpendAlert) => ReactNode;
  /** Once it is reached. */
  state: (alert: SpendAlert) => { tone: Tone; word: string };
}

const KINDS: Record<SpendAlert['type'], Shown> = {
  spend: {
    watched: ({ key_name: key, project_name: project, period }) =>
      `${period === 'daily' ? 'Daily' : 'Monthly'} spend of ${key ?? project ?? 'the workspace'}`,
    limit: ({ percentages }) => `${percentages.join(', ')}%`,
    now: (alert) => (
      <>
        <Money usd={alert.spent_usd} isRounded /> of <Money usd={alert.amount_usd} isRounded />
      </>
    ),
    state: ({ reached_percentage: percent }) => ({
      tone: percent! < 100 ? 'held' : 'bad',
      word: `${percent}% reached`,
    }),
  },
  runway: {
    watched: () => 'How long the balance lasts',
    limit: ({ days }) => `< ${countOf(days ?? 0, 'day')}`,
    now: ({ runway_days: days }) => (days === null ? 'Nothing spent in 7 days' : countOf(Math.floor(days), 'day')),
    state: () => ({ tone: 'bad', word: 'Short' }),
  },
};

const watchedText = (alert: SpendAlert): string => KINDS[alert.type].watched(alert);
const limitText = (alert: SpendAlert): string => KINDS[alert.type].limit(alert);

/** For a screen reader: several alerts may watch the same. */
const nameOf = (alert: SpendAlert): string =>
  [watchedText(alert), limitText(alert), alert.type === 'spend' && `of ${usdText(alert.amount_usd ?? 0)}`]
    .filter(Boolean)
    .join(', ');

const COLUMNS: Column<SpendAlert>[] = [
  {
    title: 'Watches',
    cell: watchedText,
  },
  {
    title: 'Told at',
    visibleFrom: 'sm',
    cell: limitText,
  },
  {
    title: 'Now',
    cell: (alert) => KINDS[alert.type].now(alert),
  },
  {
    title: 'State',
    cell: (alert) => {
      if (!alert.is_reached) return <Status tone="good" word="Within" />;
      return <Status {...KINDS[alert.type].state(alert)} />;
    },
  },
  { title: 'Mail', visibleFrom: 'md', cell: mailText },
];

function mailText({ mail, mail_to: chosen }: SpendAlert): string {
  if (!mail) return 'Webhook only';
  if (chosen === null) return 'Owners and finance';
  return chosen.length === 1 ? '1 member' : `${chosen.length} members`;
}
