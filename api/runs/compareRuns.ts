import { z } from 'zod';
import { readFiles } from '../../db/files/files.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { pairSteps } from '../../db/runs/steps/compareRuns.ts';
import { COMPARED_STEPS_MAX, readComparedSteps } from '../../db/runs/steps/readSteps.ts';
import { findRun, type RunRow } from '../../db/runs/runRow.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { nothingToCompare } from './errors.ts';
import { runNotFound } from '../../orders/errors.ts';
import { presentRun, Run, type RunOutput } from './runAnswers.ts';
import type { ComparisonQuery } from './runSchema.ts';
import { presentStep, Step } from './stepAnswers.ts';

const pair = z.object({
  state: z
    .enum(['same', 'changed', 'only_first', 'only_second'])
    .describe('`same`: of the same model or tool, with equal arguments and results; `changed`: one of these differs.'),
  first: Step.nullable(),
  second: Step.nullable(),
});

const compared = Run.pick({
  id: true,
  agent: true,
  version: true,
  version_id: true,
  status: true,
  rerun_of: true,
  input: true,
  output: true,
  error: true,
  created_at: true,
  duration_seconds: true,
});

const side = compared.extend({
  total_usd: z.number().describe('US dollars.'),
  input_tokens: z.number(),
  output_tokens: z.number(),
  steps: z.int(),
  steps_truncated: z
    .boolean()
    .describe(`It has more than the ${COMPARED_STEPS_MAX} steps that are compared and counted here.`),
  reused_steps: z.int().describe('Those that cost nothing, because their results are another run’s.'),
});

/** The answer of a comparison. */
export const RunComparison = z.object({
  object: z.literal('run.comparison'),
  first: side,
  second: side,
  is_output_same: z.boolean().describe('Files are the same by their name and bytes, whatever their ids.'),
  steps: z.array(pair),
});

/** `GET /v1/runs/{run_id}/compare`: the steps of two runs of the workspace side by side, their outputs and totals. */
export function compareRuns({ db }: Services): Handler<z.output<typeof ComparisonQuery>> {
  return async (ctx) => {
    const { with: sentId } = ctx.state.input;
    const first = await readSide(ctx, db, pathId(ctx, 'run_id'));
    const otherId = sentId ?? first.run.rerun_of;
    if (otherId === null) throw nothingToCompare();
    const second = await readSide(ctx, db, otherId);
    const steps = pairSteps(first.steps, second.steps).map((two) => ({
      state: two.state,
      first: two.first && presentStep(first.run, two.first),
      second: two.second && presentStep(second.run, two.second),
    }));
    const sides = [first, second].map(({ run, steps: own, isTruncated }) => ({
      ...presentSide(
        run,
        own.map((row) => presentStep(run, row)),
      ),
      steps_truncated: isTruncated,
    }));
    ctx.body = {
      object: 'run.comparison',
      first: sides[0]!,
      second: sides[1]!,
      is_output_same: await isOutputSame(seenBy(db, ctx.state.key), sides[0]!.output, sides[1]!.output),
      steps,
    } satisfies z.infer<typeof RunComparison>;
  };
}

/** Whether two outputs say the same: each run has files of its own, whose ids differ. */
async function isOutputSame(rows: Rows, first: RunOutput[], second: RunOutput[]): Promise<boolean> {
  const ids = [...first, ...second].flatMap((item) => (item.type === 'output_file' ? [item.file_id] : []));
  const files = ids.length === 0 ? [] : await rows.statement((tx) => readFiles(tx, ids));
  const hashes = new Map(files.map(({ id, sha256 }) => [id, Buffer.from(sha256).toString('hex')]));
  const textOf = (output: RunOutput[]): string =>
    JSON.stringify(
      output.map((item) =>
        item.type === 'output_file' ? { ...item, file_id: hashes.get(item.file_id) ?? item.file_id } : item,
      ),
    );
  return textOf(first) === textOf(second);
}

async function readSide(ctx: Context, db: Services['db'], runId: string) {
  const rows = seenBy(db, ctx.state.key);
  const [run, compared] = await Promise.all([findRun(rows, runId), readComparedSteps(rows, runId)]);
  if (!run) throw runNotFound(runId);
  return { run, ...compared };
}

function presentSide(row: RunRow, steps: z.infer<typeof Step>[]): Omit<z.infer<typeof side>, 'steps_truncated'> {
  const run = presentRun(row);
  const sum = (member: 'input_tokens' | 'output_tokens') =>
    steps.reduce((total, step) => total + (step[member] ?? 0), 0);
  return {
    id: run.id,
    agent: run.agent,
    version: run.version,
    version_id: run.version_id,
    status: run.status,
    rerun_of: run.rerun_of,
    input: run.input,
    output: run.output,
    error: run.error,
    created_at: run.created_at,
    duration_seconds: run.duration_seconds,
    total_usd: run.usage.total_usd,
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    steps: steps.length,
    reused_steps: steps.filter(({ reused_from }) => reused_from !== null).length,
  };
}
