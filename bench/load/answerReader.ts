const HEAD_END = Buffer.from('\r\n\r\n');
const EVENT_END = Buffer.from('\n\n');
const TAIL_BYTES = 32;

/** Reads one HTTP/1.1 answer with as little work as will do: the load must cost less than what it measures. */
export class AnswerReader {
  head = '';
  /** Server-sent events seen so far. */
  events = 0;
  /** When the first event with some text arrived, by `performance.now()`. */
  firstTextAtMs: number | undefined;
  #unread: Buffer | undefined;
  #bytesLeft: number | undefined;
  #tail = '';

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
    for (let at = chunk.indexOf(EVENT_END); at !== -1; at = chunk.indexOf(EVENT_END, at + 2)) this.events += 1;
    if (this.firstTextAtMs === undefined && /"content":"[^"]/.test(chunk.toString('latin1'))) {
      this.firstTextAtMs = performance.now();
    }
    this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - TAIL_BYTES))).slice(-TAIL_BYTES);
    return this.#tail.endsWith('\r\n0\r\n\r\n');
  }
}
