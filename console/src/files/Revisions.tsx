import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { FilePreview } from './FilePreview.tsx';
import type { components } from '../api/openapi.d.ts';

/** A file's present and former contents, each to view or to download. Former ones are listed while their bytes are kept. */
export function Revisions({ entry }: { entry: components['schemas']['SessionFile'] }) {
  const path = { session_id: entry.session_id, entry_id: entry.id };
  const list = usePages(['sessions', entry.session_id, 'files', entry.id, 'revisions'], (cursor, signal) =>
    api.GET('/v1/sessions/{session_id}/files/{entry_id}/revisions', { params: { path, query: { cursor } }, signal }),
  );
  if (list.error && !list.rows) return <TableFailure error={list.error} retry={list.retry} />;
  if (!list.rows) return <Skeleton height={160} />;
  return (
    <Stack>
      {list.rows.map(({ id, file, created_at: writtenAt, is_current: isCurrent }) => (
        <div key={id}>
          <Text size="sm" fw={600}>
            {isCurrent ? 'Current, ' : 'Earlier, '}
            <Ago at={writtenAt} />
            {file.expires_at && !isCurrent && (
              <>
                , kept until {new Date(file.expires_at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}
              </>
            )}
          </Text>
          <FilePreview id={file.id} name={entry.name} mediaType={file.media_type} sizeBytes={file.size_bytes} />
        </div>
      ))}
      {list.hasMore && (
        <Button variant="default" onClick={list.loadMore} loading={list.isLoadingMore}>
          Earlier versions
        </Button>
      )}
    </Stack>
  );
}
