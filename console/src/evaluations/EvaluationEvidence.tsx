import '../runs/runs.css';
import { Text } from '@mantine/core';
import type { components } from '../api/openapi.d.ts';
import { Panel } from '../parts/Panel.tsx';
import { RunResults } from './Results.tsx';

type Evidence = components['schemas']['DeploymentEvaluation'];

const NOTES: Record<Exclude<Evidence['state'], 'no_set'>, string> = {
  not_run: 'The set was not run with this version.',
  stale: 'The cases have changed since they were run with this version.',
  passed: 'The publisher’s cases, run with exactly this version.',
  failed: 'The publisher’s cases, run with exactly this version. Not all passed.',
};

/** What the evaluation set says about a submitted version; nothing for an agent without one. */
export function EvaluationEvidence({ of, hasRuns = false }: { of: Evidence | undefined; hasRuns?: boolean }) {
  if (!of || (of.state === 'no_set' && !of.run)) return null;
  return (
    <Panel title="Evaluation" description={of.state === 'no_set' ? 'The set was deleted since.' : NOTES[of.state]}>
      {of.run ? (
        <RunResults run={of.run} hasRuns={hasRuns} />
      ) : (
        <Text size="sm" c="dimmed">
          No results.
        </Text>
      )}
    </Panel>
  );
}
