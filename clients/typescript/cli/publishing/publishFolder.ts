import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledgerline } from '../../src/index.ts';
import type { AgentFolder } from '../agentFolder/readFolder.ts';
import { config } from '../config.ts';
import { ExitCode } from '../exitCodes.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { statusLine } from '../terminal/statusLine.ts';
import { moveChannel } from './channels.ts';
import { sendDraft, type SentDraft } from './draft.ts';
import { evaluateDraft } from './evaluateDraft.ts';
import { summaryOf } from './evaluationLog.ts';
import { feedbackFindings, placing, presentFinding } from './findings.ts';
import { openFolder } from './folderOption.ts';
import { untilInterrupted } from './interrupts.ts';
import { TimedOut, type PublishOutcome, type PublishReport } from './outcome.ts';
import { nameOf, readVersion, type Deployment } from './ownAgents.ts';
import { awaitReview, comment, isOpen, readReview, type Review } from './review.ts';
import { reviewLog } from './reviewLog.ts';
import { deployPrivately, submitForReview, type Deployed } from './submit.ts';

export interface PublishOptions {
  private?: boolean;
  wait?: boolean;
  timeout?: number;
  releaseNotes?: string;
  channel?: string;
  eval: boolean;
  evalMaxCost?: number;
  again?: boolean;
  replace?: boolean;
  testReview?: string;
}

interface Publication {
  folder: string;
  options: PublishOptions;
  /** What is known so far. */
  report: PublishReport;
}

/** Publishes the agent of a folder. The same content is never submitted twice: a second call finds what the first one made. */
export async function publishFolder(client: Ledgerline, { folder: path, options, report }: Publication): Promise<void> {
  const folder = await openFolder(path);
  report.agent = nameOf(folder);
  const sent = await placing(folder.placeOf, () => sendDraft(client, folder));
  report.agent_id = sent.agent.id;
  sayDraft(report.agent, sent);
  if (options.eval && !options.private && !(await evaluated(client, { folder, sent, options, report }))) return;
  const deployed = await placing(folder.placeOf, () => deploy(client, sent, options));
  await note(client, report, deployed);
  if (options.private) await endPrivate(client, { folder, options, report });
  else await followReview(client, { folder, options, report, deployed });
}

const deploy = (client: Ledgerline, sent: SentDraft, options: PublishOptions): Promise<Deployed> =>
  options.private
    ? deployPrivately(client, sent)
    : submitForReview(client, sent, {
        again: options.again ?? false,
        replace: options.replace ?? false,
        testReview: options.testReview,
      });

function sayDraft(name: string, { agent, changed }: SentDraft): void {
  if (changed === 'created') say(`Created ${name}.`);
  else if (changed.length > 0) say(`Changed the draft of ${name}: ${changed.join(', ')}.`);
  for (const { path, message } of agent.notices) say(err.dim(`${path.slice(1).replaceAll('/', '.')} ${message}`));
}

interface Step {
  folder: AgentFolder;
  options: PublishOptions;
  report: PublishReport;
}

/** Whether the evaluation set of the folder passes; a folder without one does. */
async function evaluated(
  client: Ledgerline,
  { folder, sent, options, report }: Step & { sent: SentDraft },
): Promise<boolean> {
  const order = { version: 'draft', maxCostUsd: options.evalMaxCost, again: false };
  const run = await evaluateDraft(client, { ...sent, folder, options: order });
  if (!run) return true;
  const { passed, total } = run.result_counts;
  report.evaluation = { run_id: run.id, status: run.status, passed, total, cost_usd: run.cost_usd };
  say(summaryOf(run));
  if (run.status === 'passed') return true;
  report.outcome = 'evaluation_failed';
  report.message = 'The evaluation did not pass: nothing was submitted. `--no-eval` submits without it.';
  say(report.message);
  return false;
}

async function note(client: Ledgerline, report: PublishReport, { deployment, isNew }: Deployed): Promise<void> {
  const version = await readVersion(client, deployment.version_id);
  report.version_id = version.id;
  report.version = version.version;
  report.is_new = isNew;
  noteState(report, deployment);
}

function noteState(report: PublishReport, { id, status, active_from: from, rollout }: Deployment): void {
  report.deployment_id = id;
  report.status = status;
  report.active_from = from;
  report.rollout_percentage = rollout?.percentage ?? null;
}

async function endPrivate(client: Ledgerline, { folder, options, report }: Step): Promise<void> {
  if (options.channel) await moveChannel(client, report.agent_id!, options.channel, report.version_id!);
  report.outcome = 'deployed';
  const was = report.is_new ? 'is deployed' : 'was deployed already';
  report.message = `${report.agent} (${report.version}) ${was} in your workspace.`;
  say(`${err.green('✓')} ${report.message}`);
  say(`  ${config.program} run ${report.agent} --private ${exampleText(folder)}`);
}

/** The first example as an argument of `run`. */
function exampleText({ examples, configuration }: AgentFolder): string {
  const prompt = examples.find((example) => example.prompt !== null)?.prompt;
  if (configuration.input_schema) return `--data ${prompt ? shellText(prompt) : '@input.json'}`;
  return shellText(prompt ?? 'Hello');
}

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

async function followReview(client: Ledgerline, step: Step & { deployed: Deployed }): Promise<void> {
  const { options, report, deployed } = step;
  const id = deployed.deployment.id;
  say(
    deployed.isNew
      ? `Submitted ${report.agent} (${report.version}) for review: ${id}.`
      : `${report.agent} (${report.version}) was submitted before: ${id}.`,
  );
  if (options.releaseNotes) await commentOnce(client, id, options.releaseNotes);
  const review = options.wait ? await waited(client, step, id) : await seenOnce(client, step, id);
  conclude(review, step);
  if (report.outcome === 'approved' && options.channel)
    await moveChannel(client, report.agent_id!, options.channel, report.version_id!);
}

/** A second call with the same words says nothing new. */
async function commentOnce(client: Ledgerline, deploymentId: string, message: string): Promise<void> {
  const { deployment, comments } = await readReview(client, deploymentId);
  if (deployment.status !== 'in_review' || comments.some((one) => one.message === message.trim())) return;
  await comment(client, deploymentId, message);
}

/** A review that has ended is said as to who waited for it. */
async function seenOnce(client: Ledgerline, { folder }: Step, deploymentId: string): Promise<Review> {
  const review = await readReview(client, deploymentId);
  if (!isOpen(review.deployment)) reviewLog(folder, statusLine())(review);
  return review;
}

async function waited(client: Ledgerline, { folder, options }: Step, deploymentId: string): Promise<Review> {
  const status = statusLine();
  const seen = reviewLog(folder, status);
  const lost = ({ message }: Error) => status.set(`${message} Tries again.`);
  const goesOn = `The review goes on. \`${config.program} publish --wait\` waits for it again.`;
  const timer = new AbortController();
  if (options.timeout !== undefined)
    void sleep(options.timeout * 60_000, undefined, { ref: false }).then(() =>
      timer.abort(
        new TimedOut(`The review has not ended after ${options.timeout} minutes.`, {
          hint: goesOn,
          exitCode: ExitCode.timedOut,
        }),
      ),
    );
  try {
    return await untilInterrupted(
      (stopped) => {
        const signal = AbortSignal.any([stopped, timer.signal]);
        return awaitReview(client, deploymentId, { signal, seen, lost }).catch((error: unknown) => {
          throw signal.aborted ? signal.reason : error;
        });
      },
      () => goesOn,
    );
  } finally {
    status.clear();
  }
}

/** Says how a review has ended, or how it stands. */
function conclude({ deployment }: Review, { folder, report }: Step): void {
  noteState(report, deployment);
  report.findings = feedbackFindings(deployment.review_feedback, folder).map(presentFinding);
  [report.outcome, report.message] = endOf(deployment, report);
  const sign = report.outcome === 'approved' ? err.green('✓ ') : report.outcome === 'submitted' ? '' : err.red('✗ ');
  say(`${sign}${report.message}`);
}

function endOf(
  { status, active_from: from, rollout }: Deployment,
  { agent, version }: PublishReport,
): [PublishOutcome, string] {
  const name = `${agent} (${version})`;
  switch (status) {
    case 'in_review':
      return ['submitted', `In review. \`${config.program} publish --wait\` waits for the outcome.`];
    case 'active':
    case 'superseded':
      return [
        'approved',
        rollout?.state === 'rolling'
          ? `${name} is approved: ${rollout.percentage} % of new sessions get it.`
          : `${name} is approved, and public.`,
      ];
    case 'scheduled':
      return ['approved', `${name} is approved. It is dearer: callers get it from ${from}.`];
    case 'changes_requested':
      return ['changes_requested', `${name}: a reviewer asks for changes. Change the files, and publish again.`];
    case 'rejected':
      return ['rejected', `${name} was rejected.`];
    case 'withdrawn':
      return ['withdrawn', `${name} was withdrawn.`];
    case 'suspended':
      return ['suspended', `${name} is suspended by an operator.`];
    default:
      return status satisfies never;
  }
}
