import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { KIB, MIB } from './limits.ts';

const PING_MS = 20_000;
// A peer that answers neither of two pings is gone: found within 60 s.
const MISSED_PINGS_MAX = 2;
// Senders wait from here on; a socket that exceeds the second limit is closed.
const WAIT_BYTES = 256 * KIB;
const BUFFERED_BYTES_MAX = 4 * MIB;
// Written at once, also when more follows in the same turn.
const HELD_BYTES_MAX = 64 * KIB;
// With so much unread, the peer's own messages wait too: their answers come on top of what senders have sent.
const UNREAD_BYTES_MAX = MIB;
// Messages waiting to be handled; no more are read from the connection.
const QUEUED_BYTES_MAX = MIB;
const QUEUED_MAX = 256;
// Messages handled before other connections get a turn.
const MESSAGES_A_TURN = 32;
// How long a peer may take to answer a close frame.
const CLOSE_WAIT_MS = 2_000;

/** The connection below a WebSocket, if its writes may be held. */
type Connection = Pick<Writable, 'cork' | 'uncork'>;

/**
 * The messages of an open WebSocket, in both directions, handled in order. A peer that sends too fast is read more slowly, and a peer
 * that reads too slowly makes senders wait, so memory stays bounded. The socket of a dead peer is closed.
 */
export class SocketFlow {
  readonly #ws: WebSocket;
  readonly #pings: NodeJS.Timeout;
  #gone: NodeJS.Timeout | undefined;
  #missedPings = 0;
  /** Resolves when the last message that found no room is sent. */
  #sent: Promise<void> | undefined;
  readonly #connection: Connection | undefined;
  #heldBytes = 0;

  constructor(ws: WebSocket, { pingMs = PING_MS, connection }: { pingMs?: number; connection?: Connection } = {}) {
    this.#ws = ws;
    this.#connection = connection;
    this.#pings = setInterval(() => this.#ping(), pingMs).unref();
    // A broken frame: ws closes with the matching code by itself.
    ws.on('error', noteError);
    ws.on('pong', () => (this.#missedPings = 0));
    ws.once('close', () => {
      clearInterval(this.#pings);
      clearTimeout(this.#gone);
    });
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** Sends an event. Resolves when there is room for more: a producer waits for that. Nothing is sent on a closed socket. */
  send(event: object): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    const text = JSON.stringify(event);
    if (this.#ws.bufferedAmount > BUFFERED_BYTES_MAX) {
      this.#ws.terminate();
      return undefined;
    }
    const hasRoom = this.#ws.bufferedAmount + text.length < WAIT_BYTES;
    this.#hold(text.length);
    if (hasRoom) this.#ws.send(text, noteError);
    else this.#sent = new Promise((resolve) => this.#ws.send(text, () => resolve()));
    if (this.#heldBytes > HELD_BYTES_MAX) this.#release();
    return hasRoom ? undefined : this.#sent;
  }

  /** What is sent in one turn of the event loop is written together: a write costs as much as making several events. */
  #hold(bytes: number): void {
    if (this.#heldBytes === 0) {
      this.#connection?.cork();
      process.nextTick(() => this.#release());
    }
    this.#heldBytes += bytes;
  }

  #release(): void {
    if (this.#heldBytes === 0) return;
    this.#heldBytes = 0;
    this.#connection?.uncork();
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.#ws.close(code, reason);
    this.#gone = setTimeout(() => this.#ws.terminate(), CLOSE_WAIT_MS).unref();
  }

  /** Handles the peer's messages, one after another. `handle` must not reject. */
  onMessages(handle: (message: Buffer, isBinary: boolean) => Promise<void> | void): void {
    const queue: { message: Buffer; isBinary: boolean }[] = [];
    let queuedBytes = 0;
    let isHandling = false;

    const isFull = (): boolean => queuedBytes > QUEUED_BYTES_MAX || queue.length > QUEUED_MAX;

    const handleAll = async (): Promise<void> => {
      isHandling = true;
      let handled = 0;
      for (let next = queue.shift(); next && this.isOpen; next = queue.shift()) {
        queuedBytes -= next.message.length;
        const handling = handle(next.message, next.isBinary);
        if (handling) await handling;
        if (this.#ws.bufferedAmount > UNREAD_BYTES_MAX) await this.#sent;
        if (++handled % MESSAGES_A_TURN === 0) await turn();
        if (this.#ws.isPaused && !isFull()) this.#ws.resume();
      }
      isHandling = false;
    };

    this.#ws.on('message', (message: Buffer, isBinary) => {
      this.#missedPings = 0;
      queue.push({ message, isBinary });
      queuedBytes += message.length;
      if (isFull()) this.#ws.pause();
      if (!isHandling) void handleAll();
    });
  }

  #ping(): void {
    // Nothing, not even pongs, is read while messages wait.
    if (this.#ws.isPaused) return;
    if (this.#missedPings >= MISSED_PINGS_MAX) return this.#ws.terminate();
    this.#missedPings += 1;
    if (this.isOpen) this.#ws.ping();
  }
}

// A broken connection reports itself by its close event.
const noteError = (): void => {};
