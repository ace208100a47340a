import type { Command } from 'commander';
import { APIError } from '../../src/index.ts';
import { exitCodeOf, printError } from '../errors.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { print, say, wantsJson } from '../output.ts';
import { presentFinding, Refused, textOfFinding } from './findings.ts';

export type PublishOutcome =
  | 'approved'
  | 'deployed'
  | 'submitted'
  | 'changes_requested'
  | 'rejected'
  | 'withdrawn'
  | 'suspended'
  | 'evaluation_failed'
  | 'refused'
  | 'timed_out'
  | 'interrupted'
  | 'failed';

const CODES: Record<PublishOutcome, number> = {
  approved: ExitCode.done,
  deployed: ExitCode.done,
  submitted: ExitCode.done,
  changes_requested: ExitCode.changesRequested,
  rejected: ExitCode.rejected,
  timed_out: ExitCode.timedOut,
  interrupted: ExitCode.interrupted,
  withdrawn: ExitCode.failed,
  suspended: ExitCode.failed,
  evaluation_failed: ExitCode.failed,
  refused: ExitCode.failed,
  failed: ExitCode.failed,
};

/** What is known of a publication, as far as it got: what `--json` prints at the end. */
export interface PublishReport {
  object: 'publication';
  outcome: PublishOutcome;
  agent: string | null;
  agent_id: string | null;
  version_id: string | null;
  version: string | null;
  deployment_id: string | null;
  /** Whether this call made the deployment; false: the content was deployed or submitted before. */
  is_new: boolean | null;
  status: string | null;
  active_from: string | null;
  rollout_percentage: number | null;
  evaluation: { run_id: string; status: string; passed: number; total: number; cost_usd: number } | null;
  findings: ReturnType<typeof presentFinding>[];
  message: string;
  error: { code: string | null; status: number; request_id: string | null } | null;
}

const nothing = (): PublishReport => ({
  object: 'publication',
  outcome: 'failed',
  agent: null,
  agent_id: null,
  version_id: null,
  version: null,
  deployment_id: null,
  is_new: null,
  status: null,
  active_from: null,
  rollout_percentage: null,
  evaluation: null,
  findings: [],
  message: '',
  error: null,
});

/** Thrown by a wait that `--timeout` has ended. */
export class TimedOut extends Failure {}

/** Runs a publication, and prints its report: one JSON with `--json`, and sentences otherwise. Answers with the exit code. */
export async function reporting(command: Command, work: (report: PublishReport) => Promise<void>): Promise<number> {
  const report = nothing();
  const isJson = wantsJson(command);
  const options = command.optsWithGlobals<GlobalOptions>();
  let failure: number | undefined;
  try {
    await work(report);
  } catch (error) {
    explain(report, error);
    if (report.outcome === 'failed') failure = exitCodeOf(error, options);
    if (error instanceof Refused) for (const finding of error.findings) say(textOfFinding(finding));
    if (!isJson) printError(error, options);
  }
  if (isJson) print(JSON.stringify(report, null, 2));
  return failure ?? CODES[report.outcome];
}

function explain(report: PublishReport, error: unknown): void {
  report.outcome = outcomeOf(error);
  report.message = (error as Error).message;
  if (error instanceof Refused) report.findings = error.findings.map(presentFinding);
  if (error instanceof APIError) report.error = { code: error.code, status: error.status, request_id: error.requestId };
}

function outcomeOf(error: unknown): PublishOutcome {
  if (error instanceof Refused) return 'refused';
  if (error instanceof TimedOut) return 'timed_out';
  return error instanceof Failure && error.exitCode === ExitCode.interrupted ? 'interrupted' : 'failed';
}
