import type { EvaluationRun } from './evaluate.ts';
import { usd } from '../format.ts';
import { err, out } from '../terminal/colors.ts';
import { tableOf } from '../terminal/table.ts';

type Case = EvaluationRun['cases'][number];

const STYLES = { passed: 'green', failed: 'red', errored: 'yellow', cancelled: 'dim', queued: 'dim' } as const;
const SIGNS = { passed: '✓', failed: '✗', errored: '!', cancelled: '-', queued: '…' } as const;

/** Says each case of an evaluation run when it has ended, once. */
export function evaluationLog(say: (text: string) => void): (run: EvaluationRun) => void {
  const told = new Set<string>();
  return ({ cases }) => {
    for (const one of cases) {
      if (one.status === 'queued' || told.has(one.name)) continue;
      told.add(one.name);
      say(
        [
          `${err[STYLES[one.status]](SIGNS[one.status])} ${one.name}`,
          ...reasonsOf(one).map((text) => `    ${text}`),
        ].join('\n'),
      );
    }
  };
}

/** Why a case has not passed. */
function reasonsOf({ status, error, checks }: Case): string[] {
  if (status === 'passed') return [];
  const failed = checks.filter((check) => check.status !== 'passed');
  const ofChecks = failed.map(({ type, message, reason }) => `${type}: ${message}${reason ? ` ${reason}` : ''}`);
  return error ? [error.message, ...ofChecks] : ofChecks;
}

/** The results as a table, and what they come to. */
export function textOfEvaluation(run: EvaluationRun): string {
  const isCompared = run.comparison !== null;
  const table = tableOf<Case>(
    [
      { title: 'case', text: ({ name }) => name, shrinks: true },
      { title: 'result', text: ({ status }) => out[STYLES[status]](status) },
      { title: 'cost', text: ({ cost_usd: cost, judge_cost_usd: judges }) => usd(cost + judges), align: 'right' },
      { title: 'seconds', text: ({ duration_seconds: seconds }) => seconds?.toFixed(1), align: 'right' },
      ...(isCompared ? [{ title: 'before', text: ({ against }: Case) => against?.change }] : []),
    ],
    run.cases,
  );
  return `${table}\n\n${summaryOf(run)}`;
}

export function summaryOf({ status, result_counts: counts, cost_usd: cost, comparison }: EvaluationRun): string {
  const regressions = comparison?.regressions ?? [];
  return [
    `The evaluation ${status === 'passed' ? out.green('passed') : out.red(status)}: ${counts.passed} of ${counts.total} cases, ${usd(cost)}.`,
    ...(regressions.length > 0
      ? [`Passed with ${comparison!.version}, and do not now: ${regressions.join(', ')}.`]
      : []),
  ].join('\n');
}
