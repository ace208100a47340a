const REPEAT_MS = 10_000;

/** Says each text at once, and its repetitions every ten seconds with their number: an outage fails thousands of requests. */
export function createRepeats(say: (text: string) => void): (text: string) => void {
  const repeated = new Map<string, number>();

  function sayRepeated(text: string): void {
    const times = repeated.get(text)!;
    repeated.delete(text);
    if (times === 0) return;
    say(`${text} (${times} more)`);
    wait(text);
  }

  function wait(text: string): void {
    repeated.set(text, 0);
    setTimeout(() => sayRepeated(text), REPEAT_MS).unref();
  }

  return (text) => {
    const times = repeated.get(text);
    if (times === undefined) {
      say(text);
      wait(text);
    } else repeated.set(text, times + 1);
  };
}
