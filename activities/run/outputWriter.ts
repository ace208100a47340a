import type { NewEvent } from '../../db/runs/events/appendEvents.ts';

const FLUSH_MS = 150;
const FLUSH_CHARACTERS = 512;

/**
 * Buffers a model's text and writes it in pieces: 150 ms after the first character of a piece, or at 512 characters. Pieces are written
 * one after the other; new output collects in the next one. A failure stops the writing and is thrown by `rest`.
 */
export function createOutputWriter({
  itemId,
  write,
  onError,
}: {
  itemId: string;
  write: (event: NewEvent) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  let pending = '';
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  function add(text: string): void {
    if (text === '') return;
    pending += text;
    if (pending.length >= FLUSH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (writing || failure || pending === '') return;
    writing = write(nextPiece()).catch(fail).finally(writeOn);
  }

  function writeOn(): void {
    writing = undefined;
    if (pending.length >= FLUSH_CHARACTERS) flush();
    else if (pending !== '') timer ??= setTimeout(flush, FLUSH_MS);
  }

  function fail(error: unknown): void {
    failure = { error };
    onError(error);
  }

  function nextPiece(): NewEvent {
    const data = { item_id: itemId, delta: pending, offset };
    offset += pending.length;
    pending = '';
    return { type: 'run.output_text.delta', data };
  }

  /** Ends the writing. Resolves with the last piece, which the caller writes together with the end. */
  async function rest(): Promise<NewEvent[]> {
    await writing;
    clearTimeout(timer);
    if (failure) throw failure.error;
    return pending === '' ? [] : [nextPiece()];
  }

  return { add, rest };
}
