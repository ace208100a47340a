import '../parts/work.css';
import { ActionIcon, Button, Group, Skeleton, Text, Tooltip } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { linkPath, send } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { indented } from '../parts/readable.ts';
import { sizeText } from './sizes.ts';

const TEXT_TYPES = /^text\/|json|xml|yaml|javascript|csv/;
const OFFICE_TYPES = /officedocument/;
const TEXT_BYTES_MAX = 200_000;
const PDF_TYPE = 'application/pdf';

/** The address of a file's bytes. They are sent as a download that no page may run. */
export const contentPath = (fileId: string): string => linkPath(`/v1/files/${fileId}/content`);

/**
 * A file by its name, to view or to download. Text is shown as text, whatever it contains; pictures, sound and PDF only by viewers that
 * run no code in them. Everything else is downloaded.
 */
export function FilePreview({
  id,
  name,
  mediaType,
  sizeBytes,
  showsPicture = false,
  isShown = false,
  actions,
}: {
  id: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  /** Shows a picture without a click. */
  showsPicture?: boolean;
  /** Shows its content without a click. */
  isShown?: boolean;
  /** More that can be done with it, as icons. */
  actions?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(isShown || (showsPicture && mediaType.startsWith('image/')));
  const kind = kindOf(mediaType);
  return (
    <div className="file">
      <div className="file-line">
        <div>
          <Text size="sm" fw={500} className="file-name">
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {mediaType} · {sizeText(sizeBytes)}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          {kind && (
            <Button size="xs" variant="default" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
              {isOpen ? 'Close' : 'Preview'}
              <span className="for-readers"> {name}</span>
            </Button>
          )}
          <DownloadAction id={id} name={name} />
          {actions}
        </Group>
      </div>
      {isOpen && kind && <Preview kind={kind} id={id} name={name} />}
    </div>
  );
}

/** Downloads a file. */
export const DownloadAction = ({ id, name }: { id: string; name: string }) => (
  <Tooltip label="Download">
    <ActionIcon
      component="a"
      variant="subtle"
      color="gray"
      href={contentPath(id)}
      download={name}
      aria-label={`Download ${name}`}
    >
      <DownloadIcon />
    </ActionIcon>
  </Tooltip>
);

type Kind = 'text' | 'image' | 'audio' | 'video' | 'pdf';

function kindOf(mediaType: string): Kind | null {
  // Phones have no viewer in the page.
  if (mediaType === PDF_TYPE) return navigator.pdfViewerEnabled ? 'pdf' : null;
  if (mediaType.startsWith('image/')) return 'image';
  if (mediaType.startsWith('audio/')) return 'audio';
  if (mediaType.startsWith('video/')) return 'video';
  // Office's type names contain "xml".
  return TEXT_TYPES.test(mediaType) && !OFFICE_TYPES.test(mediaType) ? 'text' : null;
}

function Preview({ kind, id, name }: { kind: Kind; id: string; name: string }) {
  if (kind === 'pdf') return <PdfPreview id={id} name={name} />;
  if (kind === 'image') return <img className="file-image" src={contentPath(id)} alt={name} />;
  if (kind === 'audio') return <audio className="file-sound" src={contentPath(id)} controls aria-label={name} />;
  if (kind === 'video') return <video className="file-image" src={contentPath(id)} controls aria-label={name} />;
  return <TextPreview id={id} name={name} />;
}

function TextPreview({ id, name }: { id: string; name: string }) {
  const text = useQuery({
    queryKey: ['files', id, 'text'],
    queryFn: async () => {
      const headers = { range: `bytes=0-${TEXT_BYTES_MAX - 1}` };
      return (await send(`/v1/files/${id}/content`, { headers })).text();
    },
    staleTime: Infinity,
  });
  if (text.error && text.data === undefined) return <Text className="text-bad">{sentenceOf(text.error)}</Text>;
  if (text.data === undefined) return <Skeleton height={160} mt="sm" />;
  return (
    <pre className="code file-text" tabIndex={0} role="region" aria-label={name}>
      {indented(text.data)}
    </pre>
  );
}

/**
 * The browser's own viewer, which refuses sandboxed frames. We set the type, whatever the file contains, and this page's policy applies
 * to the bytes: nothing in them runs as a page.
 */
function PdfPreview({ id, name }: { id: string; name: string }) {
  const [url, setUrl] = useState<string>();
  const bytes = useQuery({
    queryKey: ['files', id, 'bytes'],
    queryFn: async () => (await send(`/v1/files/${id}/content`)).arrayBuffer(),
    staleTime: Infinity,
    gcTime: 0,
  });
  useEffect(() => {
    if (!bytes.data) return undefined;
    const made = URL.createObjectURL(new Blob([bytes.data], { type: PDF_TYPE }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes.data]);
  if (bytes.error && bytes.data === undefined) return <Text className="text-bad">{sentenceOf(bytes.error)}</Text>;
  if (url === undefined) return <Skeleton className="file-pdf" />;
  return <iframe className="file-pdf" src={`${url}#navpanes=0`} title={name} />;
}
