import { err } from './colors.ts';
import { columnsOf, cutTo } from './columns.ts';
import { safeText } from '../safeText.ts';
import { isLive, widthOf } from './terminal.ts';

/** A text, or a function that says it anew for each frame, as for a time that runs. */
type Text = string | (() => string);

export interface StatusLine {
  set(text: Text): void;
  /** A bar with `done` of `total`. */
  progress(label: string, done: number, total: number, note?: string): void;
  /** Takes the line away until the next `set`. */
  clear(): void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const BAR_WIDTH = 24;
const CLEAR = '\r\x1b[2K';

/** One line at the bottom of a terminal that changes: a spinner with a text, or a bar. Elsewhere it draws nothing. */
export function statusLine(stream: NodeJS.WriteStream = process.stderr): StatusLine {
  if (!isLive()) return { set() {}, progress() {}, clear() {} };
  let text: Text = '';
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const line = `${err.cyan(FRAMES[frame % FRAMES.length]!)} ${typeof text === 'string' ? text : text()}`;
    stream.write(CLEAR + fitted(safeText(line).replace(/\s/g, ' '), widthOf(stream)));
  };
  const set = (next: Text) => {
    text = next;
    draw();
    timer ??= setInterval(() => {
      frame += 1;
      draw();
    }, FRAME_MS).unref();
  };
  return {
    set,
    progress: (label, done, total, note = '') => set(`${label} ${barOf(done, total)}${note && ` ${err.dim(note)}`}`),
    clear() {
      if (!timer) return;
      clearInterval(timer);
      timer = undefined;
      stream.write(CLEAR);
    },
  };
}

function barOf(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = err.green('━'.repeat(filled)) + err.dim('━'.repeat(BAR_WIDTH - filled));
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %`;
}

function fitted(line: string, width: number): string {
  return columnsOf(line) < width ? line : `${cutTo(line, width - 2)}…`;
}
