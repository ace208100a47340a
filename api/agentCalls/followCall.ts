import type { EventText } from '../../db/events/readEvents.ts';
import { type RunRow, findRun, isTerminal } from '../../db/runs/runRow.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import { cancelAndNotify } from '../runs/cancelRun.ts';
import { openKeyedFeed } from '../runs/followRun.ts';
import type { Services } from '../services.ts';

interface Followed {
  /** The caller's key. */
  keyId: string;
  /** Aborts when the caller stops reading. */
  signal: AbortSignal;
  /** The number of the last event that the caller has. */
  after?: number;
  take: (events: EventText[]) => Promise<void> | void;
}

/**
 * Follows the run of a call until it has ended or requires action, the caller stops reading, or this process shuts down. Resolves with the
 * run. Throws 401 when the caller's key ends.
 */
export async function followCall(
  { db }: Pick<Services, 'db'>,
  run: RunRow,
  { keyId, signal, take, after = 0 }: Followed,
): Promise<RunRow> {
  const place = { workspaceId: run.workspace_id, runId: run.id };
  const feed = openKeyedFeed({ db }, keyId, { ...place, after, reached: run.last_sequence });
  signal.addEventListener('abort', feed.close, { once: true });
  if (signal.aborted) feed.close();
  let current = run;
  let seen = after;
  try {
    // Events up to the run's state are read too.
    while (!needsCaller(current) || seen < current.last_sequence) {
      const events = await feed.next();
      if (!events) break;
      seen = events.at(-1)!.sequence;
      await take(events);
      current = (await findRun(db.read(place.workspaceId), place.runId)) ?? current;
    }
  } finally {
    feed.close();
  }
  if (feed.hasKeyEnded()) throw keyEnded();
  return current;
}

/** Cancels the run of a call that was cancelled, unless it has ended. */
export async function cancelCall(services: Services, run: RunRow, reason: string): Promise<void> {
  if (isTerminal(run.status)) return;
  const place = { workspaceId: run.workspace_id, runId: run.id };
  await cancelAndNotify(services, { ...place, mode: 'immediate', reason });
}

/** Cancels the run of a call whose client has disconnected, unless it has ended or another call under the same key still follows it. */
export async function cancelLeft(services: Services, run: RunRow, reason: string): Promise<void> {
  const { db, shutdown } = services;
  if (isTerminal(run.status)) return;
  if (await db.answers.isRunFollowed(run.workspace_id, run.id, shutdown.hasBegun)) return;
  await cancelCall(services, run, reason);
}

/** Whether a run has ended, or waits for an answer that its caller has not sent yet. */
export const needsCaller = ({ status, required_action: action }: RunRow) =>
  isTerminal(status) || (status === 'requires_action' && !action?.answer);
