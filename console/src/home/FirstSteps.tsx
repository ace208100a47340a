import { lazy, Suspense } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Overview } from '../api/shapes.ts';

// Only a new account loads their code samples and tabs.
const Steps = lazy(() => import('./Steps.tsx'));

/** The first steps of a new account. Hidden when all are done. */
export function FirstSteps({ overview }: { overview: Overview | undefined }) {
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }));
  if (!overview || !keys.data) return null;
  const hasCredit = overview.balance_usd > 0;
  const live = keys.data.data.filter((key) => key.revoked_at === null);
  const isCalled = live.some((key) => key.last_used_at !== null);
  if (hasCredit && isCalled) return null;
  return (
    <Suspense fallback={null}>
      <Steps hasCredit={hasCredit} hasKey={live.length > 0} isCalled={isCalled} />
    </Suspense>
  );
}
