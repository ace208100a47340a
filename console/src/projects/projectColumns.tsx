import type { Project } from '../api/projects.ts';
import type { Column } from '../parts/DataTable.tsx';
import { Count, DateTime } from '../parts/figures.tsx';
import { SpendLimit } from '../parts/SpendLimit.tsx';
import { Status } from '../parts/Status.tsx';
import { sumText } from '../parts/nanos.ts';

export const projectPath = ({ id }: Pick<Project, 'id'>): string => `/projects/${id}`;

const ProjectStatus = ({ of: { status } }: { of: Project }) =>
  status === 'active' ? <Status tone="good" word="Active" /> : <Status tone="quiet" word="Archived" />;

/** The columns of the projects, with the sum of their spend below. */
export const projectColumns = (rows: Project[] | undefined): Column<Project>[] => [
  {
    title: 'Name',
    cell: (project) => (
      <>
        <span className="project-name" dir="auto" title={project.name}>
          {project.name}
        </span>
        {project.spend_limit !== null && (
          <span className="cell-sub mantine-hidden-from-sm">
            <SpendLimit of={project} />
          </span>
        )}
      </>
    ),
  },
  { title: 'Status', visibleFrom: 'sm', cell: (project) => <ProjectStatus of={project} /> },
  { title: 'Keys', isNumber: true, visibleFrom: 'sm', cell: ({ keys }) => <Count value={keys} /> },
  { title: 'Spend limit', visibleFrom: 'sm', cell: (project) => <SpendLimit of={project} /> },
  {
    title: 'Created',
    visibleFrom: 'lg',
    cell: ({ created_at: at }) => (at === null ? 'With the workspace' : <DateTime at={at} isDay />),
  },
  {
    title: 'This month',
    usd: ({ spend_monthly: usd }) => usd,
    sum: rows && sumText(rows.map(({ spend_monthly: usd }) => usd)),
  },
];
