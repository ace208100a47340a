import type { z } from 'zod';
import type { CallAbort } from '../../../providers/callAbort.ts';
import type { Context, Handler } from '../../context.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import { withContent, type Recording } from '../../contents/recordContent.ts';
import { sentForm } from '../../contents/recordedSound.ts';
import type { Services } from '../../services.ts';
import { dataEvent, EventStream, keepAlive } from '../../http/sse.ts';
import type { Delivery } from '../../../calls/delivery.ts';
import type { Priced } from '../../../calls/reserve.ts';
import { setPricedHeaders } from '../../http/pricedHeaders.ts';
import { transcriptBody } from '../../sound/transcriptBody.ts';
import { runAudioCall, type AudioInput, type AudioWork } from '../../../calls/sound/audioCall.ts';
import { resolveVoiceModel } from '../../../calls/sound/callerVoice.ts';
import { readSoundForm, type SoundForm } from '../../sound/soundForm.ts';
import { retryableForm } from '../../replay/retryable.ts';
import { deltaOf, transcribe, wholeTranscription, type TranscriptionOrder } from '../../../calls/sound/transcribe.ts';
import { countTokens } from '../../../providers/metering/tokens.ts';
import type { TokenLogprob, TranscriptionParameters } from '../../../providers/speech.ts';
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
      await retryableForm(ctx, services, form, () =>
        withContent(
          ctx,
          services,
          () => sentForm(form),
          (recording) => answer(ctx, services, form, { task, recording }),
        ),
      );
    } finally {
      await form.drop();
    }
  };
}

async function answer(
  ctx: Context,
  services: Services,
  form: SoundForm,
  { task, recording }: { task: 'transcribe' | 'translate'; recording: Recording | undefined },
): Promise<void> {
  const input = parseTranscription(form);
  const model = resolveVoiceModel(ctx.state, services, { name: input.model, kind: 'transcription' });
  const options = optionsOf(input, task);
  refuseUnsupportedParameter(services.voiceProviders.transcription(model).unsupported(options));
  const order = { model, options };
  const sound = { file: form.files[0]!.content, model, unit: 'audio_minutes' as const };
  if (input.stream) {
    const work = new StreamedTranscription(services, order, input);
    return runAudioCall(ctx.state, services, { sound, work, to: new TranscriptEvents(ctx, recording) });
  }
  const to = transcriptBody(ctx, (transcript, durationMs) => {
    const shown = presentTranscript(transcript, { input, task, durationMs });
    recording?.take(() => shown);
    ctx.body = shown;
    const type = TEXT_TYPES[input.response_format ?? 'json'];
    if (type) ctx.set('content-type', type);
  });
  await runAudioCall(ctx.state, services, { sound, work: wholeTranscription(services, order), to });
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

/** What remains of a streamed transcript when its end is sent. */
interface EndOfTranscript {
  input: AudioInput;
  done: z.infer<typeof TranscriptionEvent>;
}

/** A transcript in OpenAI's events: `transcript.text.delta` for each part, and at the end `transcript.text.done`. */
class StreamedTranscription implements AudioWork<EndOfTranscript, TranscriptEvents> {
  reachedMs = 0;
  readonly #services: Services;
  readonly #order: TranscriptionOrder;
  readonly #wantsLogprobs: boolean;

  constructor(services: Services, order: TranscriptionOrder, input: ParsedTranscription) {
    this.#services = services;
    this.#order = order;
    this.#wantsLogprobs = input['include[]'] !== undefined;
  }

  async produce(input: AudioInput, abort: CallAbort, to: TranscriptEvents): Promise<EndOfTranscript> {
    // An engine may need minutes until the first segment of a long file.
    const stopKeepAlive = to.keepAlive(input);
    try {
      return await this.#transcribe(input, abort, to);
    } finally {
      stopKeepAlive();
    }
  }

  async #transcribe(input: AudioInput, abort: CallAbort, to: TranscriptEvents): Promise<EndOfTranscript> {
    let sent = '';
    const transcript = await transcribe(this.#services, this.#order, input, abort, ({ segment, words }) => {
      const delta = deltaOf(sent, segment);
      sent += delta;
      const event = transcriptEvent({
        type: 'transcript.text.delta',
        delta,
        ...this.#logprobs(() => logprobsOf(words)),
      });
      this.reachedMs = Math.max(this.reachedMs, segment.endMs);
      return to.sendPart(input, event, sent);
    });
    const { text, words, logprobs } = transcript;
    const usage = tokenUsageOf(input.durationMs, await countTokens(text));
    const more = this.#logprobs(() => logprobs ?? logprobsOf(words));
    return { input, done: { type: 'transcript.text.done', text, ...more, usage } };
  }

  #logprobs(of: () => TokenLogprob[]): { logprobs?: TokenLogprob[] } {
    return this.#wantsLogprobs ? { logprobs: of() } : {};
  }
}

/** The events of a transcript as the body of a response. */
class TranscriptEvents implements Delivery<EndOfTranscript> {
  sent: EventStream | undefined;
  readonly #ctx: Context;
  readonly #recording: Recording | undefined;

  constructor(ctx: Context, recording: Recording | undefined) {
    this.#ctx = ctx;
    this.#recording = recording;
  }

  get hasBegun(): boolean {
    return this.sent !== undefined;
  }

  open(priced: Priced): EventStream {
    if (this.sent) return this.sent;
    setPricedHeaders(this.#ctx, priced);
    return (this.sent = new EventStream(this.#ctx, ''));
  }

  /** Keeps the connection alive between events. Returns a function that stops it. */
  keepAlive(priced: Priced): () => void {
    return keepAlive(this.#ctx.res, () => this.open(priced));
  }

  /** Sends an event. `text` is the transcript so far. */
  sendPart(priced: Priced, event: string, text: string): Promise<void> | undefined {
    this.#recording?.take(() => ({ text }));
    return this.open(priced).send(event);
  }

  present({ input, done }: EndOfTranscript): void {
    this.#recording?.take(() => done);
    this.open(input).end(transcriptEvent(done));
  }

  fail(error: ErrorBody): void {
    this.sent!.end(dataEvent({ error }));
  }
}
