import { Button } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { linkPath } from '../api/client.ts';

/** Downloads a list of the API with its filters: all rows as one file. */
export function ExportCsv({ path, filters }: { path: string; filters: Record<string, string | undefined> }) {
  const sent = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams([...sent, ['format', 'csv']]);
  return (
    <Button
      component="a"
      href={linkPath(`${path}?${query}`)}
      download
      size="xs"
      variant="default"
      leftSection={<DownloadIcon />}
    >
      Export CSV
    </Button>
  );
}
