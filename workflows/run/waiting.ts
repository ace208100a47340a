import { condition } from '@temporalio/workflow';
import type { PauseOrder, RunEnding } from '../../activities/index.ts';
import { ANSWER_LIMIT_MS } from '../../base/limits.ts';
import { calls } from './calls.ts';
import type { Job } from './job.ts';

const ANSWER_TIMEOUT: RunEnding = { status: 'limit_reached', limit: 'answer_timeout' };

const RECHECK_MS = 1_000;

const WAITS_FOR: Record<PauseOrder['type'], string> = {
  text: 'Waits for an answer.',
  raise_limit: 'Waits for a higher limit.',
  plugin: 'Waits for what a plugin needs.',
};

/** Waits for one thing: more money, or what a plugin needs. Runs of earlier versions also wait for one question at a time. */
export async function waitForCaller(job: Job, order: PauseOrder): Promise<RunEnding | undefined> {
  const { runId, view, answers } = job;
  const pausedAtMs = Date.now();
  let seen = answers.received;
  await calls.pause(order);
  view.status('requires_action', WAITS_FOR[order.type]);
  // What a plugin needs may have been given before the run waited for it.
  let isResumed = order.type === 'plugin' && (await calls.resume(runId, order.step)) !== null;
  while (!isResumed) {
    const leftMs = Math.max(RECHECK_MS, pausedAtMs + ANSWER_LIMIT_MS - Date.now());
    await condition(() => answers.received > seen, leftMs);
    seen = answers.received;
    const taken = await calls.resume(runId, order.step);
    isResumed = taken !== null && !taken.isExpired;
    // Only the row says that the time is up: its clock may be behind this one, and takes an answer until then.
    if (taken?.isExpired) return ANSWER_TIMEOUT;
  }
  job.deadlineMs! += Date.now() - pausedAtMs;
  view.status('in_progress', 'Continues.');
  return undefined;
}

/**
 * Asks the caller all questions and approvals of a turn together, and waits until each has its answer: the caller's, or a default when
 * its time is up. Returns the steps that have their result by that, or how the run ends.
 */
export async function askTogether(
  job: Job,
  modelStep: number,
  steps: number[],
): Promise<{ ending: RunEnding } | { settled: number[] }> {
  const { runId, view, answers } = job;
  const order = { runId, modelStep, steps };
  const pausedAtMs = Date.now();
  let seen = answers.received;
  let waiting = await calls.ask(order);
  if (waiting.waitMs === undefined) return waiting;
  view.status('requires_action', 'Waits for answers.');
  while (waiting.waitMs !== undefined) {
    await condition(() => answers.received > seen, waiting.waitMs);
    seen = answers.received;
    waiting = await calls.takeAnswers(order);
    if (waiting.isExpired) return { ending: ANSWER_TIMEOUT };
  }
  job.deadlineMs! += Date.now() - pausedAtMs;
  view.status('in_progress', 'Continues.');
  return waiting;
}
