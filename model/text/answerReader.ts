import { CallReader } from './callReader.ts';
import type { CallDelta } from './callReader.ts';

/** Tells calls from text while an answer arrives. */
export class AnswerReader {
  readonly #calls = new CallReader();
  #mode: 'text' | 'calls' | 'either';
  #opening = '';

  constructor(mode: 'text' | 'calls' | 'either') {
    this.#mode = mode;
  }

  get isCall(): boolean {
    return this.#mode === 'calls';
  }

  get repeatsItself(): boolean {
    return this.#calls.repeatsItself;
  }

  push(text: string): { content: string; calls: CallDelta[] } {
    const decided = this.#mode === 'either' ? this.#decide(text) : text;
    if (this.#mode === 'calls') return { content: '', calls: this.#calls.push(decided) };
    return { content: decided, calls: [] };
  }

  /** The grammar lets no text begin with `<t`, so two characters tell which it is. */
  #decide(text: string): string {
    this.#opening += text;
    if ('<t'.startsWith(this.#opening) && this.#opening !== '<t') return '';
    this.#mode = this.#opening.startsWith('<t') ? 'calls' : 'text';
    return this.#opening;
  }
}
