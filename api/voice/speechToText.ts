import type { Context, Handler } from '../context.ts';
import type { TranscriptionParameters } from '../../providers/speech.ts';
import { z } from 'zod';
import { withoutOff } from '../../base/json.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { parseWith } from '../body/parseWith.ts';
import { queryFlag } from '../body/queryFlag.ts';
import { withContent, type Recording } from '../contents/recordContent.ts';
import { sentForm } from '../contents/recordedSound.ts';
import type { Services } from '../services.ts';
import { runAudioCall } from '../../calls/sound/audioCall.ts';
import { resolveVoiceModel } from '../../calls/sound/callerVoice.ts';
import { refuseUnsupportedParameter, othersIn, refused, refuseUnsupported } from './voiceSchema.ts';
import { retryableForm } from '../replay/retryable.ts';
import { numberIn } from '../body/sentQuery.ts';
import { booleanIn, readSoundForm, soundOf, type SoundForm } from '../sound/soundForm.ts';
import { transcriptBody } from '../sound/transcriptBody.ts';
import { wholeTranscription } from '../../calls/sound/transcribe.ts';
import { presentHeard } from './presentHeard.ts';

const REFUSED = ['diarize', 'num_speakers'];
const UNSUPPORTED = [
  'cloud_storage_url',
  'source_url',
  'webhook',
  'use_multi_channel',
  'additional_formats',
  'diarization_threshold',
  'entity_detection',
  'entity_redaction',
  'keyterms',
  'secondary_language_codes',
  'numbers_format',
  'transcript_edit',
  'no_verbatim',
  'use_speaker_library',
  'detect_speaker_roles',
];

const LISTS = ['keyterms', 'additional_formats', 'entity_detection', 'secondary_language_codes'];

const Fields = z.looseObject({
  model_id: z.string().min(1).max(256),
  language_code: z.string().min(2).max(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  timestamps_granularity: z.enum(['none', 'word']).default('word'),
  file_format: z.enum(['other']).optional(),
  tag_audio_events: z.boolean().optional().describe('The embedded recogniser detects no events.'),
  seed: z.int().min(0).max(2_147_483_647).optional(),
});

/** The query: other members are ignored, as at ElevenLabs. */
export const HearingQuery = z.looseObject({
  enable_logging: queryFlag.prefault('true').describe('Transcripts have no history, so both values do the same.'),
});

/** The documented form. */
export const HearingForm = Fields.extend({ file: z.file() });

const checkFields = parseWith(Fields, 'body');

const notSupported = (name: string) =>
  refused(name, 'This parameter is not supported. Leave it out.', 'unsupported_parameter');

function parseForm(form: SoundForm): z.output<typeof Fields> {
  const fields = withoutOff(form.fields, ['diarize'], booleanIn);
  for (const name of REFUSED) if (fields[name] !== undefined) throw notSupported(name);
  refuseUnsupported(fields, UNSUPPORTED);
  if (fields.timestamps_granularity === 'character')
    throw refused(
      'timestamps_granularity',
      'Times of characters are not supported. Send "word" or "none".',
      'unsupported_parameter',
    );
  if (fields.file_format === 'pcm_s16le_16')
    throw refused(
      'file_format',
      'Send the sound in a file that says its format, such as WAV.',
      'unsupported_parameter',
    );
  const input = checkFields({
    ...fields,
    temperature: numberIn(fields.temperature),
    seed: numberIn(fields.seed),
    tag_audio_events: booleanIn(fields.tag_audio_events),
  });
  soundOf(form, 'file');
  return input;
}

function optionsOf(input: z.output<typeof Fields>, { timestamps_granularity: times }: SoundForm['fields']) {
  return {
    language: input.language_code,
    temperature: input.temperature,
    seed: input.seed,
    audioEvents: input.tag_audio_events,
    // Included by default, or when requested.
    times: times === 'word' ? 'words' : undefined,
    others: othersIn(input, Fields),
  } satisfies TranscriptionParameters;
}

/** `POST /v1/speech-to-text`: a transcript with word times. Billed by the decoded minutes. */
export function createVoiceTranscription(services: Services): Handler {
  return async (ctx) => {
    const form = await readSoundForm(ctx, services, { lists: LISTS }).catch((error: unknown) => {
      // Such a field is refused as what it is, also when it is sent twice.
      throw error instanceof ApiError && REFUSED.includes(error.param ?? '') ? notSupported(error.param!) : error;
    });
    try {
      await retryableForm(ctx, services, form, () =>
        withContent(
          ctx,
          services,
          () => sentForm(form),
          (recording) => answer(ctx, services, form, recording),
        ),
      );
    } finally {
      await form.drop();
    }
  };
}

async function answer(ctx: Context, services: Services, form: SoundForm, recording?: Recording): Promise<void> {
  const input = parseForm({ ...form, fields: { ...form.fields, ...firstOf(form.lists) } });
  const model = resolveVoiceModel(ctx.state, services, {
    name: input.model_id,
    kind: 'transcription',
    param: 'model_id',
  });
  const options = optionsOf(input, form.fields);
  refuseUnsupportedParameter(services.voiceProviders.transcription(model).unsupported(options));
  await runAudioCall(ctx.state, services, {
    sound: { file: form.files[0]!.content, model, unit: 'audio_minutes' },
    work: wholeTranscription(services, { model, options }),
    to: transcriptBody(ctx, (transcript, durationMs) => {
      const shown = presentHeard(transcript, durationMs, input.timestamps_granularity);
      recording?.take(() => shown);
      ctx.body = shown;
    }),
  });
}

const firstOf = (lists: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(lists)
      .map(([name, values]) => [name, values.find((value) => value !== 'null')] as const)
      .filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
