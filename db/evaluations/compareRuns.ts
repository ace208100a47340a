import type { AnyRows } from '../postgres/rows.ts';
import { costNanosOf, readEvaluationResults, type EvaluationResultRow } from './evaluationResults.ts';
import type { EvaluationRunRow } from './evaluationRuns.ts';

/** A case of another run, and what has changed since. */
export interface CaseComparison extends Pick<EvaluationResultRow, 'status' | 'runNanos' | 'judgeNanos' | 'durationMs'> {
  change: 'same' | 'regression' | 'fixed';
}

/** Another run, with the cases that both have, by name. */
export interface Comparison {
  run: EvaluationRunRow;
  costNanos: bigint;
  cases: Map<string, CaseComparison>;
}

interface Side {
  run: EvaluationRunRow;
  results: EvaluationResultRow[];
}

/** Compares the results of a run with those of another one, case by case. */
export async function compareRuns(rows: AnyRows, { run, results }: Side, other: EvaluationRunRow): Promise<Comparison> {
  const others = await readEvaluationResults(rows, other.id);
  const own = new Map(results.map((result) => [run.cases[result.place]!.name, result]));
  const shared = others.flatMap((result): [string, CaseComparison][] => {
    const { name } = other.cases[result.place]!;
    const mine = own.get(name);
    return mine ? [[name, { ...result, change: changeOf(result, mine) }]] : [];
  });
  return { run: other, costNanos: costNanosOf(others), cases: new Map(shared) };
}

function changeOf(before: EvaluationResultRow, now: EvaluationResultRow): CaseComparison['change'] {
  const [hadPassed, hasPassed] = [before.status === 'passed', now.status === 'passed'];
  if (hadPassed === hasPassed) return 'same';
  return hasPassed ? 'fixed' : 'regression';
}
