import type { ErrorBody } from '../base/errors/apiError.ts';
import type { AnswerPart } from '../db/answers/answerPart.ts';
import type { KeptCall } from '../db/answers/keptCall.ts';
import type { BilledLine } from '../db/ledger/ledger.ts';
import type { Quantities } from '../db/money.ts';
import type { Reserved } from './reserve.ts';

/** What a call ended with. */
export interface Outcome {
  /** What was charged, in nano-USD. */
  chargedNanos: bigint;
  /** The billed units. */
  usage: Quantities;
  /** What cut the answer short. */
  truncatedBy: Reserved['truncatedBy'];
}

/** What was sent of an answer. */
export interface Sent {
  /** Milliseconds from the beginning of the call to its first byte. */
  readonly firstByteMs: number | null;
  readonly bytes: number;
}

/**
 * How the answer of one call reaches its caller: HTTP makes headers and a body of its outcome, a socket events, a batch a line. A call over
 * HTTP never refers to it: the call's object may outlive the request, and would keep it in memory.
 */
export interface Delivery<Answer> {
  /** Whether the head of the answer was sent or is about to be: a failure is then presented, before that it is thrown. */
  readonly hasBegun: boolean;
  readonly sent?: Sent;
  /** Sends the end of the answer, or the whole of it, once its bill is on disk. */
  present(answer: Answer, outcome: Outcome): void | Promise<void>;
  /** Ends an answer with an error after its head was sent. */
  fail?(error: ErrorBody): void | Promise<void>;
  /** Set where `present` gives the whole answer at once, which is stored with its bill: what is to be stored; undefined for too much. */
  keep?(kept: KeptCall): AnswerPart | undefined;
  /** The bill of what was presented is not on disk: it is not sent. */
  withdraw?(): void;
  /** Set for a line of a batch: its result, which is stored with its bill. */
  line?(): BilledLine;
}
