import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { cut } from '../parts/TableBody.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import type { CatalogModel } from './shapes.ts';

type Changed = Pick<CatalogModel, 'source' | 'changed_by' | 'changed_at' | 'changed_members' | 'problem'>;

/** Whether an entry is as in the file, or who changed it. */
export function Source({ of }: { of: Changed }) {
  if (of.source === 'file') return <>From the file</>;
  return (
    <>
      {authorOf(of)} on <DateTime at={of.changed_at} isDay />
    </>
  );
}

/** The same in a table. */
export function SourceCell({ of }: { of: Changed }) {
  if (of.source === 'file') return <>From the file</>;
  return (
    <span className="catalog-cell">
      {cut(authorOf(of))}
      <span className="catalog-muted">
        <DateTime at={of.changed_at} isDay />
      </span>
    </span>
  );
}

const authorOf = ({ source, changed_by: by }: Changed): string =>
  `${source === 'added' ? 'Added' : 'Changed'} by ${by}`;

/** What is changed, and why it may not apply. */
export function ChangedMembers({ of: { source, changed_members: members, problem } }: { of: Changed }) {
  return (
    <>
      {source === 'changed' && members.length > 0 && (
        <Text size="xs" c="dimmed">
          Changed: {members.map((member) => member.replaceAll('_', ' ')).join(', ')}
        </Text>
      )}
      {problem && (
        <Text size="xs" className="text-bad" role="status">
          Does not apply: {problem}
        </Text>
      )}
    </>
  );
}

/** Drops what was changed of an entry. An entry that the file does not have is removed. */
export function ReturnButton({
  kind,
  id,
  source,
  onReturned,
}: {
  kind: 'models' | 'upstreams';
  id: string;
  source: Changed['source'];
  onReturned?: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const isAdded = source === 'added';
  const change = useChange(() => sendJson(`/console/v1/catalog/${kind}/${encodeURIComponent(id)}/return`, {}), {
    stale: [['catalog'], ['models'], ['audit']],
    done: isAdded ? 'Removed' : 'As in the file again',
    onSuccess: () => {
      setOpen(false);
      onReturned?.();
    },
  });
  if (source === 'file') return null;
  const label = isAdded ? 'Remove' : 'Return to the file';
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        title={isAdded ? `Remove ${id}?` : `Return ${id} to the file?`}
        confirmLabel={label}
        isOpen={isOpen}
        isPending={change.isPending}
        onConfirm={() => change.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">
          {isAdded
            ? 'New calls are refused as for an unknown model; calls that run end normally. Its prices stay on record.'
            : 'What operators changed of it is dropped. Its price stays as it is.'}
        </Text>
      </ConfirmDialog>
    </>
  );
}
