import '../parts/work.css';
import { Tabs } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PagePending } from '../shell/PageStates.tsx';
import Reviews from './Reviews.tsx';
import { Waiting } from './Waiting.tsx';

const PARTS = [
  { value: 'reviews', label: 'Reviews', Part: Reviews },
  { value: 'workspaces', label: 'Workspaces', Part: lazy(() => import('./Workspaces.tsx')) },
  { value: 'adjustments', label: 'Adjustments', Part: lazy(() => import('./Adjustments.tsx')) },
  { value: 'payouts', label: 'Payouts', Part: lazy(() => import('./Payouts.tsx')) },
  { value: 'upstreams', label: 'Upstreams', Part: lazy(() => import('./Upstreams.tsx')) },
  { value: 'audit', label: 'Audit trail', Part: lazy(() => import('./Audit.tsx')) },
];

export default function OperatePage() {
  const [{ tab = 'reviews' }, setSearch] = useSearchState();
  const list = useRef<HTMLDivElement>(null);
  // On a phone the chosen one may stand beside the screen.
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected=true]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab]);
  return (
    <>
      <PageHeader
        title="Operate"
        description="Reviews, money and upstreams of this installation. The audit trail records what is done here."
      />
      <Waiting />
      <Tabs mt="lg" value={tab} onChange={(value) => setSearch({ tab: value ?? 'reviews' })} keepMounted={false}>
        <Tabs.List ref={list} aria-label="What to operate" className="tabs-line">
          {PARTS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {PARTS.map(({ value, Part }) => (
          <Tabs.Panel key={value} value={value} pt="lg">
            <Suspense fallback={<PagePending />}>
              <Part />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
