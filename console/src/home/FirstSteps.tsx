import { lazy, Suspense, useState } from 'react';
import { isDone, type Progress } from './progress.ts';

// Only a new account loads their code samples and tabs.
const Steps = lazy(() => import('./Steps.tsx'));

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
