/** An event as it is sent: `json` is the event object. */
export interface EventText {
  id: string;
  type: string;
  sequence: number;
  json: string;
}

// What the readers of one run share at most: slower ones read for themselves.
const EVENTS_MAX = 1_000;
const CHARACTERS_MAX = 1_048_576;

export type EventWindow = ReturnType<typeof createEventWindow>;

/** The newest events of a run, read once, a page at a time, as far as the log is known to reach. It begins after the number `from`. */
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

  /** The log has come to this number: what is missing is read. */
  function reach(sequence: number): void {
    if (sequence > reached) reached = sequence;
    if (reached > last && !isReading) void readOn();
  }

  async function readOn(): Promise<void> {
    isReading = true;
    try {
      while (reached > last) keep(await readPage(last));
    } catch (error) {
      // Read at the next sign of life of the run, or of the database.
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
