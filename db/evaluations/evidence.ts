import type { Finding } from '../agents/configuration.ts';
import type { AnyRows } from '../postgres/rows.ts';
import { countsOf, readEvaluationResults } from './evaluationResults.ts';
import { findLatestOf, type EvaluationRunRow } from './evaluationRuns.ts';
import { findEvaluationSet } from './evaluationSets.ts';

/** What the evaluation set of an agent says about one of its versions. */
export interface Evidence {
  state: 'no_set' | 'not_run' | 'stale' | 'passed' | 'failed';
  run: EvaluationRunRow | undefined;
}

type Version = { agentId: string; versionId: string };

/** The newest result of exactly this version's configuration: with the present cases, otherwise with earlier ones. */
export async function readEvidence(rows: AnyRows, version: Version): Promise<Evidence> {
  const set = await findEvaluationSet(rows, version.agentId);
  const current = set && (await findLatestOf(rows, { ...version, setRevision: set.revision }));
  if (current) return { state: current.status === 'passed' ? 'passed' : 'failed', run: current };
  const earlier = await findLatestOf(rows, version);
  if (!set) return { state: 'no_set', run: earlier };
  return { state: earlier ? 'stale' : 'not_run', run: earlier };
}

/** What a review is told of a version that its set does not speak for. */
export async function evaluationFindings(rows: AnyRows, version: Version): Promise<Finding[]> {
  const { state, run } = await readEvidence(rows, version);
  switch (state) {
    case 'no_set':
    case 'passed':
      return [];
    case 'not_run':
      return [
        advisory('evaluation_not_run', 'was not run with this version: run it, so that the review has its results.'),
      ];
    case 'stale':
      return [advisory('evaluation_stale', 'has changed since it was run with this version: run it again.')];
    case 'failed': {
      const { total, passed } = countsOf(await readEvaluationResults(rows, run!.id));
      return [advisory('evaluation_failed', `has ${total - passed} of ${total} cases that did not pass.`)];
    }
    default:
      return state satisfies never;
  }
}

const advisory = (code: string, message: string): Finding => ({
  severity: 'advisory',
  code,
  path: '',
  message: `The evaluation set ${message}`,
});
