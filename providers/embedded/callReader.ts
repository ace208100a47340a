import { randomUUID } from 'node:crypto';
import { callTail } from './tools.ts';

/** A piece of a streamed tool call, as OpenAI's chunks carry it. */
export interface CallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
}

const headPattern = /^\n?<tool_call>\{"name": "([^"]+)", "arguments": /;

/** Reads tool calls from text that arrives in pieces. The grammar has already made sure of its form. */
export class CallReader {
  #index = -1;
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'head' | 'arguments' | 'tail' = 'head';

  push(text: string): CallDelta[] {
    this.#text += text;
    const deltas: CallDelta[] = [];
    for (let delta = this.#next(); delta; delta = this.#next()) deltas.push(delta);
    return deltas;
  }

  #next(): CallDelta | undefined {
    if (this.#state === 'tail' && this.#text.length >= callTail.length) {
      this.#text = this.#text.slice(callTail.length);
      this.#state = 'head';
    }
    if (this.#state === 'head') return this.#readHead();
    if (this.#state === 'arguments' && this.#text) return this.#readArguments();
    return undefined;
  }

  #readHead(): CallDelta | undefined {
    const head = headPattern.exec(this.#text);
    if (!head) return undefined;
    this.#text = this.#text.slice(head[0].length);
    this.#state = 'arguments';
    this.#index += 1;
    const id = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    return { index: this.#index, id, type: 'function', function: { name: head[1]!, arguments: '' } };
  }

  #readArguments(): CallDelta {
    const end = this.#endOfArguments();
    const piece = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    return { index: this.#index, function: { arguments: piece } };
  }

  #endOfArguments(): number {
    for (let at = 0; at < this.#text.length; at += 1) {
      this.#track(this.#text[at]!);
      if (this.#depth === 0) {
        this.#state = 'tail';
        return at + 1;
      }
    }
    return this.#text.length;
  }

  #track(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString && character === '\\') this.#escaped = true;
    else if (character === '"') this.#inString = !this.#inString;
    else if (!this.#inString && '{['.includes(character)) this.#depth += 1;
    else if (!this.#inString && '}]'.includes(character)) this.#depth -= 1;
  }
}
