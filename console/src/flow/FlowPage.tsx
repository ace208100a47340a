import { Button, Group, Text } from '@mantine/core';
import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { AgentIcon } from '../agents/AgentIcon.tsx';
import { iconsOf, useAgents } from '../agents/useAgents.ts';
import { answerOf, api } from '../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { FlowRuleDialog } from './FlowRuleDialog.tsx';
import { periodText } from './flowText.ts';

export type FlowRule = components['schemas']['FlowRule'];

export default function FlowPage() {
  const { scopes } = useMe();
  const mayWrite = scopes.includes('manage');
  const [open, setOpen] = useState<FlowRule | 'new'>();
  const [leaving, setLeaving] = useState<FlowRule>();
  const rules = useAnswer(['flow-rules'], (signal) => api.GET('/platform/v1/flow-rules', { signal }));
  const remove = useChange(
    (id: string) =>
      answerOf(api.DELETE('/platform/v1/flow-rules/{flow_rule_id}', { params: { path: { flow_rule_id: id } } })),
    { stale: [['flow-rules'], ['runs']], done: 'Rule deleted', onSuccess: () => setLeaving(undefined) },
  );
  const columns = columnsOf(iconsOf(useAgents()));
  const create = mayWrite && <Button onClick={() => setOpen('new')}>Create rule</Button>;
  return (
    <>
      <PageHeader
        title="Flow control"
        description="How many runs of an agent this workspace has at once, and how many start in a period."
        actions={rules.data?.data.length !== 0 && create}
      />
      <DataTable
        label="Flow rules"
        columns={mayWrite ? [...columns, actionsOf(setOpen, setLeaving)] : columns}
        from={rowsFrom(rules, rules.data?.data)}
        rowKey={({ id }) => id}
        noun="rule"
        isStacked
        empty={
          <EmptyState drawing="run" title="No flow rules yet" action={create}>
            Let at most two runs of each customer go at once, or 60 start a minute. Further runs wait in a queue.
          </EmptyState>
        }
      />
      <FlowRuleDialog of={open} onClose={() => setOpen(undefined)} />
      <ConfirmDialog
        title="Delete this rule?"
        confirmLabel="Delete rule"
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving.id)}
        onClose={() => setLeaving(undefined)}
      >
        <Text size="sm">Runs that wait only for it start at once.</Text>
      </ConfirmDialog>
    </>
  );
}

const columnsOf = (icons: ReadonlyMap<string, string | null>): Column<FlowRule>[] => [
  {
    title: 'Agent',
    cell: ({ agent }) => (
      <Group gap="xs" wrap="nowrap">
        <AgentIcon id={agent} size={20} url={icons.get(agent) ?? null} />
        {agent}
      </Group>
    ),
  },
  {
    title: 'At once',
    cell: ({ concurrency }) => (concurrency ? <Limit text={String(concurrency.limit)} of={concurrency.key} /> : '—'),
  },
  {
    title: 'Starts',
    cell: ({ rate }) =>
      rate ? <Limit text={`${rate.limit} in ${periodText(rate.period_seconds)}`} of={rate.key} /> : '—',
  },
  {
    title: 'Further runs',
    cell: ({ rate }) => (rate?.when_exceeded === 'refuse' ? 'Refused above the rate' : 'Wait in the queue'),
  },
];

function Limit({ text, of }: { text: string; of: string | null }) {
  return (
    <div>
      {text}
      <div className="cell-sub is-id">{of ? <span className="id">{of}</span> : 'All runs'}</div>
    </div>
  );
}

const actionsOf = (change: (rule: FlowRule) => void, remove: (rule: FlowRule) => void): Column<FlowRule> => ({
  title: 'Actions',
  isTitleHidden: true,
  cell: (rule) => (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <IconAction tip="Change rule" name={`Change rule of ${rule.agent}`} onClick={() => change(rule)}>
        <Pencil1Icon />
      </IconAction>
      <IconAction tip="Delete rule" name={`Delete rule of ${rule.agent}`} onClick={() => remove(rule)}>
        <TrashIcon />
      </IconAction>
    </Group>
  ),
});
