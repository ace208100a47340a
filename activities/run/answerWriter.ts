import { storableBeginning } from '../../base/json.ts';
import { itemIdOf, type CutText } from '../../db/runs/cutText.ts';
import type { NewEvent } from '../../db/events/appendEvents.ts';
import type { BegunStep } from '../../db/runs/stepFacts.ts';

const FLUSH_MS = 150;
const FLUSH_CHARACTERS = 512;
// Beyond this, reasoning is billed but no longer stored.
const REASONING_CHARACTERS_MAX = 65_536;
// Delays of progress events while a model has no visible output: growing, so that a run has few of them.
const FIRST_PROGRESS_MS = 5_000;
const PROGRESS_MS_MAX = 60_000;

/** The additions of chunks to an answer. */
export interface AnswerPiece {
  text: string;
  reasoning: string;
}

interface Writing {
  write: (event: NewEvent) => Promise<void>;
  onError: (error: unknown) => void;
}

/**
 * Writes a model's reasoning and text as events while they arrive, and its progress while it produces neither, after the first five
 * seconds. A failure stops the writing and is thrown by `rest`. The text continues `cut`, if given.
 */
export function createAnswerWriter({
  begun,
  cut,
  produced,
  ...writing
}: Writing & { begun: BegunStep; cut?: CutText | undefined; produced: { outputTokens: number } }) {
  const { id: step_id, attempt } = begun;
  const item_id = cut?.itemId ?? itemIdOf(begun);
  const text = createPieceWriter(
    writing,
    (piece) => ({ type: 'run.output_text.delta', data: { item_id, ...piece } }),
    cut?.text.length,
  );
  const reasoning = createPieceWriter(writing, (piece) => ({
    type: 'run.reasoning.delta',
    data: { step_id, attempt, ...piece },
  }));
  const startedMs = performance.now();
  let shownMs = startedMs;
  let waitMs = FIRST_PROGRESS_MS;
  let timer = setTimeout(reportSilence, waitMs);
  let reporting: Promise<unknown> = Promise.resolve();

  // A timer may fire slightly early, and new output postpones the report: then it is set for the remaining time.
  function reportSilence(): void {
    if (performance.now() >= shownMs + waitMs) report();
    timer = setTimeout(reportSilence, Math.ceil(shownMs + waitMs - performance.now()));
  }

  function report(): void {
    shownMs = performance.now();
    const elapsed_ms = Math.round(shownMs - startedMs);
    const data = { step_id, attempt, elapsed_ms, output_tokens: produced.outputTokens };
    // Also those before: a slow database may still have them.
    reporting = Promise.all([reporting, writing.write({ type: 'run.progress', data }).catch(writing.onError)]);
    waitMs = Math.min(PROGRESS_MS_MAX, waitMs * 2);
  }

  function add(piece: AnswerPiece): void {
    if (piece.text !== '' || piece.reasoning !== '') shownMs = performance.now();
    const leftCharacters = Math.max(0, REASONING_CHARACTERS_MAX - reasoning.length());
    reasoning.add(storableBeginning(piece.reasoning, leftCharacters));
    text.add(piece.text);
  }

  const stopProgress = (): void => clearTimeout(timer);

  /** Ends the writing. Resolves with the last pieces, which the caller writes together with the end. */
  async function rest(): Promise<NewEvent[]> {
    await reporting;
    return [...(await reasoning.rest()), ...(await text.rest())];
  }

  return { add, stopProgress, rest };
}

/**
 * Buffers a text and writes it in pieces: 150 ms after the first character of a piece, or at 512 characters. Pieces are written one after
 * the other; new output collects in the next piece.
 */
function createPieceWriter(
  { write, onError }: Writing,
  eventOf: (piece: { delta: string; offset: number }) => NewEvent,
  offset = 0,
) {
  let pending = '';
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
    const event = eventOf({ delta: pending, offset });
    offset += pending.length;
    pending = '';
    return event;
  }

  async function rest(): Promise<NewEvent[]> {
    await writing;
    // At its end it may have begun the next one.
    if (writing) return rest();
    clearTimeout(timer);
    if (failure) throw failure.error;
    return pending === '' ? [] : [nextPiece()];
  }

  return { add, rest, length: () => offset + pending.length };
}
