import '../../agents/agents.css';
import './audit.css';
import { Button, Stack, Text } from '@mantine/core';
import { Dialog } from '../../parts/ConfirmDialog.tsx';
import { CopiedId } from '../../parts/CopiedId.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { DateTime, unitName } from '../../parts/figures.tsx';
import { changesOf, fieldName, type AuditRow } from './changes.ts';
import { actorNameOf, sentenceOf } from './sentences.ts';

/** An entry of the audit: its sentence, the change member by member, and what it was done with. */
export function AuditEntry({
  row,
  onPerson,
  onClose,
}: {
  row: AuditRow | undefined;
  onPerson: (person: string) => void;
  onClose: () => void;
}) {
  return (
    <Dialog title="Audit entry" isOpen={row !== undefined} onClose={onClose}>
      {row && (
        <Stack gap="md">
          <Text fw={500}>{sentenceOf(row)}.</Text>
          <Changes row={row} />
          <Facts row={row} />
          {(row.user_id ?? row.key_id) && (
            <Button variant="default" onClick={() => onPerson((row.user_id ?? row.key_id)!)}>
              Show what else {actorNameOf(row)} did
            </Button>
          )}
        </Stack>
      )}
    </Dialog>
  );
}

function Changes({ row }: { row: AuditRow }) {
  const changes = changesOf(row);
  if (changes.length === 0) return null;
  const isDiff = changes.some(({ before }) => before !== undefined);
  return (
    <div className="audit-changes" role="group" aria-label="Changes" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {isDiff && <th scope="col">Before</th>}
            <th scope="col">{isDiff ? 'After' : 'Value'}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, field, before, after }) => (
            <tr key={name}>
              <th scope="row">{unitName(field)}</th>
              {isDiff && <td className={before === undefined ? undefined : 'audit-before'}>{before ?? ''}</td>}
              <td className={isDiff && before !== undefined ? 'audit-after' : undefined}>{after ?? 'removed'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Facts({ row }: { row: AuditRow }) {
  return (
    <dl className="side-facts">
      <Fact name="Time">
        <DateTime at={row.created_at} />
      </Fact>
      <Fact name="Action">
        <span className="id">{row.action}</span>
      </Fact>
      {row.workspace_id && (
        <Fact name="Workspace">
          {row.workspace_name} <CopiedId id={row.workspace_id} name="Copy the ID of the workspace" />
        </Fact>
      )}
      <Fact name={unitName(fieldName(row.subject_type.replaceAll('.', ' ')))}>
        <CopiedId id={row.subject_id} name="Copy the ID of the subject" />
      </Fact>
      <Fact name="Request">
        <CopiedId id={row.request_id} name="Copy the ID of the request" />
      </Fact>
    </dl>
  );
}
