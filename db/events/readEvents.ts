import type { InferEntity } from '@mikro-orm/core';
import type { PlatformEvent } from '../entities/event.ts';
import type { RunEvent } from '../entities/run.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { eventIdOf, parseEventId } from './appendEvents.ts';

/** An event as callers see it, in streams, lists and look-ups. */
export interface EventObject {
  id: string;
  object: 'event';
  type: string;
  created_at: string;
  timestamp: string;
  sequence: number;
  run_id: string | null;
  resource: { type: string; id: string };
  data: unknown;
}

/** The extent of a run's events: the number of the oldest one kept (null: none) and of the last, and whether the run has ended. */
export interface EventLog {
  first: number | null;
  last: number;
  ended: boolean;
}

/** Events of a run of the workspace after the number `after`, in order, at most `limit`, without the types `except`. */
export async function readEvents(
  rows: Rows,
  runId: string,
  { after, limit, except = [] }: { after: number; limit: number; except?: readonly string[] },
): Promise<EventObject[]> {
  const isLater = { runId, sequence: { $gt: after }, ...(except.length > 0 && { type: { $nin: [...except] } }) };
  const events = await rows.statement(({ em, RunEvent }) =>
    em.find(RunEvent, isLater, { orderBy: { sequence: 'asc' }, limit }),
  );
  return events.map(runEventOf);
}

/** The extent of a run's events, or undefined when the workspace has no such run. */
export function findEventLog(rows: Rows, runId: string): Promise<EventLog | undefined> {
  return rows.transaction(async ({ em, Run, RunEvent }) => {
    const fields = ['lastSequence', 'settledAt'] as const;
    const run = await em.findOne(Run, { id: runId, deletedAt: null }, { fields });
    if (!run) return undefined;
    const [oldest] = await em.find(
      RunEvent,
      { runId },
      { fields: ['sequence'], orderBy: { sequence: 'asc' }, limit: 1 },
    );
    return { first: oldest?.sequence ?? null, last: run.lastSequence, ended: run.settledAt !== null };
  });
}

/** Whether an event of a run is older than this, by its workspace's clock. */
export async function isEventOlderThan(
  rows: Rows,
  { runId, sequence, seconds }: { runId: string; sequence: number; seconds: number },
): Promise<boolean> {
  const query = { name: 'run_event_age', text: IS_OLDER, values: [runId, rows.workspaceId, sequence, seconds] };
  return (await rows.statement(({ client }) => client.query(query))).rowCount === 1;
}

const IS_OLDER = `
select from run_events where run_id = $1 and workspace_id = $2 and sequence = $3
  and created_at < ledger_now(workspace_id) - $4::int * interval '1 second'`;

/** One event of the workspace by its id, or undefined. Rows of all workspaces need `workspaceId`. */
export function findEvent(rows: Rows, id: string): Promise<EventObject | undefined>;
export function findEvent(rows: AnyRows, id: string, workspaceId: string): Promise<EventObject | undefined>;
export function findEvent(rows: AnyRows, id: string, workspaceId = rows.workspaceId): Promise<EventObject | undefined> {
  return rows.statement(async ({ em, PlatformEvent, RunEvent }) => {
    const place = parseEventId(id);
    if (place) {
      const row = await em.findOne(RunEvent, { ...place, workspaceId });
      return row ? runEventOf(row) : undefined;
    }
    const row = await em.findOne(PlatformEvent, { id, workspaceId });
    return row ? platformEventOf(row) : undefined;
  });
}

/** Events of the workspace by their ids. Unknown ones are missing. */
export function findEvents(rows: Rows, ids: string[]): Promise<Map<string, EventObject>> {
  return rows.transaction(async ({ em, PlatformEvent, RunEvent }) => {
    const places = ids.flatMap((id) => parseEventId(id) ?? []);
    const ofRuns = places.length === 0 ? [] : await em.find(RunEvent, { $or: places });
    const others = await em.find(PlatformEvent, { id: ids.filter((id) => !parseEventId(id)) });
    const events = [...ofRuns.map(runEventOf), ...others.map(platformEventOf)];
    return new Map(events.map((event) => [event.id, event]));
  });
}

/** An event of either table. Outside runs each event is independent: the only one of its sequence. */
export interface EventSource {
  /** Null: of a run. */
  id: string | null;
  type: string;
  resourceType: string;
  resourceId: string;
  runId: string | null;
  sequence: number;
  data: unknown;
  createdAt: Date;
}

/** An event as callers see it. */
export function eventOf({
  id,
  type,
  resourceType,
  resourceId,
  runId,
  sequence,
  data,
  createdAt,
}: EventSource): EventObject {
  const createdText = createdAt.toISOString();
  return {
    id: id ?? eventIdOf(runId!, sequence),
    object: 'event',
    type,
    created_at: createdText,
    timestamp: createdText,
    sequence,
    run_id: runId,
    resource: { type: resourceType, id: resourceId },
    data,
  };
}

const runEventOf = (row: InferEntity<typeof RunEvent>): EventObject =>
  eventOf({ ...row, id: null, resourceType: 'run', resourceId: row.runId });

const platformEventOf = (row: InferEntity<typeof PlatformEvent>): EventObject =>
  eventOf({ ...row, runId: null, sequence: 1 });

/** An event as it is sent: `json` is the event object. */
export interface EventText {
  id: string;
  type: string;
  sequence: number;
  json: string;
}

// The most that readers of one run share: slower readers read by themselves.
const EVENTS_MAX = 1_000;
const CHARACTERS_MAX = 1_048_576;

export type EventWindow = ReturnType<typeof createEventWindow>;

/** The newest events of a run, read once, page by page, up to the known end of the log. It begins after the number `from`. */
export function createEventWindow({
  from,
  readPage,
  onChange,
  onError,
}: {
  from: number;
  readPage: (after: number) => Promise<EventText[]>;
  onChange: () => void;
  onError: (error: unknown) => void;
}) {
  const events: EventText[] = [];
  let characters = 0;
  let beforeFirst = from;
  let last = from;
  let reached = from;
  let isReading = false;

  /** The log has reached this number: missing events are read. */
  function reach(sequence: number): void {
    if (sequence > reached) reached = sequence;
    if (reached > last && !isReading) void readOn();
  }

  async function readOn(): Promise<void> {
    isReading = true;
    try {
      while (reached > last) keep(await readPage(last));
    } catch (error) {
      // Read at the next notice of the run or of the database.
      onError(error);
    } finally {
      isReading = false;
    }
  }

  function keep(page: EventText[]): void {
    if (page.length === 0) throw new Error(`events ${last + 1} to ${reached} cannot be found`);
    events.push(...page);
    for (const { json } of page) characters += json.length;
    last = page.at(-1)!.sequence;
    while (events.length > EVENTS_MAX || (characters > CHARACTERS_MAX && events.length > 1)) drop();
    onChange();
  }

  function drop(): void {
    const oldest = events.shift()!;
    characters -= oldest.json.length;
    beforeFirst = oldest.sequence;
  }

  /** Events after the number `after`, at most `limit`; undefined when they begin before the window. */
  function since(after: number, limit: number): EventText[] | undefined {
    if (after < beforeFirst) return undefined;
    return events.slice(after - beforeFirst, after - beforeFirst + limit);
  }

  return { reach, since };
}
