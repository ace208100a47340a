import type { AnswerPart, PartState } from './answerPart.ts';
import { GatheredBytes } from './gatheredBytes.ts';

export interface CallOrder {
  requestId: string;
  workspaceId: string;
  /** The fingerprint shared with its retries; null: no retry is expected. */
  fingerprint: string | null;
  /** Hash of the request's body; null if no retry is expected. */
  bodyHash: string | null;
  /** How long the call continues without a reader. */
  graceMs: number;
  /** How often its client has tried before: tries that never arrived made its pauses longer, too. */
  retries?: number;
}

/** A larger stream is not kept: its readers are told. */
export const STREAM_BYTES_MAX = 8 * 1024 * 1024;
// A larger whole answer is not kept either: it would hold up the bills beside it.
const WHOLE_BYTES_MAX = 1024 * 1024;
// The grace period doubles with each reader, as the pauses of a retrying client do. Clients' pauses end at 8 s.
const GRACE_MS_MAX = 9_000;
const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/**
 * A running call with a kept answer, and its readers: its client, and later readers that retry or resume it. Without a reader it pauses
 * (`pause`), and ends when none comes within its grace period (`onGone`). It holds no reference to its request.
 */
export class KeptCall {
  readonly order: CallOrder;
  /** The request that supplies this try's answer, so that the try does not run. */
  follows: string | undefined;
  /** It runs, and its claim is in the database. */
  isClaimed = false;
  /** Its bill is on disk, and its answer complete. */
  isWhole = false;
  hasEnded = false;
  isGone = false;
  /** The client has disconnected. */
  isLeft = false;
  /** Called when its last reader has left. */
  onGone: (() => void) | undefined;
  bytes = 0;
  readonly #onAdd: (call: KeptCall) => void;
  #isDropped = false;
  #readers = 0;
  #attached: number;
  #timer: NodeJS.Timeout | undefined;
  #back: PromiseWithResolvers<void> | undefined;
  #stored: PromiseWithResolvers<void> | undefined;
  #asking: PromiseWithResolvers<void> | undefined;
  readonly #gathered = new GatheredBytes();
  #partCount = 0;
  #unstored: AnswerPart[] = [];

  /** `onAdd` is called when there is new output to store. */
  constructor(order: CallOrder, onAdd: (call: KeptCall) => void) {
    this.order = order;
    this.#attached = order.retries ?? 0;
    this.#onAdd = onAdd;
  }

  /** The head of an answer in pieces: its first line. */
  begin(head: string): void {
    if (this.#isDropped && this.#partCount === 0) this.#pushLast(Buffer.from(`${head}\n`), 'unkept');
    else this.add(`${head}\n`);
  }

  /** Adds to the answer. */
  add(piece: string | Uint8Array): void {
    if (this.#isDropped || this.hasEnded || piece.length === 0) return;
    this.bytes += this.#gathered.add(piece);
    if (this.bytes > STREAM_BYTES_MAX) this.giveUp('large');
    else this.#onAdd(this);
  }

  /** The whole answer as its only part, stored with its bill, and its bytes without the head's line. */
  complete(head: string, content: string | Uint8Array): { part: AnswerPart | undefined; content: Uint8Array } {
    const line = Buffer.from(`${head}\n`);
    const bytes = Buffer.concat([line, typeof content === 'string' ? Buffer.from(content) : content]);
    this.bytes = bytes.length;
    if (bytes.length > WHOLE_BYTES_MAX) this.drop();
    const { requestId, workspaceId, fingerprint } = this.order;
    const part = { requestId, workspaceId, fingerprint, part: 0, state: 'whole' as const, bytes };
    return { part: this.#isDropped ? undefined : part, content: bytes.subarray(line.length) };
  }

  /** Does not keep this answer, of which nothing is stored yet. */
  drop(): void {
    this.#isDropped = true;
  }

  /** Stops keeping this answer. Its last part tells its readers, who may have read earlier ones. */
  giveUp(state: 'large' | 'unkept'): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    const gathered = this.#gathered.take();
    // A statement may have stored them, or be storing them: their numbers stay, and the head.
    this.#unstored = this.#unstored.map((part) => ({
      ...part,
      state: part.state === 'open' ? 'open' : state,
      bytes: part.part === 0 ? headOf(part.bytes) : NOTHING,
    }));
    if (this.#lastState === 'open') this.#pushLast(this.#partCount === 0 ? headOf(gathered) : NOTHING, state);
    else this.#lastState = state;
    this.#startGrace();
  }

  /** How the answer has ended; `open`: it has not. */
  get state(): PartState {
    return this.#lastState;
  }

  /** The parts not stored yet. Later ones are not added to this list: its reader says when these are stored. */
  unstored(): AnswerPart[] {
    if (this.#gathered.length > 0) this.#push(this.#gathered.take(), 'open');
    return [...this.#unstored];
  }

  get isDirty(): boolean {
    return this.#gathered.length > 0 || this.#unstored.length > 0;
  }

  /** These parts are stored. */
  noteStored(parts: AnswerPart[]): void {
    const last = parts.at(-1)!.part;
    this.#unstored = this.#unstored.filter(({ part }) => part > last);
    this.#stored?.resolve();
    this.#stored = undefined;
  }

  /** Resolves when more is stored, or the call has ended. */
  stored(): Promise<void> {
    return (this.#stored ??= Promise.withResolvers()).promise;
  }

  /** The call is over; the rest of its answer is its last part. */
  end(isCancelled: boolean): void {
    this.hasEnded = true;
    clearTimeout(this.#timer);
    this.onGone = undefined;
    if (this.#partCount === 0 && this.#gathered.length === 0) return;
    const state = this.isWhole ? 'whole' : isCancelled ? 'left' : 'failed';
    if (!this.#isDropped) this.#push(this.#gathered.take(), state);
  }

  /** Releases all waiting readers: everything is stored, or never will be. */
  settle(): void {
    this.#stored?.resolve();
    this.#back?.resolve();
  }

  /** While this try looks for an earlier one. Returns the result of `search`: the request that supplies its answer. */
  async ask(search: () => Promise<string | undefined>): Promise<string | undefined> {
    this.follows = undefined;
    this.#asking = Promise.withResolvers();
    try {
      return (this.follows = await search());
    } finally {
      this.#asking.resolve();
      this.#asking = undefined;
    }
  }

  /** Resolves when this try has found an earlier one, or runs. Undefined: it runs. */
  asked(): Promise<void> | undefined {
    return this.#asking?.promise;
  }

  get isRunning(): boolean {
    return this.#asking === undefined && this.follows === undefined;
  }

  /** Whether a retry may get its answer: it was not given up, has not failed, and is kept. */
  get canBeRead(): boolean {
    return !this.isGone && isReadable(this.#lastState);
  }

  get isRead(): boolean {
    return !this.isLeft || this.#readers > 0;
  }

  /** The client has disconnected. */
  leave(): void {
    this.isLeft = true;
    this.#startGrace();
  }

  /** Adds a reader. Returns a function that removes it; undefined: too late. */
  attach(retries = 0): (() => void) | undefined {
    if (this.isGone || this.hasEnded || this.#isDropped) return undefined;
    this.#readers += 1;
    this.#attached = Math.max(this.#attached + 1, retries);
    clearTimeout(this.#timer);
    this.#back?.resolve();
    this.#back = undefined;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#readers -= 1;
      this.#startGrace();
    };
  }

  /** While it has no reader: resolves with the next reader, or when the call is given up. */
  pause(): Promise<void> | undefined {
    return this.isRead || this.isGone ? undefined : (this.#back ??= Promise.withResolvers()).promise;
  }

  #startGrace(): void {
    if (this.isRead || this.hasEnded || this.isGone) return;
    clearTimeout(this.#timer);
    const { graceMs } = this.order;
    const longerMs = Math.min(graceMs * 2 ** this.#attached, Math.max(graceMs, GRACE_MS_MAX));
    // An answer that is not kept has no later readers.
    if (graceMs === 0 || this.#isDropped) this.#end();
    else this.#timer = setTimeout(() => this.#end(), longerMs);
  }

  #end(): void {
    this.isGone = true;
    this.onGone?.();
    this.onGone = undefined;
    this.#back?.resolve();
  }

  #lastState: PartState = 'open';

  #pushLast(bytes: Uint8Array, state: PartState): void {
    this.#push(bytes, state);
    this.#onAdd(this);
  }

  #push(bytes: Uint8Array, state: PartState): void {
    const { requestId, workspaceId, fingerprint } = this.order;
    const part = this.#partCount++;
    this.#lastState = state;
    this.#unstored.push({
      requestId,
      workspaceId,
      fingerprint: part === 0 ? fingerprint : null,
      part,
      state,
      bytes,
    });
  }
}

/** Whether an answer that ended so, or goes on (`open`), is given to retries. */
export const isReadable = (state: PartState): boolean => state === 'open' || state === 'whole';

/** A copy of the first line alone: a slice of a buffer is a view, which would keep all of it. */
const headOf = (bytes: Uint8Array): Uint8Array => Buffer.from(bytes.subarray(0, bytes.indexOf(NEWLINE) + 1));
