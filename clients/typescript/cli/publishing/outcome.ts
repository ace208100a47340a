import type { Command } from 'commander';
import { APIError } from '../../src/index.ts';
import { printError } from '../errors.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { print, say, wantsJson } from '../output.ts';
import { presentFinding, Refused, textOfFinding } from './findings.ts';

/** What `publish` says to scripts. Not the codes of other commands: in CI the outcome of the review has to be clear. */
export const PublishExit = {
  approved: 0,
  failed: 1,
  changesRequested: 3,
  rejected: 4,
  timedOut: 5,
} as const;

export const publishExitsText = (): string =>
  [
    'Exit codes of publish:',
    '  0    approved; with --private, or without --wait: deployed, or submitted',
    '  1    failed: the folder or the evaluation did not pass, or the request failed',
    '  2    wrong options',
    '  3    a reviewer asks for changes',
    '  4    rejected',
    '  5    --timeout was over; the review goes on',
    '  130  ended by Ctrl-C; the review goes on',
  ].join('\n');

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
  approved: PublishExit.approved,
  deployed: PublishExit.approved,
  submitted: PublishExit.approved,
  changes_requested: PublishExit.changesRequested,
  rejected: PublishExit.rejected,
  timed_out: PublishExit.timedOut,
  interrupted: ExitCode.interrupted,
  withdrawn: PublishExit.failed,
  suspended: PublishExit.failed,
  evaluation_failed: PublishExit.failed,
  refused: PublishExit.failed,
  failed: PublishExit.failed,
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
  try {
    await work(report);
  } catch (error) {
    explain(report, error);
    if (error instanceof Refused) for (const finding of error.findings) say(textOfFinding(finding));
    if (!isJson) printError(error, command.optsWithGlobals<GlobalOptions>());
  }
  if (isJson) print(JSON.stringify(report, null, 2));
  return CODES[report.outcome];
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
