import './life.css';
import { Button, Text } from '@mantine/core';
import { ShuffleIcon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, DateTime } from '../parts/figures.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { Status } from '../parts/Status.tsx';
import { ChannelDialog, type Channel } from './ChannelDialog.tsx';
import type { PublisherAgent, Version } from './configuration.ts';

const STABLE = 'stable';

/** The channels of an agent: which version callers of each name get. */
export function Channels({ agent, versions }: { agent: PublisherAgent; versions: Version[] }) {
  const path = { agent_id: agent.id };
  const [open, setOpen] = useState<Channel | 'new'>();
  const [leaving, setLeaving] = useState<Channel>();
  const channels = useAnswer(['publisher', 'channels', agent.id], (signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/channels', { params: { path }, signal }),
  );
  const remove = useChange(
    (channel: string) =>
      answerOf(
        api.DELETE('/v1/publisher/agents/{agent_id}/channels/{channel}', { params: { path: { ...path, channel } } }),
      ),
    { stale: [['publisher', 'channels']], done: 'Channel removed', onSuccess: () => setLeaving(undefined) },
  );
  const create = (
    <Button size="xs" variant="default" onClick={() => setOpen('new')}>
      Create channel
    </Button>
  );
  const actions: Column<Channel> = {
    title: 'Actions',
    isTitleHidden: true,
    cell: (channel) =>
      channel.name !== STABLE && (
        <span className="channel-actions">
          <IconAction tip="Move" name={`Move ${channel.name}`} onClick={() => setOpen(channel)}>
            <ShuffleIcon aria-hidden />
          </IconAction>
          <IconAction tip="Remove" name={`Remove ${channel.name}`} onClick={() => setLeaving(channel)}>
            <TrashIcon aria-hidden />
          </IconAction>
        </span>
      ),
  };
  return (
    <section aria-label="Channels">
      <DataTable<Channel>
        label="Channels"
        columns={[...COLUMNS, actions]}
        from={rowsFrom(channels, channels.data?.data)}
        rowKey={({ name }) => name}
        empty={
          <EmptyState drawing="signal" title="No channels yet" action={create}>
            A channel gives callers who ask for it another version, such as a beta.
          </EmptyState>
        }
      />
      {channels.data?.data.length ? <div className="channels-foot">{create}</div> : null}
      <ChannelDialog agent={agent} versions={versions} of={open} onClose={() => setOpen(undefined)} />
      <ConfirmDialog
        title={`Remove ${leaving?.name ?? 'the channel'}?`}
        confirmLabel="Remove channel"
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving.name)}
        onClose={() => setLeaving(undefined)}
      >
        <Text size="sm">Orders that name it are refused, and schedules of it pause.</Text>
      </ConfirmDialog>
    </section>
  );
}

const COLUMNS: Column<Channel>[] = [
  {
    title: 'Channel',
    cell: ({ name, agent }) => (
      <span className="channel-name">
        <span className="id">{name}</span>
        <CopyButton value={agent} name={`Copy ${agent}`} />
      </span>
    ),
  },
  { title: 'Version', cell: ({ version }) => version },
  {
    title: 'State',
    cell: ({ next }) =>
      next ? (
        <>
          <Status tone="held" word="Scheduled" />{' '}
          <Text span size="xs" c="dimmed">
            Version {next.version} from <DateTime at={next.active_from} />
          </Text>
        </>
      ) : (
        <Status tone="good" word="Active" />
      ),
  },
  { title: 'Moved', visibleFrom: 'sm', cell: ({ moved_at: at }) => (at ? <Ago at={at} /> : '—') },
];
