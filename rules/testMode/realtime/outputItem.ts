import type { Json } from '../../../providers/provider.ts';
import type { TestConversation } from './conversation.ts';
import { newId, type Emit } from './protocol.ts';

const RATE = 24_000;
const SAMPLE_BYTES = 2;
// Speech is a soft tone, of this duration for each character.
const TONE_HZ = 220;
const TONE_LOUDNESS = 4_000;
const MS_A_CHARACTER = 50;

/** An item that a response writes: open -> ended. */
export interface OpenItem {
  readonly shown: Json & { id: string };
  /** The duration of its audio. */
  readonly soundMs: number;
  write(text: string): Promise<void>;
  end(isWhole: boolean): void;
}

interface ItemOrder {
  emit: Emit;
  conversation: TestConversation | null;
  place: { response_id: string; output_index: number };
  /** The function that it calls; undefined: it is a message. */
  functionName: string | undefined;
  isSpoken: boolean;
}

/** Opens an item, with the matching events. */
export function openItem(order: ItemOrder): OpenItem {
  const { emit, conversation, place, functionName } = order;
  const labels = { id: newId('item'), object: 'realtime.item', status: 'in_progress' };
  const shown: Json & { id: string } =
    functionName === undefined
      ? { ...labels, type: 'message', role: 'assistant', content: [] }
      : { ...labels, type: 'function_call', call_id: newId('call'), name: functionName, arguments: '' };
  const previous = conversation?.add({ shown, soundMs: 0 }) ?? null;
  void emit('response.output_item.added', { ...place, item: { ...shown } });
  if (conversation) void emit('conversation.item.added', { previous_item_id: previous, item: { ...shown } });
  const writer = functionName === undefined ? messageWriter(order, shown) : callWriter(order, shown);
  let isEnded = false;
  return {
    shown,
    get soundMs() {
      return writer.soundMs();
    },
    write: (text) => writer.write(text),
    end(isWhole) {
      if (isEnded) return;
      isEnded = true;
      writer.end();
      shown.status = isWhole ? 'completed' : 'incomplete';
      void emit('response.output_item.done', { ...place, item: shown });
      if (conversation) void emit('conversation.item.done', { previous_item_id: previous, item: shown });
    },
  };
}

interface Writer {
  write(text: string): Promise<void>;
  end(): void;
  soundMs(): number;
}

function callWriter({ emit, place }: ItemOrder, shown: Json & { id: string }): Writer {
  const at = { ...place, item_id: shown.id, call_id: shown.call_id };
  return {
    async write(delta) {
      shown.arguments = `${String(shown.arguments)}${delta}`;
      await emit('response.function_call_arguments.delta', { ...at, delta });
    },
    end() {
      const { name, arguments: given } = shown;
      void emit('response.function_call_arguments.done', { ...at, name, arguments: given });
    },
    soundMs: () => 0,
  };
}

function messageWriter({ emit, place, isSpoken }: ItemOrder, shown: Json & { id: string }): Writer {
  const at = { ...place, item_id: shown.id, content_index: 0 };
  const part: Json = isSpoken ? { type: 'output_audio', transcript: '' } : { type: 'output_text', text: '' };
  const said = isSpoken ? 'transcript' : 'text';
  const event = isSpoken ? 'response.output_audio_transcript' : 'response.output_text';
  const content = shown.content as Json[];
  content.push(part);
  // The part has another type in these events than in its item.
  const partShown = () => ({ ...part, type: isSpoken ? 'audio' : 'text' });
  void emit('response.content_part.added', { ...at, part: partShown() });
  let samples = 0;
  return {
    async write(delta) {
      part[said] = `${String(part[said])}${delta}`;
      await emit(`${event}.delta`, { ...at, delta });
      if (!isSpoken) return;
      const sound = toneAfter(samples, (Array.from(delta).length * MS_A_CHARACTER * RATE) / 1_000);
      samples += sound.length / SAMPLE_BYTES;
      await emit('response.output_audio.delta', { ...at, delta: sound.toString('base64') });
    },
    end() {
      if (isSpoken) void emit('response.output_audio.done', at);
      void emit(`${event}.done`, { ...at, [said]: part[said] });
      void emit('response.content_part.done', { ...at, part: partShown() });
    },
    soundMs: () => (samples * 1_000) / RATE,
  };
}

/** The next samples of the tone, from this offset. */
function toneAfter(before: number, samples: number): Buffer {
  const sound = Buffer.alloc(samples * SAMPLE_BYTES);
  for (let at = 0; at < samples; at++) {
    const phase = (2 * Math.PI * TONE_HZ * (before + at)) / RATE;
    sound.writeInt16LE(Math.round(TONE_LOUDNESS * Math.sin(phase)), at * SAMPLE_BYTES);
  }
  return sound;
}
