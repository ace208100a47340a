import { lazy, Suspense } from 'react';
import { Skeleton } from '@mantine/core';
import type { PictureProps } from './Picture.tsx';

export const loadPicture = () => import('./Picture.tsx');
const Loaded = lazy(loadPicture);

/** Bars over time or by name, stacked by series. The library of charts is loaded when the first one is shown. */
export function Chart(props: PictureProps) {
  const height = props.height ?? 260;
  return (
    <Suspense fallback={<Skeleton height={height} />}>
      <Loaded {...props} height={height} />
    </Suspense>
  );
}
