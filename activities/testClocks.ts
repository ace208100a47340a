import { setTimeout as sleep } from 'node:timers/promises';
import { Context, log } from '@temporalio/activity';
import type { Database } from '../db/database.ts';
import { findSchedule } from '../db/schedules/schedules.ts';
import {
  endMove,
  isCalm,
  noteFollowed,
  readFiring,
  readPosition,
  stepClock,
  type ClockPosition,
  type Due,
} from '../db/testMode/testClock.ts';
import { reviewWorkflowId } from '../contracts/review.ts';
import type { ClockStep, TestClockInput } from '../contracts/test.ts';
import type { ReviewWorkflows, RunWorkflows, WebhookWorkflows } from './dependencies.ts';
import type { TemporalSchedules } from './schedules.ts';

/** Services that the activities of test clocks use. */
export interface TestClockDependencies {
  db: Pick<Database, 'everywhere' | 'read'>;
  workflows: Pick<RunWorkflows, 'resume' | 'turn'>;
  webhooks: { workflows: Pick<WebhookWorkflows, 'start'> };
  reviews: Pick<ReviewWorkflows, 'notifyDecided'>;
  schedules: { temporal: Pick<TemporalSchedules, 'sync' | 'fireAt' | 'timesBetween'> };
}

type Patient = { patienceMs: number };

/** The activities of test clocks. Each may be repeated. */
export function createTestClockActivities({ db, workflows, webhooks, reviews, schedules }: TestClockDependencies) {
  const { everywhere } = db;
  const { temporal } = schedules;

  /** The next step of a moving clock, once all work has ended or after a wait for it; null: it has reached its target. */
  async function planClockStep({
    workspaceId,
    patienceMs,
  }: TestClockInput & Patient): Promise<{ step: ClockStep | null; isCalm: boolean }> {
    const calm = await waitUntil(() => isCalm(everywhere, workspaceId), patienceMs);
    const position = await readPosition(everywhere, workspaceId);
    // A run may have been started with its full wait while the clock moved.
    if (!calm) await wakeDue({ workspaceId, aheadSeconds: position.aheadSeconds });
    const { now, aheadSeconds, targetSeconds } = position;
    if (aheadSeconds >= targetSeconds && (await endMove(everywhere, workspaceId))) return { step: null, isCalm: calm };
    const { atMs, firings } = await nextOf(position);
    const seconds = aheadSeconds + Math.ceil((atMs - now.getTime()) / 1_000);
    const next = Math.min(Math.max(aheadSeconds, seconds), targetSeconds);
    return { step: { at: new Date(atMs).toISOString(), aheadSeconds: next, firings }, isCalm: calm };
  }

  async function nextOf({ nextAt, target, followedTo, schedules: mayFire }: ClockPosition) {
    const until = nextAt ?? target;
    // Temporal may not have the last changes of a schedule yet.
    if (mayFire.length > 0) await temporal.sync();
    const firsts: { id: string; ms: number }[] = [];
    for (const { id, from } of mayFire) {
      const after = new Date(Math.max(followedTo.getTime(), Date.parse(from)));
      const [first] = after < until ? await temporal.timesBetween(id, { after, until }) : [];
      if (first) firsts.push({ id, ms: first.getTime() });
    }
    const atMs = Math.min(until.getTime(), ...firsts.map(({ ms }) => ms));
    return { atMs, firings: firsts.filter(({ ms }) => ms === atMs).map(({ id }) => id) };
  }

  /** Moves the clock and wakes the work that is due then. Schedules that fire at the same time fire one after the other. */
  async function takeClockStep({
    workspaceId,
    at,
    aheadSeconds,
    firings,
    patienceMs,
  }: TestClockInput & ClockStep & Patient): Promise<void> {
    await wakeDue({ workspaceId, aheadSeconds });
    const time = new Date(at);
    for (const scheduleId of firings) await fire({ workspaceId, scheduleId, at: time }, patienceMs);
    await noteFollowed(everywhere, workspaceId, time);
  }

  async function wakeDue(clock: { workspaceId: string; aheadSeconds: number }): Promise<void> {
    for (const due of await stepClock(everywhere, clock)) await wake(clock.workspaceId, due);
  }

  function wake(workspaceId: string, due: Due): Promise<void> {
    switch (due.kind) {
      case 'run':
        return workflows.resume(due.id);
      case 'flow':
        return workflows.turn({ workspaceId });
      case 'rollout':
        return reviews.notifyDecided(reviewWorkflowId(due.id));
      case 'webhook':
        return webhooks.workflows.start({ eventId: due.id, endpointId: due.endpoint, workspaceId }, { isAgain: true });
      default:
        return due satisfies never;
    }
  }

  async function fire(
    firing: { workspaceId: string; scheduleId: string; at: Date },
    patienceMs: number,
  ): Promise<void> {
    const { workspaceId, scheduleId, at } = firing;
    const schedule = await findSchedule(db.read(workspaceId), scheduleId);
    const { isDone, isBlocked } = await readFiring(everywhere, firing);
    if (!schedule || isDone) return;
    // The previous firing's workflow may stay open for a moment after its run has ended.
    await temporal.fireAt(scheduleId, at, isBlocked ? schedule.overlap : 'allow');
    const isLeftOut = isBlocked && (schedule.overlap === 'skip' || schedule.overlap === 'buffer_one');
    if (isLeftOut) return;
    const fired = await waitUntil(async () => (await readFiring(everywhere, firing)).isDone, patienceMs);
    if (!fired) log.warn('a schedule did not fire by its test clock in time', { scheduleId, at });
    await waitUntil(() => isCalm(everywhere, workspaceId), patienceMs);
  }

  return { planClockStep, takeClockStep };
}

const FIRST_POLL_MS = 50;
const POLL_MS_MAX = 1_000;

/** Polls the condition for at most `limitMs`. Returns whether it holds. */
async function waitUntil(isSo: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, POLL_MS_MAX)) {
    if (await isSo()) return true;
    if (performance.now() > endMs) return false;
    Context.current().heartbeat();
    await sleep(pollMs);
  }
}
