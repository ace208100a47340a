import { randomUUID } from 'node:crypto';
import type { ToolUse } from '../../rules/protocol/toolUse.ts';
import { ANSWER_HEAD, CALL_TAIL } from './tools.ts';

/** A piece of a streamed tool call, as OpenAI's chunks carry it. */
export interface CallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
}

const HEAD_PATTERN = /^\n?<tool_call>\{"name": "([^"]+)", "arguments": /;

/**
 * Reads tool calls from text that arrives in pieces. The grammar guarantees its form. A small model tends to repeat its call, so calls
 * after the first are held back until they are complete, and shown if they are new.
 */
export class CallReader {
  readonly #seen = new Set<string>();
  #index = -1;
  #call = { name: '', arguments: '' };
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'head' | 'arguments' | 'tail' = 'head';

  /** Whether the last call repeats an earlier one, so that the answer can end. */
  repeatsItself = false;

  push(text: string): CallDelta[] {
    this.#text += text;
    const deltas: CallDelta[] = [];
    for (let next = this.#next(); next; next = this.#next()) {
      if (this.#index === 0) deltas.push(next);
      else if (this.#state === 'tail' && !this.repeatsItself)
        deltas.push(this.#opening(), this.#piece(this.#call.arguments));
    }
    return joined(deltas);
  }

  #next(): CallDelta | undefined {
    if (this.#state === 'tail' && this.#text.length >= CALL_TAIL.length) {
      this.#text = this.#text.slice(CALL_TAIL.length);
      this.#state = 'head';
    }
    if (this.#state === 'head') return this.#readHead();
    if (this.#state === 'arguments' && this.#text) return this.#readArguments();
    return undefined;
  }

  #readHead(): CallDelta | undefined {
    const head = HEAD_PATTERN.exec(this.#text);
    if (!head) return undefined;
    this.#text = this.#text.slice(head[0].length);
    this.#state = 'arguments';
    this.#index += 1;
    this.#call = { name: head[1]!, arguments: '' };
    return this.#opening();
  }

  #readArguments(): CallDelta {
    const end = this.#endOfArguments();
    const piece = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    this.#call.arguments += piece;
    if (this.#state === 'tail') this.#remember();
    return this.#piece(piece);
  }

  #remember(): void {
    const call = `${this.#call.name} ${this.#call.arguments}`;
    this.repeatsItself = this.#seen.has(call);
    this.#seen.add(call);
  }

  #opening(): CallDelta {
    const id = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    return { index: this.#index, id, type: 'function', function: { name: this.#call.name, arguments: '' } };
  }

  #piece(text: string): CallDelta {
    return { index: this.#index, function: { arguments: text } };
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

/** One entry for each call: clients read only one entry per index in a chunk. */
function joined(deltas: CallDelta[]): CallDelta[] {
  const calls: CallDelta[] = [];
  for (const delta of deltas) {
    const same = calls.find(({ index }) => index === delta.index);
    if (same) same.function.arguments += delta.function.arguments;
    else calls.push(delta);
  }
  return calls;
}

/** Reads the text of a JSON string that arrives in pieces, up to its end. */
class StringReader {
  #held = '';
  #hasEnded = false;

  push(text: string): string {
    if (this.#hasEnded) return '';
    this.#held += text;
    // Half of a surrogate pair waits for the other half.
    const whole = /^(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*/.exec(this.#held)![0].replace(/\\u[dD][89abAB]..$/, '');
    this.#held = this.#held.slice(whole.length);
    this.#hasEnded = this.#held.startsWith('"');
    return JSON.parse(`"${whole}"`) as string;
  }
}

/** Separates calls from text while an answer arrives. */
export class AnswerReader {
  readonly #calls = new CallReader();
  readonly #answer = new StringReader();
  #mode: ToolUse['mode'] | 'answer';
  #opening = '';

  constructor(mode: ToolUse['mode']) {
    this.#mode = mode;
  }

  get isCall(): boolean {
    return this.#mode === 'calls';
  }

  get repeatsItself(): boolean {
    return this.#calls.repeatsItself;
  }

  push(text: string): { content: string; calls: CallDelta[] } {
    const decided = this.#mode === 'either' || this.#mode === 'answerCall' ? this.#decide(text) : text;
    if (this.#mode === 'answer') return { content: this.#answer.push(decided), calls: [] };
    if (this.#mode === 'calls') return { content: '', calls: this.#calls.push(decided) };
    return { content: decided, calls: [] };
  }

  /** In the grammar no text begins with `<t`, so two characters decide between text and call. */
  #decide(text: string): string {
    this.#opening += text;
    if (this.#mode === 'answerCall') return this.#decideByCall();
    if ('<t'.startsWith(this.#opening) && this.#opening !== '<t') return '';
    this.#mode = this.#opening.startsWith('<t') ? 'calls' : 'text';
    return this.#opening;
  }

  #decideByCall(): string {
    if (ANSWER_HEAD.startsWith(this.#opening) && this.#opening !== ANSWER_HEAD) return '';
    const isAnswer = this.#opening.startsWith(ANSWER_HEAD);
    this.#mode = isAnswer ? 'answer' : 'calls';
    return isAnswer ? this.#opening.slice(ANSWER_HEAD.length) : this.#opening;
  }
}
