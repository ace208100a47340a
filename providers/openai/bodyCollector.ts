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

  text(): string {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    return (only ?? Buffer.concat(this.#chunks)).toString('utf8');
  }
}
