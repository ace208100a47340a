const FIRST_BYTES = 2048;
const NONE = Buffer.alloc(0);
// In UTF-8, of one unit of a string.
const BYTES_PER_UNIT_MAX = 3;

/**
 * Gathers pieces into one buffer. As a list of strings they would survive young garbage collections until they are stored, and make most
 * of what a stream leaves for old ones.
 */
export class GatheredBytes {
  length = 0;
  #buffer: Buffer = NONE;

  /** Returns how many bytes were added. */
  add(piece: string | Uint8Array): number {
    const isText = typeof piece === 'string';
    this.#reserve(isText ? piece.length * BYTES_PER_UNIT_MAX : piece.length);
    const bytes = isText ? this.#buffer.write(piece, this.length) : piece.length;
    if (!isText) this.#buffer.set(piece, this.length);
    this.length += bytes;
    return bytes;
  }

  /** What was gathered; begins anew. */
  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.length);
    this.#buffer = NONE;
    this.length = 0;
    return bytes;
  }

  #reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length, FIRST_BYTES));
    this.#buffer.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
  }
}
