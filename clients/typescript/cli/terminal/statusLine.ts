import { stripVTControlCharacters } from 'node:util';
import { err } from './colors.ts';
import { isLive, widthOf } from './terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const BAR_WIDTH = 24;

export interface StatusLine {
  set(text: string): void;
  /** A bar with `done` of `total`. */
  progress(label: string, done: number, total: number, note?: string): void;
  /** Takes the line away; `set` brings it back. */
  clear(): void;
}

/** One line at the bottom of a terminal that changes: a spinner with a text, or a bar. Elsewhere it draws nothing. */
export function statusLine(stream: NodeJS.WriteStream = process.stderr): StatusLine {
  if (!isLive()) return { set() {}, progress() {}, clear() {} };
  let text = '';
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const line = `${err.cyan(FRAMES[frame % FRAMES.length]!)} ${text}`;
    stream.write(`\r\x1b[2K${fitted(line, widthOf(stream))}`);
  };
  const set = (next: string) => {
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
      stream.write('\r\x1b[2K');
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
  const plain = stripVTControlCharacters(line);
  return plain.length < width ? line : `${plain.slice(0, width - 2)}…`;
}
