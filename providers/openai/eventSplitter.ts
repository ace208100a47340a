import { MIB, sizeText } from '../../base/limits.ts';
import { ProviderError } from '../provider.ts';

const FRAME_BYTES_MAX = 4 * MIB;
const LINE_FEED = 10;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads events by the shapes of earlier ones, without looking at their fields. */
export interface EventShapes<Known> {
  /** The event that begins at this place of a text of whole lines; undefined: read its fields. */
  read(lines: string, at: number): Known | undefined;
  /** Gets the text of each event that was read by its fields, and its data. */
  learn(event: string, data: string): void;
}

/**
 * Splits a server-sent-event stream into the texts of its `data:` fields, however the network cut it. Takes the bytes of each read. Lines
 * end with LF or CRLF; a byte order mark before the first, comments and other fields are skipped; several data lines of one event are
 * joined by LF. Events of known shapes are found as a whole.
 */
export class EventSplitter<Known extends { readonly length: number } = never> {
  readonly #shapes: EventShapes<Known> | undefined;
  /** Bytes after the last line end: a line, or even a character, may continue in the next read. */
  #rest: Buffer[] = [];
  /** Data lines of the incomplete event. */
  #data: string | undefined;
  #frameBytes = 0;
  #hasBegun = false;

  constructor(shapes?: EventShapes<Known>) {
    this.#shapes = shapes;
  }

  /** The data texts that these bytes complete. Throws `ProviderError` (failed) when one frame exceeds 4 MiB. */
  push(chunk: Buffer): (string | Known)[] {
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
  end(): (string | Known)[] {
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
    if (this.#hasBegun) return text;
    this.#hasBegun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  #read(lines: string): (string | Known)[] {
    const first = this.#knownAt(lines, 0);
    const found: (string | Known)[] = first === undefined ? [] : [first];
    let start = first === undefined ? 0 : first.length;
    // Where the current event began; -1: in an earlier read.
    let begun = this.#data === undefined ? start : -1;
    while (start < lines.length) {
      const known = this.#knownAt(lines, start);
      if (known !== undefined) {
        found.push(known);
        begun = start += known.length;
        continue;
      }
      const feed = lines.indexOf('\n', start);
      const end = feed > start && lines[feed - 1] === '\r' ? feed - 1 : feed;
      if (end > start) {
        this.#readField(lines, start, end);
      } else {
        if (begun !== -1 && this.#data !== undefined) this.#shapes?.learn(lines.slice(begun, feed + 1), this.#data);
        this.#endEvent(found);
        begun = feed + 1;
      }
      start = feed + 1;
    }
    return found;
  }

  /** The event of a known shape that begins at this place. */
  #knownAt(lines: string, at: number): Known | undefined {
    const known = this.#data === undefined ? this.#shapes?.read(lines, at) : undefined;
    if (known !== undefined) this.#restartFrame();
    return known;
  }

  #readField(lines: string, start: number, end: number): void {
    if (!lines.startsWith('data:', start)) return;
    const from = lines[start + 5] === ' ' ? start + 6 : start + 5;
    const value = lines.slice(from, end);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #endEvent(found: (string | Known)[]): void {
    if (this.#data !== undefined) found.push(this.#data);
    this.#data = undefined;
    this.#restartFrame();
  }

  #restartFrame(): void {
    this.#frameBytes = this.#rest[0]?.length ?? 0;
  }

  #checkFrame(): void {
    if (this.#frameBytes <= FRAME_BYTES_MAX) return;
    throw new ProviderError('failed', `the upstream sent a frame above ${sizeText(FRAME_BYTES_MAX)}`);
  }
}
