import { chmodSync, createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LineLog } from './child.ts';

const ROTATE_AT_BYTES = 20_000_000;

/** Appends lines to a file that only its owner may read. A large file is renamed to `<file>.1`, replacing the previous one. */
export function openLogFile(path: string): LineLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Files of an earlier version may be readable by others.
  if (existsSync(path)) chmodSync(path, 0o600);
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let stream = openStream(path);
  return (line) => {
    bytes += Buffer.byteLength(line) + 1;
    stream.write(`${line}\n`);
    if (bytes < ROTATE_AT_BYTES) return;
    stream.end();
    renameSync(path, `${path}.1`);
    stream = openStream(path);
    bytes = 0;
  };
}

function openStream(path: string) {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  // An unwritable log, for example on a full disk, must not stop the program.
  stream.on('error', () => {});
  return stream;
}

const WARNING_MARKER = /"level":[456]0\b/;
const PROGRESS_MARKER = '"event":"model"';

type LogLine = { msg?: string; err?: { message?: string }; message?: string };

/** The part of a program's log for the operator: warnings and errors in pino's format, and the progress of the model's download. */
export function noticeIn(line: string): { kind: 'warning' | 'progress'; text: string } | undefined {
  const kind = WARNING_MARKER.test(line) ? 'warning' : line.includes(PROGRESS_MARKER) ? 'progress' : undefined;
  if (!kind) return undefined;
  const { msg, err, message } = parse(line);
  const text = [msg, err?.message, message].filter(Boolean).join(': ');
  return text ? { kind, text } : undefined;
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}
