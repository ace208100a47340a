import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../providers/provider.ts';
import type { TestFault } from '../../../providers/testFault.ts';
import { tokensOf } from '../../scripted/answers.ts';
import { scriptOf } from '../../scripted/script.ts';
import { speechOf, type Piece } from '../../scripted/speech.ts';
import { testAnswer } from '../testAnswer.ts';
import { messagesOf, type TestConversation, type TestItem } from './conversation.ts';
import { openItem, type OpenItem } from './outputItem.ts';
import { newId, type Emit } from './protocol.ts';

// The duration of an audio token as a vendor counts it, spoken and heard.
const SPOKEN_MS_A_TOKEN = 50;
const HEARD_MS_A_TOKEN = 100;
// A failure in the middle of an answer occurs after so many pieces.
const FAULT_AFTER_PIECES = 4;

const OUTPUT_TOKENS_MAX = 4_096;

/** The inputs of a response. */
export interface ResponseOrder {
  /** The session's settings, with this response's overrides. */
  settings: Json;
  /** The items that it answers; read at its beginning. */
  items: () => readonly TestItem[];
  /** The destination of its items; null: none. */
  conversation: TestConversation | null;
  fault: TestFault | undefined;
  emit: Emit;
  /** Breaks the connection, or a frame on it. */
  breaks: (how: 'cut_stream' | 'malformed_chunk') => void;
}

/** One response of a test session: in progress -> completed | incomplete | cancelled | failed. */
export class TestResponse {
  readonly id = newId('resp');
  readonly #order: ResponseOrder;
  readonly #output: OpenItem[] = [];
  #cancelled: 'client_cancelled' | 'turn_detected' | undefined;
  #sent: Piece[] = [];

  constructor(order: ResponseOrder) {
    this.#order = order;
  }

  get isCancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  get isOutOfBand(): boolean {
    return this.#order.conversation === null;
  }

  cancel(reason: 'client_cancelled' | 'turn_detected'): void {
    this.#cancelled ??= reason;
  }

  /** Resolves when its last event was sent. */
  async run(): Promise<void> {
    const { emit, items } = this.#order;
    const asked = [...items()];
    const body = this.#bodyFor(asked);
    const script = scriptOf(body, testAnswer(body));
    const { pieces, promptTokens, finishReason } = await speechOf(script, body);
    void emit('response.created', { response: this.#shown('in_progress') });
    const isWhole = await this.#write(pieces, script.toolCalls ?? [], script.delayMs ?? 0);
    const ending = this.#endingOf(isWhole, finishReason);
    for (const item of this.#output) item.end(ending.status === 'completed');
    const heardMs = asked.reduce((sum, { soundMs }) => sum + soundMs, 0);
    const usage = ending.status === 'failed' ? null : this.#usage(promptTokens, Math.ceil(heardMs / HEARD_MS_A_TOKEN));
    await emit('response.done', { response: { ...this.#shown(ending.status), ...ending, usage } });
  }

  #bodyFor(items: readonly TestItem[]): Json {
    const { instructions, tools, tool_choice, max_output_tokens: tokensMax, model } = this.#order.settings;
    const offered = (Array.isArray(tools) ? (tools as Json[]) : []).map(({ type: _type, ...named }) => ({
      type: 'function',
      function: named,
    }));
    const system = instructions ? [{ role: 'system', content: instructions }] : [];
    return {
      model,
      messages: [...system, ...messagesOf(items)],
      ...(offered.length > 0 && { tools: offered, tool_choice }),
      max_tokens: Math.min(typeof tokensMax === 'number' ? tokensMax : Infinity, OUTPUT_TOKENS_MAX),
    };
  }

  /** Sends the pieces; false: a requested failure has ended them. */
  async #write(pieces: Piece[], toolCalls: { name: string }[], delayMs: number): Promise<boolean> {
    const { fault, breaks } = this.#order;
    let item: OpenItem | undefined;
    let place = '';
    for (const piece of pieces.filter(({ kind }) => kind !== 'reasoning')) {
      if (this.#sent.length === FAULT_AFTER_PIECES) {
        if (fault?.name === 'error_chunk') return false;
        if (fault?.name === 'cut_stream' || fault?.name === 'malformed_chunk') breaks(fault.name);
      }
      await (delayMs > 0 ? sleep(delayMs, undefined, { ref: false }) : turn());
      if (fault?.name === 'slow_chunks') await sleep(fault.delayMs, undefined, { ref: false });
      if (this.#cancelled) return true;
      if (!item || place !== `${piece.kind}${piece.call}`) {
        item?.end(true);
        place = `${piece.kind}${piece.call}`;
        item = this.#open(piece.kind === 'tool' ? toolCalls[piece.call]!.name : undefined);
      }
      await item.write(piece.text);
      this.#sent.push(piece);
    }
    return true;
  }

  #open(functionName: string | undefined): OpenItem {
    const { conversation, emit, settings } = this.#order;
    const [modality] = settings.output_modalities as string[];
    const place = { response_id: this.id, output_index: this.#output.length };
    const item = openItem({ emit, conversation, place, functionName, isSpoken: modality === 'audio' });
    this.#output.push(item);
    return item;
  }

  #endingOf(isWhole: boolean, finishReason: string): { status: string; status_details: object | null } {
    const error = { type: 'server_error', code: 'server_error', message: 'A test call asked for this error.' };
    if (!isWhole) return { status: 'failed', status_details: { type: 'failed', error } };
    if (this.#cancelled) return { status: 'cancelled', status_details: { type: 'cancelled', reason: this.#cancelled } };
    if (finishReason === 'length')
      return { status: 'incomplete', status_details: { type: 'incomplete', reason: 'max_output_tokens' } };
    return { status: 'completed', status_details: null };
  }

  #shown(status: string): object {
    const { settings, conversation } = this.#order;
    const { output_modalities, max_output_tokens, metadata = null, audio } = settings;
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details: null,
      output: this.#output.map(({ shown }) => shown),
      conversation_id: conversation?.id ?? null,
      output_modalities,
      max_output_tokens,
      audio: { output: (audio as Json).output },
      metadata,
      usage: null,
    };
  }

  #usage(promptTokens: number, heardTokens: number): object {
    const textTokens = tokensOf(this.#sent);
    const spokenMs = this.#output.reduce((sum, item) => sum + item.soundMs, 0);
    const spokenTokens = Math.ceil(spokenMs / SPOKEN_MS_A_TOKEN);
    const [inputTokens, outputTokens] = [promptTokens + heardTokens, textTokens + spokenTokens];
    return {
      total_tokens: inputTokens + outputTokens,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      input_token_details: { text_tokens: promptTokens, audio_tokens: heardTokens, image_tokens: 0, cached_tokens: 0 },
      output_token_details: { text_tokens: textTokens, audio_tokens: spokenTokens },
    };
  }
}
