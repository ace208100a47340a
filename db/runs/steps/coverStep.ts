import type { ClientBase } from 'pg';
import { PROGRAM_MS_MAX } from '../../../base/limits.ts';
import type { Pricing } from '../../entities/agentJson.ts';
import { addThousandths, ONE_CALL, worthNanosOf, type ThousandthsByMeter } from '../cost/runCost.ts';
import type { RunRow } from '../runRow.ts';
import type { StepKind, StepRef } from '../stepFacts.ts';

// A program that has less time than this is not worth its start.
const PROGRAM_MS_MIN = 1_000;

/** Other steps of the run that use tools now, and how many of these run programs. */
export interface OpenTools {
  tools: number;
  programs: number;
}

/** What a step may use: a program at most so many milliseconds. */
export interface Cover {
  programMs: number;
}

/** The most that an attempt of a tool's step uses of what its run pays for. */
const mostOf = (kind: StepKind, programMs = PROGRAM_MS_MAX): ThousandthsByMeter =>
  kind === 'sandbox' ? { ...ONE_CALL, sandbox_seconds: programMs } : ONE_CALL;

/** Whether a step of this kind costs anything by this price list. */
export const isPriced = ({ meters }: Pick<Pricing, 'meters'>, kind: StepKind): boolean =>
  meters.some(({ id, price_usd }) => price_usd > 0 && id in mostOf(kind));

/**
 * What the run's hold covers of a tool's step, beside what the run has used and the most that its open steps may still use. A program
 * that runs alone gets the time that is left. Undefined when the step is not covered: not before an open one ends, if there is any.
 */
export function coverStep(run: RunRow, kind: StepKind, open: OpenTools): Cover | undefined {
  const heldNanos = BigInt(run.held_nanos);
  const reserved = mostOfOpen(open);
  const covers = (programMs: number) =>
    worthNanosOf(run, addThousandths(reserved, mostOf(kind, programMs))) <= heldNanos;
  if (covers(PROGRAM_MS_MAX)) return { programMs: PROGRAM_MS_MAX };
  if (kind !== 'sandbox' || open.tools > 0 || !covers(PROGRAM_MS_MIN)) return undefined;
  let programMs = PROGRAM_MS_MIN;
  for (let stepMs = PROGRAM_MS_MAX; stepMs >= 1; stepMs = Math.floor(stepMs / 2))
    if (covers(programMs + stepMs)) programMs += stepMs;
  return { programMs };
}

/** The most that open steps may use. */
export const mostOfOpen = ({ tools, programs }: OpenTools): ThousandthsByMeter => ({
  tool_calls: tools * 1_000,
  sandbox_seconds: programs * PROGRAM_MS_MAX,
});

/** Counts the open steps of a run that use tools, without one. The caller has locked the run's row. */
export async function readOpenTools(client: ClientBase, { runId, step }: StepRef): Promise<OpenTools> {
  return (await client.query<OpenTools>({ name: 'run_steps_open_tools', text: OPEN, values: [runId, step] })).rows[0]!;
}

const OPEN = `
select count(*)::int as tools, count(*) filter (where kind = 'sandbox')::int as programs
from run_steps where run_id = $1 and step <> $2 and state = 'started' and kind in ('tool', 'sandbox', 'file')`;
