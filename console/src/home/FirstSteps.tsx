import { lazy, Suspense, useState } from 'react';
import type { Overview } from '../api/shapes.ts';

// Only a new account loads their code samples and tabs.
const Steps = lazy(() => import('./Steps.tsx'));

export interface Key {
  revoked_at: string | null;
  last_used_at: string | null;
}

/** How far a new workspace is. */
export function progressOf(overview: Overview, keys: Key[]) {
  const live = keys.filter((key) => key.revoked_at === null);
  const hasSpent = overview.spend_month_usd > 0 || overview.spend_last_month_usd > 0;
  return {
    hasCredit: overview.balance_usd > 0 || hasSpent,
    hasKey: live.length > 0,
    isCalled: hasSpent || live.some((key) => key.last_used_at !== null),
  };
}

export type Progress = ReturnType<typeof progressOf>;

export const isDone = ({ hasCredit, isCalled }: Progress): boolean => hasCredit && isCalled;

/** The first steps of a new workspace, which turn green by themselves. Done ones stay until the page is left. */
export function FirstSteps({ progress }: { progress: Progress }) {
  const [wasOpen] = useState(!isDone(progress));
  const [isHidden, setHidden] = useState(false);
  if (!wasOpen || isHidden) return null;
  return (
    <Suspense fallback={<div className="panel steps-space" />}>
      <Steps progress={progress} isDone={isDone(progress)} onHide={() => setHidden(true)} />
    </Suspense>
  );
}
