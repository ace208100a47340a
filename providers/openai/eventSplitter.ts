import { MIB, sizeText } from '../../base/limits.ts';
import { ProviderError } from '../provider.ts';

const FRAME_BYTES_MAX = 4 * MIB;
const LINE_FEED = 10;

/**
 * Splits a server-sent-event stream into the texts of its `data:` fields, however the network cut it. Takes the bytes of each read. Lines
 * end with LF or CRLF; comments and other fields are skipped; several data lines of one event are joined by LF.
 */
export class EventSplitter {
  /** Bytes after the last line end: a line, or even a character, may continue in the next read. */
  #rest: Buffer[] = [];
  /** Data lines of the incomplete event. */
  #data: string | undefined;
  #frameBytes = 0;

  /** The data texts that these bytes complete. Throws `ProviderError` (failed) when one frame exceeds 4 MiB. */
  push(chunk: Buffer): string[] {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    this.#frameBytes += chunk.length;
    if (end === 0) {
      this.#rest.push(chunk);
      this.#checkFrame();
      return [];
    }
    const lines = this.#takeText(chunk, end);
    const found = this.#read(lines);
    this.#checkFrame();
    return found;
  }

  /** The data of a last event without its blank line. Call it once, when the stream has ended. */
  end(): string[] {
    return this.push(Buffer.from('\n\n'));
  }

  /** Only whole lines are decoded, so a character split by the network stays whole. */
  #takeText(chunk: Buffer, end: number): string {
    let text = chunk.toString('utf8', 0, end);
    if (this.#rest.length > 0) {
      this.#rest.push(chunk.subarray(0, end));
      text = Buffer.concat(this.#rest).toString('utf8');
      this.#rest = [];
    }
    if (end < chunk.length) this.#rest.push(chunk.subarray(end));
    return text;
  }

  #read(lines: string): string[] {
    const found: string[] = [];
    let start = 0;
    for (let feed = lines.indexOf('\n'); feed !== -1; feed = lines.indexOf('\n', start)) {
      const end = feed > start && lines[feed - 1] === '\r' ? feed - 1 : feed;
      if (end > start) this.#readField(lines, start, end);
      else this.#endEvent(found);
      start = feed + 1;
    }
    return found;
  }

  #readField(lines: string, start: number, end: number): void {
    if (!lines.startsWith('data:', start)) return;
    const from = lines[start + 5] === ' ' ? start + 6 : start + 5;
    const value = lines.slice(from, end);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #endEvent(found: string[]): void {
    if (this.#data !== undefined) found.push(this.#data);
    this.#data = undefined;
    this.#frameBytes = this.#rest[0]?.length ?? 0;
  }

  #checkFrame(): void {
    if (this.#frameBytes <= FRAME_BYTES_MAX) return;
    throw new ProviderError('failed', `the upstream sent a frame above ${sizeText(FRAME_BYTES_MAX)}`);
  }
}
