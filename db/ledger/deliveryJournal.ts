import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { namePrefix } from '../../base/temporaryFiles.ts';

// At most a few hundred lines are not delivered: beyond this the file is rewritten with those alone.
const FILE_BYTES_MAX = 1_048_576;

/**
 * The folder of these files: one for each installation of a machine, so that each may write it and none reads those of others. With a lost
 * data folder the bills of its last milliseconds stay.
 */
export const journalFolderOf = (dataDir: string): string => join(dataDir, 'unsentAnswers');

/** An answer that is billed before it is sent. */
export interface BilledAnswer {
  id: string;
  hold: string;
}

/**
 * A file with the answers of this process that may be billed but are not sent yet. It survives a killed process; another process finds it
 * and refunds them (`sweep.ts`). Two lines for each batch of bills: before it is sent to the database, and when it is on disk
 * there. Nothing waits for the local disk: losing the file in a power failure only means that these bills are not refunded.
 * Lines: `P process`, the owner of the answers that follow; `S time answer hold answer hold …`, about to be billed, by the database's
 * time `time` in milliseconds at the latest; `D answer …`, about to be sent, or reversed.
 */
export function createDeliveryJournal({
  folder,
  processId,
  onError,
}: {
  folder: string;
  processId: () => string;
  onError: (error: unknown) => void;
}) {
  const open = new Map<string, { hold: string; notAfterMs: number }>();
  let file: { path: string; fd: number; bytes: number; owner: string } | undefined;

  /** Call it before a batch with these answers is sent to the database. */
  function begin(answers: BilledAnswer[], notAfterMs: number): void {
    for (const { id, hold } of answers) open.set(id, { hold, notAfterMs });
    write(lineOf(answers, notAfterMs));
  }

  /** The answers are about to be sent, or their bills were reversed. */
  function end(ids: string[]): void {
    const ended = ids.filter((id) => open.delete(id));
    if (ended.length > 0) write(`D ${ended.join(' ')}\n`);
  }

  // Without its file the process continues; its bills then stay if it is killed.
  function write(line: string): void {
    try {
      if (!file || file.bytes > FILE_BYTES_MAX || file.owner !== processId()) file = writeAnew(file);
      else file.bytes += writeWhole(file.fd, line);
    } catch (error) {
      if (file) empty(file);
      onError(error);
    }
  }

  // A line that is missing or cut off, as on a full disk, would have answers refunded that were sent. Emptying needs no space.
  function empty(broken: { fd: number; bytes: number }): void {
    broken.bytes = Infinity;
    ftruncateSync(broken.fd);
  }

  function writeAnew(before: typeof file): typeof file {
    const owner = processId();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = before?.path ?? join(folder, `${namePrefix('ledgerline-answers')}${owner}`);
    const fd = openSync(`${path}.new`, 'w', 0o600);
    const lines = [...open].map(([id, { hold, notAfterMs }]) => lineOf([{ id, hold }], notAfterMs));
    try {
      const bytes = writeWhole(fd, `P ${owner}\n${lines.join('')}`);
      renameSync(`${path}.new`, path);
      if (before) closeSync(before.fd);
      return { path, fd, bytes, owner };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Removes the file. Returns the answers that were billed and never sent. */
  function close(): BilledAnswer[] {
    if (file) {
      closeSync(file.fd);
      rmSync(file.path, { force: true });
      file = undefined;
    }
    return [...open].map(([id, { hold }]) => ({ id, hold }));
  }

  return { begin, end, close };
}

/** A disk that becomes full takes a part. */
function writeWhole(fd: number, text: string): number {
  const written = writeSync(fd, text);
  if (written === Buffer.byteLength(text)) return written;
  throw new Error('the list of unsent answers could not be written whole: is the disk full?');
}

const lineOf = (answers: BilledAnswer[], notAfterMs: number) =>
  `S ${Math.ceil(notAfterMs)} ${answers.map(({ id, hold }) => `${id} ${hold}`).join(' ')}\n`;

/** The content of a journal: its process, the answers that were billed and not sent, and until when they may still be billed. */
export function readJournal(text: string): { processId: string; unsent: BilledAnswer[]; notAfterMs: number } {
  const unsent = new Map<string, BilledAnswer>();
  let processId = '';
  let notAfterMs = 0;
  // The last line may be cut off: its answers were not billed yet.
  for (const line of text.split('\n').slice(0, -1)) {
    const [kind, ...words] = line.split(' ');
    if (kind === 'P') processId = words[0]!;
    else if (kind === 'D') for (const id of words) unsent.delete(id);
    else {
      notAfterMs = Math.max(notAfterMs, Number(words[0]));
      for (let at = 1; at + 1 < words.length; at += 2) unsent.set(words[at]!, { id: words[at]!, hold: words[at + 1]! });
    }
  }
  return { processId, unsent: [...unsent.values()], notAfterMs };
}
