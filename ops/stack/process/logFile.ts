import { chmodSync, createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LineLog } from './child.ts';

const ROTATE_AT_BYTES = 20_000_000;

/**
 * Appends lines to a file that only its owner may read. A large file is renamed to `<file>.1`, replacing the previous one. Lines are lost
 * while they cannot be written, as on a full disk; later ones are written again.
 */
export function openLogFile(path: string): LineLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Files of an earlier version may be readable by others.
  if (existsSync(path)) chmodSync(path, 0o600);
  let file = openFile(path);
  return (line) => {
    if (file.stream.errored) {
      file = openFile(path);
      // The line before may be cut off.
      file.stream.write('\n');
    }
    file.bytes += Buffer.byteLength(line) + 1;
    file.stream.write(`${line}\n`);
    if (file.bytes < ROTATE_AT_BYTES) return;
    file.stream.end();
    // An operator may have deleted the file to free space.
    if (existsSync(path)) renameSync(path, `${path}.1`);
    file = openFile(path);
  };
}

function openFile(path: string) {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  // An unwritable log must not stop the program.
  stream.on('error', () => {});
  return { stream, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 };
}

const WARNING_MARKER = /"level":[456]0\b/;
const PROGRESS_MARKER = '"event":"model"';

type LogLine = {
  msg?: string;
  err?: { message?: string };
  message?: string;
  error?: unknown;
  cause?: unknown;
  messages?: unknown[];
};

/** The part of a program's log for the operator: warnings and errors in pino's format, and the progress of the model's download. */
export function noticeIn(line: string): { kind: 'warning' | 'progress'; text: string } | undefined {
  const kind = WARNING_MARKER.test(line) ? 'warning' : line.includes(PROGRESS_MARKER) ? 'progress' : undefined;
  if (!kind) return undefined;
  const { msg, err, message, error, cause, messages = [] } = parse(line);
  const isText = (part: unknown): part is string => typeof part === 'string' && part !== '';
  const text = [msg, err?.message, message, error, cause, ...messages].filter(isText).join(': ');
  return text ? { kind, text } : undefined;
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}
