import { EVENT_GROUPS, type EventGroup } from '../../db/events/eventTypes.ts';
import type { EventText } from '../../db/events/readEvents.ts';

/** The groups that a reader asks for; undefined: everything, as it is. */
export type Include = readonly EventGroup[] | undefined;

/** The types that a choice leaves out. */
export function leftOutBy(include: Include): string[] {
  if (!include) return [];
  return Object.entries(EVENT_GROUPS).flatMap(([name, types]) =>
    include.includes(name as EventGroup) ? [] : [...types],
  );
}

/** Makes the events of one reader of what was read: those of its choice, with adjacent pieces of one text joined. */
export function chooserOf(include: Include): (events: EventText[]) => EventText[] {
  if (!include) return (events) => events;
  const leftOut = new Set(leftOutBy(include));
  return (events) => joined(events.filter(({ type }) => !leftOut.has(type)));
}

const PIECES = new Set(['run.output_text.delta', 'run.reasoning.delta']);

interface Piece {
  data: { delta: string; offset: number; item_id?: string; step_id?: string; attempt?: number };
}

function joined(events: EventText[]): EventText[] {
  const sent: EventText[] = [];
  // Parsed only where two pieces meet.
  let open: Piece | undefined;
  for (const event of events) {
    const last = sent.at(-1);
    if (!last || last.type !== event.type || !PIECES.has(event.type)) {
      open = undefined;
      sent.push(event);
      continue;
    }
    open ??= JSON.parse(last.json) as Piece;
    const next = JSON.parse(event.json) as Piece;
    if (goesOn(open.data, next.data)) sent[sent.length - 1] = eventWith(event, (open = withBoth(open, next)));
    else {
      open = next;
      sent.push(event);
    }
  }
  return sent;
}

/** Whether a piece follows directly on another of the same text. */
const goesOn = (one: Piece['data'], next: Piece['data']): boolean =>
  one.item_id === next.item_id &&
  one.step_id === next.step_id &&
  one.attempt === next.attempt &&
  one.offset + one.delta.length === next.offset;

const withBoth = ({ data: { delta, offset } }: Piece, next: Piece): Piece => ({
  ...next,
  data: { ...next.data, delta: delta + next.data.delta, offset },
});

const eventWith = (event: EventText, piece: Piece): EventText => ({ ...event, json: JSON.stringify(piece) });
