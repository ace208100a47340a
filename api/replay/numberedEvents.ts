/**
 * Splits the text of a stream into its events, each with its number: the first one is 1. Comments are left out. The text may arrive in
 * pieces.
 */
export function createEventNumbers() {
  let rest = '';
  let last = 0;

  /** The whole events in what has arrived, as they were sent, each with its number. */
  function push(text: string): NumberedEvent[] {
    rest += text;
    const frames = rest.split('\n\n');
    rest = frames.pop()!;
    return frames.filter((frame) => /^data:/m.test(frame)).map((frame) => ({ number: ++last, frame }));
  }

  return { push, last: () => last };
}

interface NumberedEvent {
  number: number;
  frame: string;
}

/** Events with their numbers as ids. */
export const withIds = (events: NumberedEvent[]): string =>
  events.map(({ number, frame }) => `id: ${number}\n${frame}\n\n`).join('');
