import { Button, Stack } from '@mantine/core';
import { api, linkPath } from '../../api/client.ts';
import { usePages } from '../../api/hooks.ts';
import { useMe } from '../../api/me.ts';
import type { components } from '../../api/openapi.d.ts';
import { DataTable, type Column } from '../../parts/DataTable.tsx';
import type { AuditRow } from '../../operate/audit/changes.ts';
import { deedOf } from '../../operate/audit/sentences.ts';
import { DateTime } from '../../parts/figures.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { cut } from '../../parts/TableBody.tsx';
import { AuditExport } from './AuditExport.tsx';
import { capitalised } from '../../parts/capitalised.ts';

type Line = components['schemas']['AuditLogPage']['data'][number];

/** What was done in the workspace, and where it is exported to. */
export default function AuditLog() {
  const { role } = useMe();
  const lines = usePages(['audit-log'], (cursor, signal) =>
    api.GET('/platform/v1/audit_log', { params: { query: { cursor, limit: 50 } }, signal }),
  );
  return (
    <Stack gap="lg">
      {role === 'owner' && <AuditExport />}
      <Panel
        title="Audit log"
        description="Keys, members, roles, sign-ins with your company, limits and money."
        actions={
          <Button component="a" href={linkPath('/platform/v1/audit_log/download')} download variant="default">
            Download JSON lines
          </Button>
        }
      >
        <DataTable
          label="Audit log"
          isStacked
          columns={COLUMNS}
          from={lines}
          rowKey={({ id }) => id}
          empty="Nothing yet."
          noun="entry"
        />
      </Panel>
    </Stack>
  );
}

const COLUMNS: Column<Line>[] = [
  { title: 'Time', cell: ({ created_at: at }) => <DateTime at={at} /> },
  { title: 'Who', cell: ({ actor }) => <span className="cell-short">{actor.name ?? 'The platform'}</span> },
  { title: 'What', cell: (line) => <span className="cell-short">{capitalised(deedOf(rowOf(line)))}</span> },
  { title: 'Of', visibleFrom: 'sm', cell: ({ subject_id: id }) => <span className="id">{cut(id)}</span> },
];

/** An entry as operators read it, without the names that only they are given. */
const rowOf = ({ actor, ...line }: Line): AuditRow => ({
  ...line,
  workspace_name: null,
  subject_name: null,
  by: actor.name,
  user_id: actor.type === 'person' ? actor.id : null,
  key_id: actor.type === 'key' ? actor.id : null,
});
