import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  url: string;
  /** The request of all calls, or several that take turns. */
  request: Buffer | Buffer[];
  /** Connections, each with one request in flight at any time. */
  connections: number;
  /** Delay between the first requests of successive connections; without it all start at once. */
  staggerMs?: number;
  /** Is given the bytes of streams as they arrive. */
  onStreamed?: (chunk: Buffer) => void;
}

/** The results of a load. */
export interface Seen {
  seconds: number;
  answers: number;
  errors: number;
  latenciesMs: number[];
  events: number;
  firstTextMs: number[];
  /** Statuses of complete answers that are not good. */
  refusals: number[];
}

export const noneSeen = (): Seen => ({
  seconds: 0,
  answers: 0,
  errors: 0,
  latenciesMs: [],
  events: 0,
  firstTextMs: [],
  refusals: [],
});

/** Keeps all connections busy until `isOver` returns true; a broken connection is not replaced. */
export async function drive(load: Load, isOver: (seen: Seen) => boolean): Promise<Seen> {
  const { url, request, connections, staggerMs = 0 } = load;
  const seen = noneSeen();
  const next = inTurn(request);
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const startedAtMs = performance.now();
  const keepBusy = async (connection: Connection, place: number): Promise<void> => {
    if (staggerMs > 0) await sleep(place * staggerMs);
    while (!isOver(seen)) {
      const sentAtMs = performance.now();
      const answer = await connection.exchange(next(), load.onStreamed);
      note(answer, sentAtMs, seen);
      if (!answer.isGood) return;
    }
  };
  await Promise.all(open.map(keepBusy));
  seen.seconds = (performance.now() - startedAtMs) / 1000;
  for (const connection of open) connection.close();
  return seen;
}

/** The request of the next call. */
export function inTurn(request: Load['request']): () => Buffer {
  if (!Array.isArray(request)) return () => request;
  let sent = 0;
  return () => request[sent++ % request.length]!;
}

/** True once this much time has passed. */
export function untilElapsed(durationMs: number): () => boolean {
  const endsAtMs = performance.now() + durationMs;
  return () => performance.now() >= endsAtMs;
}

/** Adds an answer to what a load has seen. */
export function note(answer: AnswerReader, sentAtMs: number, seen: Seen): void {
  if (answer.isGood) seen.answers += 1;
  else {
    seen.errors += 1;
    seen.refusals.push(answer.status);
  }
  seen.latenciesMs.push(performance.now() - sentAtMs);
  seen.events += answer.events;
  if (answer.firstTextAtMs !== undefined) seen.firstTextMs.push(answer.firstTextAtMs - sentAtMs);
}

/** The model of every call, as in the measured catalogue. */
export const BENCH_MODEL = 'bench-text';

interface ChatOrder {
  key: string;
  stream: boolean;
  content?: string;
  headers?: Record<string, string>;
}

/** A chat call as bytes, to be sent repeatedly: about 110 bytes of body. */
export function chatRequest({
  key,
  stream,
  content = 'Say the sentence that you always say.',
  headers,
}: ChatOrder): Buffer {
  const messages = [{ role: 'user', content }];
  const streaming = stream ? { stream: true, stream_options: { include_usage: true } } : {};
  const body = { model: BENCH_MODEL, messages, ...streaming };
  return postRequest({ path: '/v1/chat/completions', key, body, headers });
}

/** A POST of a JSON body as bytes, to be sent repeatedly. */
export function postRequest({
  path,
  key,
  body,
  headers = {},
}: {
  path: string;
  key: string;
  body: object;
  headers?: Record<string, string> | undefined;
}): Buffer {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** A keep-alive connection with at most one request in flight. */
export class Connection {
  readonly #socket: Socket;
  #reader = new AnswerReader();
  #done: ((reader: AnswerReader) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#reader.push(chunk) && this.#finish());
    socket.on('error', () => {});
    socket.on('close', () => this.#finish());
  }

  /** Throws when no server listens on the address. */
  static async open(origin: string): Promise<Connection> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends a request and resolves when its answer is complete or the connection broke; a broken answer does not count as good. */
  exchange(request: Buffer, onStreamed?: (chunk: Buffer) => void): Promise<AnswerReader> {
    this.#reader = new AnswerReader(onStreamed);
    if (this.#socket.destroyed) return Promise.resolve(this.#reader);
    this.#socket.write(request);
    return new Promise((resolve) => (this.#done = resolve));
  }

  close(): void {
    this.#socket.destroy();
  }

  #finish(): void {
    this.#done?.(this.#reader);
    this.#done = undefined;
  }
}

const HEAD_END = Buffer.from('\r\n\r\n');
const EVENT_END = Buffer.from('\n\n');
const TAIL_BYTES = 32;

/** Parses one HTTP/1.1 answer with little work: the load must cost less CPU than the measured server. */
export class AnswerReader {
  head = '';
  /** Server-sent events seen so far. */
  events = 0;
  /** When the first event with text arrived, by `performance.now()`. */
  firstTextAtMs: number | undefined;
  #unread: Buffer | undefined;
  #bytesLeft: number | undefined;
  #tail = '';
  readonly #onStreamed: ((chunk: Buffer) => void) | undefined;

  constructor(onStreamed?: (chunk: Buffer) => void) {
    this.#onStreamed = onStreamed;
  }

  /** True when the answer is complete. */
  push(chunk: Buffer): boolean {
    const body = this.#bytesLeft === undefined ? this.#readHead(chunk) : chunk;
    if (body === undefined) return false;
    if (this.#bytesLeft === Infinity) return this.#readEvents(body);
    this.#bytesLeft! -= body.length;
    return this.#bytesLeft! <= 0;
  }

  /** A complete answer of status 200 or 202; a stream also has its closing `[DONE]`. */
  get isGood(): boolean {
    const hasEnd = this.#bytesLeft !== Infinity || this.#tail.includes('[DONE]');
    return hasEnd && /^HTTP\/1\.1 20[02]/.test(this.head);
  }

  /** 0 when the connection broke before an answer. */
  get status(): number {
    return Number(this.head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  }

  #readHead(chunk: Buffer): Buffer | undefined {
    this.#unread = this.#unread ? Buffer.concat([this.#unread, chunk]) : chunk;
    const end = this.#unread.indexOf(HEAD_END);
    if (end === -1) return undefined;
    this.head = this.#unread.toString('latin1', 0, end);
    const length = /content-length: (\d+)/i.exec(this.head);
    this.#bytesLeft = length ? Number(length[1]) : Infinity;
    return this.#unread.subarray(end + HEAD_END.length);
  }

  #readEvents(chunk: Buffer): boolean {
    this.#onStreamed?.(chunk);
    for (let at = chunk.indexOf(EVENT_END); at !== -1; at = chunk.indexOf(EVENT_END, at + 2)) this.events += 1;
    if (this.firstTextAtMs === undefined && /"content":"[^"]/.test(chunk.toString('latin1'))) {
      this.firstTextAtMs = performance.now();
    }
    this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - TAIL_BYTES))).slice(-TAIL_BYTES);
    return this.#tail.endsWith('\r\n0\r\n\r\n');
  }
}
