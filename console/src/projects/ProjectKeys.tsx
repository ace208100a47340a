import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { usePages } from '../api/hooks.ts';
import { listKeys, type Key } from '../api/keys.ts';
import { useMe } from '../api/me.ts';
import type { Project } from '../api/projects.ts';
import { CreateKey } from '../keys/KeyDialogs.tsx';
import { keyColumns } from '../keys/keyColumns.tsx';
import { treeOf } from '../keys/keyTypes.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Panel } from '../parts/Panel.tsx';

/** The keys of a project that work, or would if it were not archived. */
export function ProjectKeys({ of: { id, status } }: { of: Project }) {
  const mayWrite = useMe().scopes.includes('manage');
  const [isCreating, setCreating] = useState(false);
  const keys = usePages<Key>(
    ['keys', 'of project', id],
    (cursor, signal) => listKeys({ project: id, status: 'live', cursor }, signal),
    { liveMs: 10_000 },
  );
  const rows = useMemo(() => keys.rows && treeOf(keys.rows).map((key) => ({ ...key, isOfFormer: false })), [keys.rows]);
  const columns = useMemo(() => keyColumns(keys.hasMore ? undefined : rows, mayWrite), [rows, keys.hasMore, mayWrite]);
  const create = mayWrite && status === 'active' && (
    <Button variant="default" onClick={() => setCreating(true)}>
      Create key
    </Button>
  );
  return (
    <Panel title="Keys" actions={rows?.length ? create : undefined}>
      <DataTable
        label="Keys"
        columns={columns}
        from={{ ...keys, rows }}
        rowKey={(key) => key.id}
        noun="key"
        rowTo={(key) => `/requests?key=${key.id}`}
        empty={
          <EmptyState drawing="key" title="No keys yet" action={create}>
            Calls with the keys of a project count for it.
            {status === 'active' && ' Create one here, or move one by its project.'}
          </EmptyState>
        }
      />
      <CreateKey project={id} isOpen={isCreating} onClose={() => setCreating(false)} />
    </Panel>
  );
}
