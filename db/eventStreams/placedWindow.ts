import type { PlacedEvent } from './eventPositions.ts';

// The most that readers of one workspace share: slower readers read by themselves.
const EVENTS_MAX = 500;
const CHARACTERS_MAX = 1_048_576;

/** The newest events of a workspace, after `start` and up to `end`, read once for all its readers. */
export class PlacedWindow {
  end: number;
  #start: number;
  #events: PlacedEvent[] = [];
  #characters = 0;

  constructor(start: number) {
    this.#start = start;
    this.end = start;
  }

  /** Adds the next events, after which it ends at `end`. */
  keep(events: PlacedEvent[], end: number): void {
    this.#events.push(...events);
    for (const { json } of events) this.#characters += json.length;
    this.end = end;
    while (this.#events.length > EVENTS_MAX || (this.#characters > CHARACTERS_MAX && this.#events.length > 1))
      this.#drop();
  }

  #drop(): void {
    const oldest = this.#events.shift()!;
    this.#characters -= oldest.json.length;
    this.#start = oldest.position;
  }

  /** The events after a position; undefined when they begin before the window. */
  since(after: number): PlacedEvent[] | undefined {
    return after < this.#start ? undefined : this.#events.filter(({ position }) => position > after);
  }
}
