import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';
import { BASE64_CHARACTERS_A_MS, PROMPT_RESERVE_TOKENS } from './passedResponse.ts';

const BYTES_A_TOKEN = 3;
const SOUND_MS_A_TOKEN = 100;

/** Where a response began. */
export interface BegunPrompt {
  sentTokens: number;
  /** Whether its prompt is the conversation, so that its usage shows how long that is. */
  isConversation: boolean;
}

/** A high estimate of a conversation's tokens, from what its client sends, and from the usage that its upstream reports. */
export class PromptEstimate {
  readonly #contextTokens: number;
  #tokens = PROMPT_RESERVE_TOKENS;
  #sentTokens = 0;
  /** Responses that were asked for with input of their own, and have not begun. */
  #withOwnInput = 0;

  /** `contextTokens`: the most that the model takes; 0: unknown. */
  constructor(contextTokens: number) {
    this.#contextTokens = contextTokens || Infinity;
  }

  get tokens(): number {
    return Math.min(this.#tokens, this.#contextTokens);
  }

  /** All that was sent so far. */
  get sentTokens(): number {
    return this.#sentTokens;
  }

  /** Counts an event of the client, with so much sound in it. */
  count(event: Json, soundMs: number): void {
    const isSound = event.type === 'input_audio_buffer.append';
    const bytes = isSound ? 0 : Buffer.byteLength(JSON.stringify(event)) - soundMs * BASE64_CHARACTERS_A_MS;
    const tokens = Math.ceil(Math.max(0, bytes) / BYTES_A_TOKEN + soundMs / SOUND_MS_A_TOKEN);
    this.#tokens += tokens;
    this.#sentTokens += tokens;
    if (hasOwnInput(event)) this.#withOwnInput += 1;
  }

  /**
   * A response begins, which was asked for when so much had been sent. Where the upstream also begins responses by itself, it is unknown
   * which ones have input of their own: from then on none is taken for the conversation.
   */
  begin(sentTokens: number, { mayBeAnother }: { mayBeAnother: boolean }): BegunPrompt {
    const isConversation = this.#withOwnInput === 0;
    if (!isConversation && !mayBeAnother) this.#withOwnInput -= 1;
    return { sentTokens, isConversation };
  }

  /** A response has ended, with so many tokens in its conversation. What was sent since it was asked for follows them. */
  end({ sentTokens, isConversation }: BegunPrompt, contextTokens: number): void {
    if (isConversation) this.#tokens = PROMPT_RESERVE_TOKENS + contextTokens + this.#sentTokens - sentTokens;
  }
}

const hasOwnInput = ({ type, response }: Json): boolean =>
  type === 'response.create' &&
  isObject(response) &&
  (Array.isArray(response.input) || (response.conversation ?? 'auto') !== 'auto');
