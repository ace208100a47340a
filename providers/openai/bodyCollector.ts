import { ProviderError } from '../provider.ts';

/** Gathers a body that must fit into memory. */
export class BodyCollector {
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Throws `ProviderError` (failed) once the body exceeds its limit. */
  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) {
      throw new ProviderError('failed', `the upstream's answer exceeds ${this.#bytesMax} bytes`);
    }
    this.#chunks.push(chunk);
  }

  /** Without a byte order mark, which JSON does not know. */
  text(): string {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const text = (only ?? Buffer.concat(this.#chunks)).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }
}
