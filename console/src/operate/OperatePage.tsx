import '../parts/work.css';
import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { TabsLine } from '../parts/TabsLine.tsx';
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
  const [search, setSearch] = useSearchState();
  const tab = tabOf(PARTS, search.tab);
  return (
    <>
      <PageHeader
        title="Operate"
        description="Money, customers, models and health of this installation. The audit trail records what is done here."
      />
      <Waiting />
      <Tabs mt="lg" value={tab} onChange={(value) => setSearch({ tab: value ?? 'overview' })} keepMounted={false}>
        <TabsLine label="What to operate" chosen={tab} tabs={PARTS} />
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
