import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useDeferredValue, useEffect, type ComponentType, type FunctionComponent } from 'react';
import type { PageEntry } from '../pages.ts';
import { PageHeader } from '../parts/PageHeader.tsx';

let isAnyDrawn = false;

/**
 * The component of a page. A click shows its title at once; the page itself is then drawn in slices between which the browser responds,
 * because a page of charts and tables takes longer than people wait for a sign that their click arrived.
 */
export function pageComponent({ load, title, menu }: PageEntry): FunctionComponent {
  const Loaded = lazy(load);
  const start = <PageStart title={title ?? menu?.label} />;
  return function Page() {
    // The first page of a visit follows no click.
    const isDue = useDeferredValue(true, !isAnyDrawn);
    return <Suspense fallback={start}>{isDue ? <Drawn page={Loaded} /> : start}</Suspense>;
  };
}

function Drawn({ page: Loaded }: { page: ComponentType }) {
  useEffect(() => {
    // The title had the focus until the page replaced it.
    if (isAnyDrawn && document.activeElement === document.body) focusTitle();
    isAnyDrawn = true;
  }, []);
  return <Loaded />;
}

/** A screen reader announces the new page, and Tab continues from its start. */
export const focusTitle = (): void => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

function PageStart({ title }: { title: string | undefined }) {
  return (
    <>
      {title ? <PageHeader title={title} /> : <Skeleton className="page-start" height={34} width={240} mb="lg" />}
      <Skeleton className="page-start" height={240} role="status" aria-label="The page is loading" />
    </>
  );
}
