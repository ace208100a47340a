import { lazy, Suspense, useState } from 'react';
import type { AgentModel } from '../api/shapes.ts';
import { isDone, type Progress } from './progress.ts';

// Only a new account loads their code samples and tabs.
const Steps = lazy(() => import('./Steps.tsx'));

/** That this browser shows an operator no more that agents answer by rules. */
const HIDDEN = 'ledgerline-rules-suffice';

/**
 * The first steps of a new workspace, which turn green by themselves. Done ones stay until the page is left. `agents`: for operators, whose
 * installation may still have no model for agents.
 */
export function FirstSteps({ progress, agents }: { progress: Progress; agents: AgentModel | undefined }) {
  const needsModel = agents?.is_rehearsed === true && localStorage.getItem(HIDDEN) === null;
  const [wasOpen] = useState(!isDone(progress) || needsModel);
  const [isHidden, setHidden] = useState(false);
  if (!wasOpen || isHidden) return null;
  const hide = (): void => {
    if (needsModel) localStorage.setItem(HIDDEN, '1');
    setHidden(true);
  };
  return (
    <Suspense fallback={<div className="panel steps-space" />}>
      <Steps progress={progress} agents={agents} isDone={isDone(progress)} onHide={hide} />
    </Suspense>
  );
}
