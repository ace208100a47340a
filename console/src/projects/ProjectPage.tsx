import './projects.css';
import { Alert, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { DEFAULT_PROJECT, type Project } from '../api/projects.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Count, DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { SpendLimit } from '../parts/SpendLimit.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { ArchiveProject, EditProject, useProjectChange } from './ProjectDialogs.tsx';
import { ProjectKeys } from './ProjectKeys.tsx';
import { ProjectMembers } from './ProjectMembers.tsx';
import { ProjectUsage } from './ProjectUsage.tsx';
import { useMayChange } from './useMayChange.ts';

/** One project: what it spends, its keys, and who sees it. */
export default function ProjectPage() {
  const id = usePathParam('id');
  const project = useAnswer(
    ['projects', id],
    (signal) => api.GET('/platform/v1/projects/{project_id}', { params: { path: { project_id: id } }, signal }),
    { refetchInterval: 10_000 },
  );
  if (project.error && !project.data) {
    const list = { path: '/projects', name: 'All projects' };
    return (
      <PageFailure title="Project" id={id} error={project.error} retry={() => void project.refetch()} list={list} />
    );
  }
  if (!project.data) return <PageStart />;
  const { data } = project;
  return (
    <>
      <PageHeader
        title={data.name}
        description={<CopiedId id={data.id} name="Copy the ID of the project" />}
        actions={<Actions of={data} />}
      />
      {data.status === 'archived' && (
        <Alert color="gray" mb="md" title="Archived">
          Its keys are refused since <DateTime at={data.archived_at} />. What it used stays readable.
        </Alert>
      )}
      <Sums of={data} />
      <div className="project-page">
        <ProjectUsage projectId={data.id} />
        <ProjectKeys of={data} />
        <ProjectMembers of={data} />
      </div>
    </>
  );
}

function Actions({ of: project }: { of: Project }) {
  const mayChange = useMayChange() && project.id !== DEFAULT_PROJECT;
  const [open, setOpen] = useState<'edit' | 'archive'>();
  const restore = useProjectChange(project, 'Project restored');
  const close = () => setOpen(undefined);
  return (
    <>
      {mayChange && project.status === 'active' && (
        <>
          <Button onClick={() => setOpen('edit')}>Edit</Button>
          <Button variant="default" onClick={() => setOpen('archive')}>
            Archive
          </Button>
        </>
      )}
      {mayChange && project.status === 'archived' && (
        <Button loading={restore.isPending} onClick={() => restore.mutate({ status: 'active' })}>
          Restore
        </Button>
      )}
      <Button component={Link} variant="default" {...pageAt('/requests', { project: project.id })}>
        Requests
      </Button>
      {open === 'edit' && <EditProject of={project} isOpen onClose={close} />}
      {open === 'archive' && <ArchiveProject of={project} isOpen onClose={close} />}
    </>
  );
}

const RESETS = { daily: 'each day', monthly: 'each month' };

function Sums({ of: project }: { of: Project }) {
  const { spend_limit: limit, spend_limit_period: period, spend_limit_remaining: left, keys } = project;
  return (
    <Figures label="Spend">
      <Figure label="This month" value={<Money usd={project.spend_monthly} isRounded />}>
        <Money usd={project.spend_daily} isRounded /> today
      </Figure>
      <Figure label="All time" value={<Money usd={project.spend_total} isRounded />} />
      <Figure label="Left of the limit" value={limit === null ? '—' : <Money usd={left} isRounded />}>
        {limit === null ? (
          'No limit'
        ) : (
          <>
            of <Money usd={limit} isRounded /> {period ? RESETS[period] : 'in all'}
            <SpendLimit of={project} isBare />
          </>
        )}
      </Figure>
      <Figure label="Active keys" value={<Count value={keys} />} />
    </Figures>
  );
}
