import '../parts/work.css';
import { Tabs } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PagePending } from '../shell/PageStates.tsx';
import Overview from './overview/Overview.tsx';
import { Waiting } from './Waiting.tsx';

const PARTS = [
  { value: 'overview', label: 'Overview', Part: Overview },
  { value: 'reviews', label: 'Reviews', Part: lazy(() => import('./Reviews.tsx')) },
  { value: 'workspaces', label: 'Workspaces', Part: lazy(() => import('./Workspaces.tsx')) },
  { value: 'adjustments', label: 'Adjustments', Part: lazy(() => import('./Adjustments.tsx')) },
  { value: 'payouts', label: 'Payouts', Part: lazy(() => import('./Payouts.tsx')) },
  { value: 'models', label: 'Models', Part: lazy(() => import('../catalog/CatalogModels.tsx')) },
  { value: 'prices', label: 'Prices', Part: lazy(() => import('../catalog/Proposals.tsx')) },
  { value: 'upstreams', label: 'Upstreams', Part: lazy(() => import('../catalog/CatalogUpstreams.tsx')) },
  { value: 'audit', label: 'Audit trail', Part: lazy(() => import('./audit/Audit.tsx')) },
];

export default function OperatePage() {
  const [{ tab = 'overview' }, setSearch] = useSearchState();
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
        description="Money, customers, models and health of this installation. The audit trail records what is done here."
      />
      <Waiting />
      <Tabs mt="lg" value={tab} onChange={(value) => setSearch({ tab: value ?? 'overview' })} keepMounted={false}>
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
