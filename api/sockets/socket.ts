import type { WebSocket } from 'ws';
import { SocketFlow } from '../../base/socketFlow.ts';
import type { Context } from '../context.ts';
import type { ApiError, ErrorBody } from '../../base/errors/apiError.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import type { Services } from '../services.ts';

/** Close codes (RFC 6455) with which this service ends sockets. */
export const CLOSE = { normal: 1000, goingAway: 1001, refused: 1008, failed: 1011, tryAgain: 1013 } as const;

const REASON_BYTES_MAX = 123;

/** A sentence as the reason of a close frame, which holds few bytes; many clients show nothing else. */
export function closeReasonOf(sentence: string): string {
  const bytes = Buffer.from(sentence);
  if (bytes.length <= REASON_BYTES_MAX) return sentence;
  // The cut may go through a character.
  return `${bytes.toString('utf8', 0, REASON_BYTES_MAX - 3).replace(/\ufffd$/, '')}…`;
}

export interface SocketManner {
  /** An error as an event of this socket's protocol, which then closes with a code. */
  errorEvent(error: ErrorBody, code: number): object;
  /** This process shuts down: finish the current work, then call `goAway`. If omitted, the socket ends at once. */
  onDrain?(): void;
  pingMs?: number;
}

/**
 * An accepted socket: open -> closing -> closed. Ends when its peer is dead or the process shuts down; after `watchKey` also within a
 * second when its key is revoked.
 */
export class ClientSocket {
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #flow: SocketFlow;
  readonly #manner: SocketManner;
  readonly #stops: (() => void)[] = [];

  constructor(ctx: Context, services: Services, ws: WebSocket, manner: SocketManner) {
    this.#ctx = ctx;
    this.#services = services;
    this.#manner = manner;
    this.#flow = new SocketFlow(ws, { pingMs: manner.pingMs, connection: ctx.req.socket });
    this.closed = new Promise((resolve) => ws.once('close', () => resolve(this.#release())));
    const { shutdown } = services;
    this.#stops.push(
      shutdown.onBegin(() => (manner.onDrain ? manner.onDrain() : this.goAway())),
      shutdown.onCut(() => this.goAway()),
    );
  }

  get isOpen(): boolean {
    return this.#flow.isOpen;
  }

  /** Ends the socket with `invalid_api_key` and 1008 when the key of its context ends. */
  watchKey(): void {
    const { keys } = this.#services.db;
    this.#stops.push(keys.watch(this.#ctx.state.key.keyId, () => this.fail(keyEnded())));
  }

  /** Sends an event. Resolves when there is room for more, so that producers can wait. Does nothing on a closed socket. */
  send(event: object): Promise<void> | undefined {
    return this.#flow.send(event);
  }

  /** Ends the socket with a refusal: its error, then the close code. */
  fail(error: ApiError, code: number = CLOSE.refused): void {
    void this.send(this.#manner.errorEvent(error.body, code));
    this.close(code, closeReasonOf(error.message));
  }

  /** Ends the socket because this process shuts down: the client reconnects. */
  goAway(): void {
    this.fail(overloaded(1_000, 'the process ends'), CLOSE.goingAway);
  }

  close(code: number = CLOSE.normal, reason = ''): void {
    this.#flow.close(code, reason);
  }

  /** Handles the client's messages, one after another. `handle` must not reject. */
  onMessages(handle: (message: Buffer, isBinary: boolean) => Promise<void> | void): void {
    this.#flow.onMessages(handle);
  }

  #release(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}
