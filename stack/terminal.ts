/** What the operator reads: plain lines, each with the seconds since the start. */
export type Terminal = {
  say: (text: string) => void;
  /** For something that takes long: at most one line a second. */
  progress: (text: string) => void;
  /** Lines as they are, without the time. */
  print: (text: string) => void;
};

const progressEveryMs = 1_000;

/** `write` is given text with its line ends. */
export function createTerminal(write: (text: string) => void): Terminal {
  const startedAt = Date.now();
  let progressAt = 0;
  const say = (text: string): void => write(`${elapsed(startedAt)} ${text}\n`);
  const progress = (text: string): void => {
    if (Date.now() - progressAt < progressEveryMs) return;
    progressAt = Date.now();
    say(text);
  };
  return { say, progress, print: (text) => write(`${text}\n`) };
}

function elapsed(sinceMs: number): string {
  return `[${((Date.now() - sinceMs) / 1000).toFixed(1).padStart(6)} s]`;
}
