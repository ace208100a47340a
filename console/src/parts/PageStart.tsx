import { Skeleton } from '@mantine/core';
import { PageHeader } from './PageHeader.tsx';

/** What stands in the place of a page while it is read: its title, if that is known, and a block. */
export function PageStart({ title }: { title?: string | undefined }) {
  return (
    <>
      {title ? <PageHeader title={title} /> : <Skeleton className="page-start" height={34} width={240} mb="lg" />}
      <Skeleton className="page-start" height={320} radius="md" role="status" aria-label="The page is loading" />
    </>
  );
}
