/**
 * Lets text through until one of the stop texts appears; what might be the start of one is held back.
 * Texts that open with `exempt` (tool calls) are let through whole: a stop text inside their JSON would break it.
 */
export class StopFilter {
  readonly #stops: string[];
  readonly #exempt: string | undefined;
  #held = '';
  #opening = '';
  stopped = false;

  constructor(stops: string[], exempt?: string) {
    this.#stops = stops.filter(Boolean);
    this.#exempt = exempt;
  }

  /** The text that may be shown now. */
  push(text: string): string {
    if (this.#stops.length === 0 || this.#isExempt(text)) return this.flush() + text;
    this.#held += text;
    const found = this.#stops.map((stop) => this.#held.indexOf(stop)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.stopped = true;
      return this.#take(Math.min(...found));
    }
    return this.#take(this.#held.length - this.#undecided());
  }

  /** What was held back, once it is certain that nothing follows. */
  flush(): string {
    return this.#take(this.#held.length);
  }

  #isExempt(text: string): boolean {
    if (!this.#exempt) return false;
    if (this.#opening.length < this.#exempt.length) this.#opening += text;
    return this.#opening.startsWith(this.#exempt);
  }

  #take(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }

  /** How many characters at the end could still become a stop text. */
  #undecided(): number {
    for (let length = this.#held.length; length > 0; length -= 1) {
      const tail = this.#held.slice(-length);
      if (this.#stops.some((stop) => stop.startsWith(tail))) return length;
    }
    return 0;
  }
}
