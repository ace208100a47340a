import type { CallAbort } from '../../../providers/callAbort.ts';
import type { Context, Handler } from '../../context.ts';
import type { ErrorBody } from '../../errors/apiError.ts';
import { elapsedMs } from '../../http/answer.ts';
import type { Services } from '../../services.ts';
import { openSse, type SseWriter } from '../../stream/sse.ts';
import { runAudioCall, type AudioInput, type AudioWork } from '../../sound/audioCall.ts';
import { resolveVoiceModel } from '../../sound/resolveVoiceModel.ts';
import { readSoundForm } from '../../sound/soundForm.ts';
import { transcribe, wholeOf, wholeTranscription, type TranscriptionOrder } from '../../sound/transcribe.ts';
import type { Transcript, TranscriptionParameters } from '../../../providers/speech.ts';
import {
  otherFields,
  parseTranscription,
  TRANSCRIPTION_LISTS,
  type ParsedTranscription,
} from '../schema/transcription.ts';
import { refuseUnhonoured } from './refuseUnhonoured.ts';
import { logprobsOf, presentTranscript } from './presentTranscript.ts';

// All text types: some clients return a body with an application type as bytes.
const TEXT_TYPES: Record<string, string> = {
  text: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/** `POST /audio/transcriptions` and `/audio/translations`: the words of a recording, whole or streamed. Billed by its decoded minutes. */
export function createTranscription(services: Services, task: 'transcribe' | 'translate'): Handler {
  return async (ctx) => {
    const form = await readSoundForm(ctx, services, { lists: TRANSCRIPTION_LISTS });
    try {
      const input = parseTranscription(form);
      const model = resolveVoiceModel(ctx, services, { name: input.model, kind: 'transcription' });
      const options = optionsOf(input, task);
      refuseUnhonoured(services.voiceProviders.transcription(model).unhonoured(options));
      const order = { model, options };
      const work = input.stream
        ? new TranscriptEvents(ctx, services, order, input)
        : wholeTranscription(ctx, services, order, (transcript, durationMs) => {
            ctx.body = presentTranscript(transcript, { input, task, durationMs });
            const type = TEXT_TYPES[input.response_format ?? 'json'];
            if (type) ctx.set('content-type', type);
          });
      const sound = { file: form.files[0]!.content, model, unit: 'audio_minutes' as const };
      await runAudioCall(ctx, services, { sound, work });
    } finally {
      await form.drop();
    }
  };
}

function optionsOf(input: ParsedTranscription, task: 'transcribe' | 'translate'): TranscriptionParameters {
  const { language, prompt, temperature, response_format: format = 'json', chunking_strategy: chunking } = input;
  const isTimed = ['srt', 'vtt', 'verbose_json'].includes(format);
  const untimed = isTimed ? 'segments' : undefined;
  return {
    language,
    prompt: prompt || undefined,
    temperature,
    translate: task === 'translate' || undefined,
    // OpenAI's format reports words alone.
    audioEvents: false,
    times: input['timestamp_granularities[]']?.includes('word') ? 'words' : untimed,
    logprobs: input['include[]'] !== undefined || undefined,
    chunking,
    others: { dialect: 'openai', members: otherFields(input) },
  };
}

const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** A transcript in OpenAI's events: `transcript.text.delta` for each part, and at the end `transcript.text.done`. */
class TranscriptEvents implements AudioWork {
  readonly sent = { firstByteMs: null as number | null, bytes: 0, reachedMs: 0 };
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #order: TranscriptionOrder;
  readonly #wantsLogprobs: boolean;
  #out: SseWriter | undefined;
  #text = '';
  #transcript: Transcript | undefined;

  constructor(ctx: Context, services: Services, order: TranscriptionOrder, input: ParsedTranscription) {
    this.#ctx = ctx;
    this.#services = services;
    this.#order = order;
    this.#wantsLogprobs = input['include[]'] !== undefined;
  }

  async produce(input: AudioInput, abort: CallAbort): Promise<void> {
    const events = transcribe(this.#services, this.#order, input, abort);
    this.#transcript = await wholeOf(events, (part) => {
      const out = this.#open(input);
      const delta = this.#text === '' ? part.segment.text : ` ${part.segment.text}`;
      this.#text += delta;
      const logprobs = this.#wantsLogprobs ? { logprobs: logprobsOf(part.words) } : {};
      const event = frame({ type: 'transcript.text.delta', delta, ...logprobs });
      this.sent.firstByteMs ??= elapsedMs(this.#ctx);
      this.sent.bytes += event.length;
      this.sent.reachedMs = Math.max(this.sent.reachedMs, part.segment.endMs);
      return out.write(event);
    });
  }

  #open({ headers }: AudioInput): SseWriter {
    if (this.#out) return this.#out;
    this.#ctx.respond = false;
    this.#ctx.set(headers);
    return (this.#out = openSse(this.#ctx.res, ''));
  }

  present(input: AudioInput): void {
    const { text, words, logprobs: told } = this.#transcript!;
    const logprobs = this.#wantsLogprobs ? { logprobs: told ?? logprobsOf(words) } : {};
    this.#open(input).end(frame({ type: 'transcript.text.done', text, ...logprobs }));
  }

  fail(error: ErrorBody): void {
    this.#ctx.res.end(frame({ error }));
  }
}
