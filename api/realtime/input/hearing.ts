import type { Model } from '../../../db/catalog/catalog.ts';
import type { CallAbort } from '../../../providers/callAbort.ts';
import { linkedSignal } from '../../../providers/callAbort.ts';
import type { Held } from '../../../providers/provider.ts';
import type { Transcript } from '../../../providers/speech.ts';
import type { Services } from '../../services.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { deltaOf, transcribe, type TranscriptionOrder } from '../../../calls/sound/transcribe.ts';
import { logprobsOf } from '../../text/audio/presentTranscript.ts';
import { refuseUnsupportedParameter } from '../../../calls/text/parameters/refusal.ts';
import { soundsInInput, type ResponseInput } from '../session/clientEvents.ts';
import { asHeard, durationMsOf } from './inputBuffer.ts';
import type { Item, Sound } from '../session/items.ts';
import type { Emit } from '../session/outputItems.ts';
import type { Session, SessionAudioInput } from '../session/sessionConfig.ts';
import { transcriptionModel, type SoundMeter } from './soundMeter.ts';
import { TurnQueue } from './turnQueue.ts';

interface HearingOptions {
  services: Services;
  /** The model of the session. */
  model: Model;
  meter: SoundMeter;
  abort: CallAbort;
  emit: Emit;
}

type OnSegment = Parameters<typeof transcribe>[4];

/** Writes down what was said in a session's turns, one after another. */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #turns = new TurnQueue();

  constructor(options: HearingOptions) {
    this.#options = options;
  }

  /** The model that writes down what is said in a session. Throws where the catalogue does not have it. */
  modelOf({ audio }: Session): Model {
    return this.#orderOf(audio.input).model;
  }

  /** Throws for a model that does not exist, and for parameters that it does not support. */
  check(session: Session): void {
    const { services, model } = this.#options;
    checkHearing(services, model, session);
  }

  /** Speech has begun, so a transcription follows: starts its recogniser. */
  prepare({ audio }: Session): void {
    const { services, meter } = this.#options;
    if (meter.held) services.voiceProviders.prepareTranscription(this.#orderOf(audio.input).model, meter.held);
  }

  /** As `TurnQueue.ended`. */
  ended(): Promise<void> {
    return this.#turns.ended();
  }

  /** As `TurnQueue.done`. */
  done(): Promise<void> {
    return this.#turns.done();
  }

  /** Writes what was said into a part of its item, and sends the transcript where the session asks for it. */
  hear(item: Item, samples: Int16Array[], session: Session, contentIndex = 0): void {
    const { meter, abort } = this.#options;
    this.#turns.add(
      samples,
      meter.turn(abort, () => this.#write(item, samples, session, contentIndex)),
    );
  }

  /** As `TurnQueue.room`. */
  room(): Promise<void> | undefined {
    return this.#turns.room();
  }

  /** The same for sounds that a client sent in an item, once all are paid for. */
  async hearSent(item: Item, sounds: Sound[], session: Session): Promise<void> {
    await this.#options.meter.takeBytes(...sounds.map(({ bytes }) => bytes));
    for (const { contentIndex, bytes } of sounds) this.hear(item, [await asHeard(bytes)], session, contentIndex);
  }

  /** Pays for the sounds in the input of one response, and writes what was said in them beside them. */
  async hearInput(input: NonNullable<ResponseInput['input']>, session: Session): Promise<void> {
    const { meter, abort } = this.#options;
    const sounds = soundsInInput(input);
    await meter.takeBytes(...sounds.map(({ bytes }) => bytes));
    const write = async () => {
      for (const { part, bytes } of sounds) {
        if (abort.aborted) return;
        const transcript = await this.#transcribe([await asHeard(bytes)], session).catch((error: unknown) => {
          if (!abort.aborted) throw error;
        });
        part.transcript = transcript?.text ?? '';
      }
    };
    await meter.turn(abort, write)();
  }

  async #write(item: Item, samples: Int16Array[], session: Session, contentIndex: number): Promise<void> {
    const { emit, abort } = this.#options;
    if (abort.aborted) return;
    const isTold = session.audio.input.transcription !== null;
    const wantsLogprobs = session.include?.includes('item.input_audio_transcription.logprobs') === true;
    const place = { item_id: item.id, content_index: contentIndex };
    let text = '';
    try {
      const transcript = await this.#transcribe(samples, session, ({ segment, words }) => {
        const delta = deltaOf(text, segment);
        text += delta;
        const logprobs = wantsLogprobs ? logprobsOf(words) : null;
        return isTold
          ? emit('conversation.item.input_audio_transcription.delta', { ...place, delta, logprobs })
          : undefined;
      });
      if (item.type === 'message') item.content[contentIndex]!.transcript = transcript.text;
      const usage = { type: 'duration', seconds: Math.round(durationMsOf(samples)) / 1_000 };
      const logprobs = wantsLogprobs ? logprobsOf(transcript.words) : null;
      const completed = { ...place, transcript: transcript.text, logprobs, usage };
      if (isTold) void emit('conversation.item.input_audio_transcription.completed', completed);
    } catch (error) {
      if (abort.aborted) return;
      const { type, code, message, param } = asApiError(error, 'none').body;
      const failed = { ...place, error: { type, code, message, param } };
      if (isTold) void emit('conversation.item.input_audio_transcription.failed', failed);
      throw error;
    }
  }

  async #transcribe(samples: Int16Array[], session: Session, onSegment?: OnSegment): Promise<Transcript> {
    const { services, meter, abort } = this.#options;
    return transcribeTurn(
      services,
      this.#orderOf(session.audio.input),
      { held: meter.held!, samples, abort },
      onSegment,
    );
  }

  #orderOf(input: SessionAudioInput): TranscriptionOrder {
    const { services, model } = this.#options;
    return orderOf(services, model, input);
  }
}

/** Writes down a turn: 16-bit samples at 16 kHz that are paid for. `onSegment` is called with each part on the way. */
export async function transcribeTurn(
  services: Services,
  order: TranscriptionOrder,
  { held, samples, abort }: { held: Held; samples: Int16Array[]; abort: CallAbort },
  onSegment?: OnSegment,
): Promise<Transcript> {
  const audio = { [Symbol.asyncIterator]: () => pieces(samples) };
  const link = linkedSignal(abort);
  try {
    const input = { held, audio, durationMs: durationMsOf(samples), costNanos: 0n, truncatedBy: undefined };
    return await transcribe(services, order, input, link.signal, onSegment);
  } finally {
    link.release();
  }
}

/** Throws for a model of transcription that does not exist, and for parameters that it does not support. `own` is the session's model. */
export function checkHearing(services: Services, own: Model, { audio }: Session): void {
  const { model, options } = orderOf(services, own, audio.input);
  const unsupported = services.voiceProviders.transcription(model).unsupported(options);
  refuseUnsupportedParameter(unsupported, 'session.audio.input.transcription.');
}

function orderOf({ catalog }: Services, own: Model, { transcription }: SessionAudioInput): TranscriptionOrder {
  const name = transcription?.model ?? own.pipeline?.transcription ?? own.id;
  const { language, prompt } = transcription ?? {};
  const others = { dialect: 'openai' as const, members: {} };
  return {
    model: transcriptionModel(catalog, name),
    options: {
      language: language ?? undefined,
      prompt: prompt ?? undefined,
      audioEvents: false,
      isLive: true,
      others,
    },
  };
}

async function* pieces(samples: Int16Array[]): AsyncGenerator<Int16Array> {
  yield* samples;
}
