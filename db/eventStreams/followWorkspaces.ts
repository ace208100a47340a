import { oneAfterAnother } from '../../base/waiting.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import type { Notices } from '../postgres/notices.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import { readPlacedEvents, sightEvents, type PlacedEvent, type Sighting } from './eventPositions.ts';
import { PlacedWindow } from './placedWindow.ts';
import { Settling } from './settling.ts';

// Missed notices.
const LOOK_MS = 1_000;
// The next look after one that saw more than is settled. While a long transaction lets nothing settle, each comes later than the last.
const OPEN_LOOK_MS = 10;
const OPEN_LOOK_MAX_MS = 200;
const BEGIN_LIMIT_MS = 10_000;
const PAGE_EVENTS = 100;
/** The most feeds of one workspace in a process. */
export const FEEDS_MAX = 50;

/** One reader's position in the events of a workspace. */
export interface WorkspaceFeed {
  /** The position of the last event that the reader has. */
  readonly after: number;
  /** The next events, in order and without a gap, as soon as there are any; undefined when the feed was closed. */
  next: () => Promise<PlacedEvent[] | undefined>;
  close: () => void;
}

export type WorkspaceFollows = ReturnType<typeof createWorkspaceFollows>;

/**
 * Follows the events of workspaces for readers: those that webhooks deliver. One statement looks at the newest events of all followed
 * workspaces, at a notice and once a second; each new event is read once per process, into a window that the readers of its workspace
 * share. A reader behind the window reads its own pages.
 */
export function createWorkspaceFollows({
  read,
  everywhere,
  notices,
  onError,
}: {
  notices: Notices;
  onError: (error: unknown) => void;
} & Pick<RowsOfAll, 'read' | 'everywhere'>) {
  const follows = new Map<string, WorkspaceFollow>();
  const turns = oneAfterAnother<void>();
  let closed = false;
  let again: NodeJS.Timeout | undefined;
  let waitMs = OPEN_LOOK_MS;
  const lookNow = () => turns('look', look);
  const lookSoon = () => void lookNow().catch(onError);
  const stopListening = notices.listen((notice) => {
    const isNews = notice.kind === 'event' && follows.has(notice.workspaceId);
    if (isNews || notice.kind === 'reconnected') lookSoon();
  });
  const timer = setInterval(lookSoon, LOOK_MS).unref();

  async function look(): Promise<void> {
    for (const [workspaceId, { readers }] of follows) if (readers.size === 0) follows.delete(workspaceId);
    if (follows.size === 0 || closed) return;
    const known = [...follows].map(([workspaceId, { settling }]) => ({ workspaceId, position: settling.known }));
    const sightings = await sightEvents(everywhere, known);
    const moves = sightings.filter((sighting) => follows.get(sighting.workspaceId)?.heed(sighting));
    if (moves.length > 0) waitMs = OPEN_LOOK_MS;
    if (again || ![...follows.values()].some(({ settling }) => settling.isOpen)) return;
    again = setTimeout(() => {
      again = undefined;
      lookSoon();
    }, waitMs).unref();
    waitMs = Math.min(waitMs * 2, OPEN_LOOK_MAX_MS);
  }

  /**
   * Opens a feed of the events of these types (null: all) after a position; without one, of those after this moment. Undefined when the
   * workspace has as many feeds as it may. Throws `LedgerUnavailable` when it cannot begin.
   */
  async function open(
    workspaceId: string,
    { after, types }: { after: number | undefined; types: readonly string[] | null },
  ): Promise<WorkspaceFeed | undefined> {
    const follow = followOf(workspaceId);
    if (follow.readers.size >= FEEDS_MAX) return undefined;
    const feed = new Feed(follow, { after: after ?? 0, types, isEnding: () => closed });
    try {
      if (after === undefined) await feed.begin(lookNow);
      else lookSoon();
      return feed;
    } catch (error) {
      feed.close();
      throw error;
    }
  }

  function followOf(workspaceId: string): WorkspaceFollow {
    const known = follows.get(workspaceId);
    if (known) return known;
    const rows = read(workspaceId);
    const follow = new WorkspaceFollow((range) => readPlacedEvents(rows, { ...range, limit: PAGE_EVENTS }), onError);
    follows.set(workspaceId, follow);
    return follow;
  }

  /** Ends every feed, and later ones at once: readers reconnect elsewhere with their last event id. */
  function close(): void {
    closed = true;
    clearInterval(timer);
    clearTimeout(again);
    stopListening();
    for (const follow of follows.values()) follow.wakeAll();
  }

  return { open, close };
}

type ReadRange = (range: { after: number; upTo: number; types: readonly string[] | null }) => Promise<PlacedEvent[]>;

/** A workspace with readers in this process. */
class WorkspaceFollow {
  readonly settling = new Settling();
  /** Undefined until it is known where the settled events end. */
  window: PlacedWindow | undefined;
  /** Callbacks that wake waiting readers. */
  readonly readers = new Set<() => void>();
  readonly read: ReadRange;
  readonly onError: (error: unknown) => void;
  #isReading = false;

  constructor(read: ReadRange, onError: (error: unknown) => void) {
    this.read = read;
    this.onError = onError;
  }

  /** Whether more events are settled now. */
  heed(sighting: Sighting): boolean {
    const moves = this.settling.heed(sighting);
    const { settled } = this.settling;
    if (settled !== undefined) {
      this.window ??= new PlacedWindow(settled);
      if (settled > this.window.end && !this.#isReading) void this.#readOn(this.window);
    }
    // A reader with a failed page tries again.
    this.wakeAll();
    return moves;
  }

  async #readOn(window: PlacedWindow): Promise<void> {
    this.#isReading = true;
    try {
      while (this.settling.settled! > window.end) {
        const upTo = this.settling.settled!;
        const page = await this.read({ after: window.end, upTo, types: null });
        window.keep(page, endOf(page, upTo));
        this.wakeAll();
      }
    } catch (error) {
      // Read at the next look.
      this.onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  wakeAll(): void {
    this.readers.forEach((wake) => wake());
  }
}

/** Up to where a page was read: a full one may have been followed by more. */
const endOf = (page: PlacedEvent[], upTo: number): number => (page.length < PAGE_EVENTS ? upTo : page.at(-1)!.position);

class Feed implements WorkspaceFeed {
  readonly #follow: WorkspaceFollow;
  readonly #types: readonly string[] | null;
  readonly #isEnding: () => boolean;
  after: number;
  #isClosed = false;
  #wakeUp = () => {};
  readonly #wake = () => this.#wakeUp();

  constructor(
    follow: WorkspaceFollow,
    { after, types, isEnding }: { after: number; types: readonly string[] | null; isEnding: () => boolean },
  ) {
    this.#follow = follow;
    this.after = after;
    this.#types = types;
    this.#isEnding = isEnding;
    follow.readers.add(this.#wake);
  }

  /**
   * Begins with what happens from now on: after the newest event of a fresh look, once that is settled. Then every event from now on comes
   * after it.
   */
  async begin(look: () => Promise<void>): Promise<void> {
    const { settling } = this.#follow;
    await look();
    this.after = settling.seen;
    const limit = setTimeout(() => this.close(), BEGIN_LIMIT_MS);
    while (!this.#hasEnded() && (settling.settled === undefined || settling.settled < this.after)) await this.#woken();
    clearTimeout(limit);
    if (this.#hasEnded()) throw new LedgerUnavailable('the end of the events is not known');
  }

  next = async (): Promise<PlacedEvent[] | undefined> => {
    for (;;) {
      const { window } = this.#follow;
      const shared = window?.since(this.after);
      const { events, end } = shared ? { events: shared, end: window!.end } : await this.#ownPage(window);
      if (this.#hasEnded()) return undefined;
      this.after = Math.max(this.after, end);
      const chosen = this.#types ? events.filter(({ type }) => this.#types!.includes(type)) : events;
      if (chosen.length > 0) return chosen;
      // Events that came during the read are taken at once.
      if (window === undefined || end >= window.end || end < this.after) await this.#woken();
    }
  };

  async #ownPage(window: PlacedWindow | undefined): Promise<{ events: PlacedEvent[]; end: number }> {
    if (!window) return { events: [], end: -1 };
    const upTo = window.end;
    try {
      const page = await this.#follow.read({ after: this.after, upTo, types: this.#types });
      return { events: page, end: endOf(page, upTo) };
    } catch (error) {
      this.#follow.onError(error);
      return { events: [], end: -1 };
    }
  }

  #hasEnded = (): boolean => this.#isClosed || this.#isEnding();

  #woken(): Promise<void> {
    return new Promise((resolve) => (this.#wakeUp = resolve));
  }

  close = (): void => {
    this.#isClosed = true;
    this.#follow.readers.delete(this.#wake);
    this.#wakeUp();
  };
}
