import type { RowsOfAll } from '../postgres/rows.ts';
import { oneAtATime } from '../../base/waiting.ts';
import type { Notices } from '../postgres/notices.ts';
import {
  createEventWindow,
  type EventText,
  type EventWindow,
  findEventLog,
  readEvents,
  type EventLog,
  type EventObject,
} from './readEvents.ts';

const POLL_MS = 1_000;
const PAGE_EVENTS = 200;

/** One reader's position in a run's events. */
export interface RunFeed {
  /** The next events, in order and without a gap, as soon as there are any; undefined when the feed was closed. */
  next: () => Promise<EventText[] | undefined>;
  close: () => void;
}

export type RunFollows = ReturnType<typeof createRunFollows>;

/**
 * Follows runs for readers: each run's new events are read once per process and kept in a window shared by all its readers. A reader
 * behind the window reads its own pages. Notices announce new events; one query a second over all followed runs finds missed ones.
 */
export function createRunFollows({
  read,
  everywhere,
  notices,
  onError,
}: {
  notices: Notices;
  onError: (error: unknown) => void;
} & Pick<RowsOfAll, 'read' | 'everywhere'>) {
  const follows = new Map<string, Follow>();
  let closed = false;
  notices.listen((notice) => notice.kind === 'run' && follows.get(notice.runId)?.window.reach(notice.sequence));
  const pollOnce = oneAtATime<void, void>(() => poll().catch(onError));
  const timer = setInterval(() => void pollOnce(), POLL_MS).unref();

  const findLog = oneAtATime((key: string) => {
    const [workspaceId, runId] = key.split(' ') as [string, string];
    return findEventLog(read(workspaceId), runId);
  });

  /**
   * The extent of a run's events, read once for concurrent requests; undefined when the workspace has no such run. If a caller knows a
   * newer event than that query, it is read once more.
   */
  async function extentOf(
    { workspaceId, runId }: { workspaceId: string; runId: string },
    claimed: number,
  ): Promise<EventLog | undefined> {
    const run = `${workspaceId} ${runId}`;
    const log = await findLog(run);
    return log && log.last < claimed ? findLog(run) : log;
  }

  /** Opens a feed of the events after the number `after` of a run that has reached the number `reached`. */
  function open(run: { workspaceId: string; runId: string }, { after, reached }: { after: number; reached: number }) {
    const follow = followOf(run, reached);
    follow.window.reach(reached);
    return createFeed(follow, after, () => closed);
  }

  function followOf(run: { workspaceId: string; runId: string }, reached: number): Follow {
    const known = follows.get(run.runId);
    if (known) return known;
    const readPage = async (after: number) =>
      (await readEvents(read(run.workspaceId), run.runId, { after, limit: PAGE_EVENTS })).map(textOf);
    const readers = new Set<() => void>();
    const wakeAll = () => readers.forEach((wake) => wake());
    const window = createEventWindow({ from: reached, readPage, onChange: wakeAll, onError });
    const unfollow = notices.follow(run.runId, () => void pollOnce());
    const follow = { window, readers, readPage: oneAtATime(readPage), unfollow, onError };
    follows.set(run.runId, follow);
    return follow;
  }

  async function poll(): Promise<void> {
    for (const [runId, { readers, unfollow }] of follows) {
      if (readers.size > 0) continue;
      follows.delete(runId);
      unfollow();
    }
    if (follows.size === 0) return;
    const ids = [...follows.keys()];
    const runs = await everywhere.statement(({ em, Run }) => em.find(Run, { id: ids }, { fields: ['lastSequence'] }));
    for (const { id, lastSequence } of runs) follows.get(id)?.window.reach(lastSequence);
    // A reader with a failed page tries again.
    for (const { readers } of follows.values()) readers.forEach((wake) => wake());
  }

  /** Ends every feed, and later ones at once: readers reconnect elsewhere with their last event id. */
  function close(): void {
    closed = true;
    clearInterval(timer);
    for (const { readers } of follows.values()) readers.forEach((wake) => wake());
  }

  return { extentOf, open, close };
}

interface Follow {
  window: EventWindow;
  /** Callbacks that wake waiting readers. */
  readers: Set<() => void>;
  readPage: (after: number) => Promise<EventText[]>;
  /** Ends the hearing of its notices. */
  unfollow: () => void;
  onError: (error: unknown) => void;
}

function createFeed(follow: Follow, startAfter: number, isEnding: () => boolean): RunFeed {
  let after = startAfter;
  let closed = false;
  let wakeUp = () => {};
  const wake = () => wakeUp();
  follow.readers.add(wake);

  async function next(): Promise<EventText[] | undefined> {
    for (;;) {
      const batch = follow.window.since(after, PAGE_EVENTS) ?? (await ownPage());
      if (closed || isEnding()) return undefined;
      if (batch.length > 0) {
        after = batch.at(-1)!.sequence;
        return batch;
      }
      await new Promise<void>((resolve) => (wakeUp = resolve));
    }
  }

  async function ownPage(): Promise<EventText[]> {
    try {
      return await follow.readPage(after);
    } catch (error) {
      follow.onError(error);
      return [];
    }
  }

  function close(): void {
    closed = true;
    follow.readers.delete(wake);
    wakeUp();
  }

  return { next, close };
}

/** An event with its JSON, serialised once for all readers. */
function textOf(event: EventObject): EventText {
  const { id, type, sequence } = event;
  return { id, type, sequence, json: JSON.stringify(event) };
}
