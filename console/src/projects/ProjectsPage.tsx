import './projects.css';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { rowsFrom } from '../api/hooks.ts';
import { useProjects } from '../api/projects.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { hasWords } from '../parts/hasWords.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateProject } from './ProjectDialogs.tsx';
import { projectColumns, projectPath } from './projectColumns.tsx';
import { useMayChange } from './useMayChange.ts';

const FILTERS: Filter[] = [
  {
    label: 'Status',
    names: ['state'],
    options: [
      { value: 'active', label: 'Active' },
      { value: 'archived', label: 'Archived' },
      { value: 'all', label: 'All' },
    ],
  },
];

/** The projects of the workspace, with what they spend of their limits. */
export default function ProjectsPage() {
  const mayChange = useMayChange();
  const navigate = useNavigate();
  const [{ create, state = 'active', q = '' }, set] = useSearchState();
  const projects = useProjects({ refetchInterval: 10_000 });
  const rows = useMemo(
    () =>
      projects.data?.data.filter(
        ({ status, name, id }) => (state === 'all' || status === state) && hasWords(`${name} ${id}`, q.trim()),
      ),
    [projects.data, state, q],
  );
  const columns = useMemo(() => projectColumns(rows), [rows]);
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project has keys, people, usage and a spend limit of its own. All share the balance of the workspace."
        actions={mayChange && <Button onClick={() => set({ create: '1' })}>Create project</Button>}
      />
      <div className="list-tools">
        <SearchField label="Search projects" hint="Name or ID" />
        <FilterBar filters={FILTERS} />
      </div>
      <DataTable
        label="Projects"
        columns={columns}
        from={rowsFrom(projects, rows)}
        rowKey={({ id }) => id}
        noun="project"
        rowTo={projectPath}
        empty={
          <EmptyState drawing="rows" title="No matching projects">
            No project fits these filters.
          </EmptyState>
        }
      />
      <CreateProject
        isOpen={mayChange && create !== undefined}
        onClose={() => set({ create: undefined })}
        onMade={(project) => void navigate({ href: projectPath(project) })}
      />
    </>
  );
}
