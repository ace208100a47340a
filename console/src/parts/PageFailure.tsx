import { Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TableFailure } from './DataTable.tsx';
import { PageHeader } from './PageHeader.tsx';
import { pageAt } from './pageAt.ts';

/** In the place of a page about one thing that could not be read, with a way back to the list of such things. */
export function PageFailure({
  title,
  id,
  error,
  retry,
  list,
}: {
  /** What kind of thing it is. */
  title: string;
  id: string;
  error: Error;
  retry: () => void;
  list: { path: string; name: string };
}) {
  return (
    <>
      <PageHeader title={title} description={<span className="id">{id}</span>} />
      <Stack>
        <TableFailure error={error} retry={retry} />
        <div>
          <Anchor component={Link} {...pageAt(list.path)}>
            {list.name}
          </Anchor>
        </div>
      </Stack>
    </>
  );
}
