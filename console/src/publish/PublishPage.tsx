import './publish.css';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { AgentCell } from '../agents/AgentIcon.tsx';
import { iconsOf, useAgents } from '../agents/useAgents.ts';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Status } from '../parts/Status.tsx';
import type { PublisherAgent } from './configuration.ts';
import { Earnings } from './Earnings.tsx';
import { NewAgent } from './NewAgent.tsx';
import { DeploymentStatus } from './reviewParts.tsx';

// With more agents, the earnings would be far below: rows come by themselves as one scrolls to them.
const FIRST = 20;

export default function PublishPage() {
  const [isOpen, setOpen] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const agents = usePages<PublisherAgent>(['publisher', 'agents'], (cursor, signal) =>
    api.GET('/v1/publisher/agents', { params: { query: { limit: 50, cursor } }, signal }),
  );
  const isCut = !isWhole && agents.rows !== undefined && agents.rows.length > FIRST;
  const icons = iconsOf(useAgents());
  const create = <Button onClick={() => setOpen(true)}>New agent</Button>;
  return (
    <>
      <PageHeader
        title="Publish"
        description="Your agents: draft, try, submit for review, and earn from each run."
        actions={agents.rows?.length !== 0 && create}
      />
      <Stack gap="lg" className="in-order">
        <div>
          <DataTable
            label="Your agents"
            columns={columnsWith(icons)}
            from={isCut ? { ...agents, rows: agents.rows?.slice(0, FIRST), hasMore: false } : agents}
            rowKey={({ id }) => id}
            rowTo={({ id }) => `/publish/${id}`}
            empty={
              <EmptyState drawing="run" title="Publish your first agent" action={create}>
                Describe what it does, choose its tools, set a price and try it. You earn from each run.
              </EmptyState>
            }
          />
          {isCut && (
            <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
              Show all agents
            </Button>
          )}
        </div>
        {agents.rows?.length !== 0 && <Earnings />}
      </Stack>
      <Dialog title="New agent" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewAgent namespace={agents.rows?.[0]?.namespace} />
      </Dialog>
    </>
  );
}

/** The columns, with the icons of the agents that are public: by their ids. */
const columnsWith = (icons: ReadonlyMap<string, string | null>): Column<PublisherAgent>[] => [
  {
    title: 'Agent',
    cell: ({ namespace, slug, name }) => {
      const id = `${namespace}/${slug}`;
      return <AgentCell id={id} name={name || slug} url={icons.get(id) ?? null} />;
    },
  },
  {
    title: 'Status',
    cell: ({ public_deployment: live, public_submission: submission }) => (
      <span className="agent-states">
        {live && <DeploymentStatus {...live} />}
        {submission && <DeploymentStatus {...submission} />}
        {!live && !submission && <Status tone="quiet" word="Draft" />}
      </span>
    ),
  },
  { title: 'Private', visibleFrom: 'sm', cell: ({ private_deployment: own }) => (own ? 'Deployed' : '—') },
  { title: 'Changed', visibleFrom: 'sm', cell: ({ updated_at: at }) => <Ago at={at} /> },
];
