import type { z } from 'zod';
import type { CallAbort } from '../../../providers/callAbort.ts';
import type { Context, Handler } from '../../context.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import type { Services } from '../../services.ts';
import { dataEvent, EventStream } from '../../http/sse.ts';
import { setPricedHeaders, type Priced } from '../../../calls/reserve.ts';
import { runAudioCall, type AudioInput, type AudioWork } from '../../../calls/sound/audioCall.ts';
import { resolveVoiceModel } from '../../../calls/sound/callerVoice.ts';
import { readSoundForm, type SoundForm } from '../../sound/soundForm.ts';
import { retryableForm } from '../../replay/retryable.ts';
import { transcribe, wholeTranscription, type TranscriptionOrder } from '../../../calls/sound/transcribe.ts';
import { countTokens } from '../../../providers/metering/tokens.ts';
import type { TokenLogprob, Transcript, TranscriptionParameters } from '../../../providers/speech.ts';
import { otherFields, parseTranscription, TRANSCRIPTION_LISTS, type ParsedTranscription } from './transcriptionForm.ts';
import { refuseUnsupportedParameter } from '../../../calls/text/parameters/refusal.ts';
import { logprobsOf, presentTranscript, tokenUsageOf, type TranscriptionEvent } from './presentTranscript.ts';

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
      await retryableForm(ctx, services, form, () => answer(ctx, services, form, task));
    } finally {
      await form.drop();
    }
  };
}

async function answer(
  ctx: Context,
  services: Services,
  form: SoundForm,
  task: 'transcribe' | 'translate',
): Promise<void> {
  const input = parseTranscription(form);
  const model = resolveVoiceModel(ctx, services, { name: input.model, kind: 'transcription' });
  const options = optionsOf(input, task);
  refuseUnsupportedParameter(services.voiceProviders.transcription(model).unsupported(options));
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

const transcriptEvent = (event: z.infer<typeof TranscriptionEvent>): string => dataEvent(event);

/** A transcript in OpenAI's events: `transcript.text.delta` for each part, and at the end `transcript.text.done`. */
class TranscriptEvents implements AudioWork {
  sent: EventStream | undefined;
  reachedMs = 0;
  readonly #services: Services;
  readonly #order: TranscriptionOrder;
  readonly #wantsLogprobs: boolean;
  #ctx: Context | undefined;
  #text = '';
  #transcript: Transcript | undefined;
  #textTokens = 0;

  constructor(ctx: Context, services: Services, order: TranscriptionOrder, input: ParsedTranscription) {
    this.#ctx = ctx;
    this.#services = services;
    this.#order = order;
    this.#wantsLogprobs = input['include[]'] !== undefined;
  }

  async produce(input: AudioInput, abort: CallAbort): Promise<void> {
    this.#transcript = await transcribe(this.#services, this.#order, input, abort, ({ segment, words }) => {
      const delta = this.#text === '' ? segment.text : ` ${segment.text}`;
      this.#text += delta;
      const event = transcriptEvent({
        type: 'transcript.text.delta',
        delta,
        ...this.#logprobs(() => logprobsOf(words)),
      });
      this.reachedMs = Math.max(this.reachedMs, segment.endMs);
      return this.#open(input).send(event);
    });
    this.#textTokens = await countTokens(this.#transcript.text);
  }

  #logprobs(of: () => TokenLogprob[]): { logprobs?: TokenLogprob[] } {
    return this.#wantsLogprobs ? { logprobs: of() } : {};
  }

  #open(priced: Priced): EventStream {
    if (this.sent) return this.sent;
    setPricedHeaders(this.#ctx!, priced);
    return (this.sent = new EventStream(this.#ctx!, ''));
  }

  present(input: AudioInput): void {
    const { text, words, logprobs } = this.#transcript!;
    const event = transcriptEvent({
      type: 'transcript.text.done',
      text,
      ...this.#logprobs(() => logprobs ?? logprobsOf(words)),
      usage: tokenUsageOf(input.durationMs, this.#textTokens),
    });
    const stream = this.#open(input);
    this.#ctx = undefined;
    this.#transcript = undefined;
    stream.end(event);
  }

  fail(error: ErrorBody): void {
    this.sent!.end(dataEvent({ error }));
  }
}
