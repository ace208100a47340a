import { Skeleton } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { PageHeader } from './PageHeader.tsx';

// A page that is there sooner shows none.
const DELAY_MS = 150;

/** When the present start, or the one that it follows, was first drawn. */
let beganMs: number | null = null;

/** What stands in the place of a page while it is read: its title, if that is known, and a block. */
export function PageStart({ title }: { title?: string | undefined }) {
  // That of a page's data follows that of its file, and fades in no second time.
  const [ownMs] = useState(() => beganMs ?? performance.now());
  useLayoutEffect(() => {
    beganMs = ownMs;
    return () => {
      beganMs = null;
    };
  }, [ownMs]);
  const [animationDelay] = useState(() => `${Math.round(DELAY_MS + ownMs - performance.now())}ms`);
  const look = { className: 'page-start', style: { animationDelay } };
  return (
    <>
      {title ? <PageHeader title={title} /> : <Skeleton {...look} height={34} width={240} mb="lg" />}
      <Skeleton {...look} height={320} radius="md" role="status" aria-label="The page is loading" />
    </>
  );
}
