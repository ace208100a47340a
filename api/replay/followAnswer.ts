import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_BYTES_MAX } from '../../db/answers/keptCall.ts';
import type { StoredPart } from '../../db/answers/readParts.ts';
import { isPassing } from '../../db/postgres/databaseErrors.ts';
import { failFrames } from '../../calls/text/chat/choicePresenter.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { waitAtMost } from '../../base/waiting.ts';
import { dataEvent } from '../http/sse.ts';
import type { Services } from '../services.ts';
import type { KeptHead } from '../http/keptHead.ts';

// The owner's notice of more is a hint, the rows are the truth.
const POLL_HERE_MS = 1_000;
const POLL_ELSEWHERE_MS = 100;
// Between two questions whether another process still runs the call.
const ASK_MS = 1_000;
// A process that is busy misses one.
const UNANSWERED_MAX = 3;
// How long a reader waits for the database. The call itself goes on, for example during a restart of the database.
const AWAY_MS_MAX = 60_000;
const POLL_AWAY_MS = 250;

/** Which answer is followed, and from which part on. */
export interface Followed {
  workspaceId: string;
  requestId: string;
  from: number;
  /** How often its reader has tried before. */
  retries?: number;
  /** Whether its reader has gone. */
  isOver: () => boolean;
}

/**
 * The parts of an answer as they are stored, of a call of this process or of another: to its last one, or until no process runs it any
 * more. While it is followed the call goes on, although its client has disconnected. Waits while the database is away, for a minute.
 */
export async function* followAnswer(
  { db: { answers } }: Pick<Services, 'db'>,
  { workspaceId, requestId, from, retries, isOver }: Followed,
): AsyncGenerator<StoredPart[]> {
  const here = answers.find(workspaceId, requestId);
  const detach = here?.attach(retries);
  if (here) answers.hurry();
  const patient = <T>(read: () => Promise<T>) => whileAway(read, isOver);
  const isElsewhere = askedRepeatedly(() => patient(() => answers.askFor(workspaceId, requestId)));
  let next = from;
  let isLast = false;
  try {
    while (!isOver()) {
      // Before the read: nothing that is stored in the meantime is missed.
      const isRunningHere = here !== undefined && answers.find(workspaceId, requestId) === here;
      const more = isRunningHere ? here.stored() : undefined;
      const parts = await patient(() => answers.readParts(workspaceId, requestId, next));
      next += parts.length;
      // Other readers share them.
      if (parts.length > 0) yield [...parts];
      if (parts.length > 0 ? parts.at(-1)!.state !== 'open' : isLast) return;
      if (parts.length > 0) continue;
      if (more) await waitAtMost(POLL_HERE_MS, more);
      else isLast = here !== undefined || !(await isElsewhere());
    }
  } finally {
    detach?.();
  }
}

/** Reads again while the database is away. Throws its error after a minute, or when the reader has gone. */
async function whileAway<T>(read: () => Promise<T>, isOver: () => boolean): Promise<T> {
  const endsAtMs = performance.now() + AWAY_MS_MAX;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isPassing(error) || isOver() || performance.now() > endsAtMs) throw error;
    }
    await sleep(POLL_AWAY_MS);
  }
}

/** Asks at most each second. False: no process has answered several times, and none is paused that might run the call. */
function askedRepeatedly(
  ask: () => Promise<{ requestId: string | undefined; isSure: boolean }>,
): () => Promise<boolean> {
  let askedAtMs = -Infinity;
  let unanswered = 0;
  return async () => {
    if (unanswered === 0 && performance.now() - askedAtMs < ASK_MS) {
      await sleep(POLL_ELSEWHERE_MS);
      return true;
    }
    askedAtMs = performance.now();
    const { requestId, isSure } = await ask();
    unanswered = requestId === undefined && isSure ? unanswered + 1 : 0;
    if (unanswered < UNANSWERED_MAX) await sleep(POLL_ELSEWHERE_MS);
    return unanswered < UNANSWERED_MAX;
  };
}

type Unended = Exclude<StoredPart['state'], 'whole' | 'failed'>;

const NOT_KEPT = {
  large: `Streams above ${STREAM_BYTES_MAX / 1024 / 1024} MiB are not kept, and this one is larger.`,
  unkept: 'This stream is not kept, because too much was kept at that time already.',
};
const ENDINGS: Record<Unended, { code: string; message: string }> = {
  open: {
    code: 'stream_lost',
    message: 'The process that produced this stream was lost. What it had produced is complete above.',
  },
  left: {
    code: 'stream_abandoned',
    message: 'The generation ended when its client disconnected and did not come back in time.',
  },
  large: { code: 'stream_not_kept', message: `${NOT_KEPT.large} What follows is not here.` },
  unkept: { code: 'stream_not_kept', message: `${NOT_KEPT.unkept} What follows is not here.` },
};

/** Throws 410 `stream_not_kept` for an answer whose rest is not kept. */
export function refuseUnkept(state: StoredPart['state']): void {
  if (state !== 'large' && state !== 'unkept') return;
  throw new ApiError({ status: 410, code: 'stream_not_kept', message: `${NOT_KEPT[state]} It cannot be resumed.` });
}

/** Whether the events of a stream have numbers of their own. */
export const isNumbered = (head: Pick<KeptHead, 'route'> | undefined): boolean =>
  head?.route.endsWith('/responses') === true;

/**
 * The end of a stream that has none of its own: its client left it, the process that produced it died, or the rest is not kept. `events`
 * are before it.
 */
export function endingOf(
  state: StoredPart['state'],
  head: Pick<KeptHead, 'route'> | undefined,
  events: number,
): string {
  if (state === 'whole' || state === 'failed') return '';
  const { code, message } = ENDINGS[state];
  if (isNumbered(head))
    return `event: error\n${dataEvent({ type: 'error', code, message, param: null, sequence_number: events })}`;
  return failFrames({ message, type: 'api_error', param: null, code });
}
