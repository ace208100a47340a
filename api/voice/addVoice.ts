import { z } from 'zod';
import { newId } from '../../db/ids.ts';
import { isObject, isStorable } from '../../base/json.ts';
import {
  countVoices,
  findVoice,
  type VoiceChange,
  changeVoice,
  createVoice,
  type NewVoice,
  SAMPLES_MAX,
} from '../../db/voices/voices.ts';
import type { VoiceSample } from '../../db/entities/voice.ts';
import type { VoiceOrder } from '../../providers/speech.ts';
import type { FormFile } from '../body/multipart.ts';
import { parseWith } from '../body/parseWith.ts';
import type { SpooledFile } from '../../calls/sound/spoolFile.ts';
import type { Handler } from '../context.ts';
import { refuseUnfunded } from '../../calls/funds.ts';
import type { Caller } from '../../calls/caller.ts';
import type { Services } from '../services.ts';
import { booleanIn, readSoundForm, type SoundForm } from '../sound/soundForm.ts';
import { voiceLimitReached, voiceNotFound } from './presentVoice.ts';
import { refused, refuseUnsupported } from './voiceSchema.ts';
import { keepSamples, measureSamples } from './voiceSamples.ts';
import { refusePreset } from './voices.ts';
import type { Done, NewVoiceAnswer } from './voiceAnswers.ts';
import { record } from '../../base/record.ts';

const LABELS_MAX = 20;

const Fields = z.looseObject({
  name: z.string().min(1).max(100),
  description: z.string().max(500).optional(),
  labels: z.string().optional().describe('A JSON object of texts.'),
  remove_background_noise: z.boolean().default(false),
});

const storable = z.string().refine(isStorable);
const Labels = record(storable.max(100), storable.max(500));

/** The documented forms. */
export const NewVoiceForm = Fields.extend({ files: z.array(z.file()) });
export const VoiceChangeForm = Fields.partial().extend({ files: z.array(z.file()).optional() });

const checkNew = parseWith(Fields, 'body');
const checkChange = parseWith(Fields.partial(), 'body');

/**
 * `POST /v1/voices/add`: a voice cloned from samples, which are stored, and measured for the embedded voices. It is free, but requires a
 * balance and a ceiling that is not reached, because it causes work at an upstream.
 */
export function addVoice(services: Services): Handler {
  return async (ctx) => {
    const form = await readSoundForm(ctx, services, { filesMax: SAMPLES_MAX });
    try {
      const { name, description = null, labels, remove_background_noise: removeNoise } = checkNew(fieldsOf(form));
      const given = labelsIn(labels) ?? {};
      if (form.files.length === 0) throw refused('files', 'A voice needs at least one sample.', undefined, 'missing');
      const { workspaceId } = ctx.state.key;
      await refuseUnfunded(ctx.state, services);
      if ((await countVoices(services.db.read(workspaceId))) >= VOICES_MAX) throw voiceLimitReached(VOICES_MAX);
      const measure = await measureSamples(ctx, form.files, removeNoise);
      const order = await voiceOrderOf(form.files, { name, description, labels: given, removeNoise });
      const id = newId('voice');
      const keep = (samples: VoiceSample[]) => {
        const voice = { id, name, description, labels: given, measure, samples };
        return createVoiceEverywhere(ctx.state, services, { voice, order });
      };
      await keepSamples(ctx, services, { files: form.files, keep });
      ctx.body = { voice_id: id, requires_verification: false } satisfies z.infer<typeof NewVoiceAnswer>;
    } finally {
      await form.drop();
    }
  };
}

/** `POST /v1/voices/{voice_id}/edit`: changes the sent members. Adds new samples, up to 25 in all, and clones the voice again. */
export function editVoice(services: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    refusePreset(id);
    const form = await readSoundForm(ctx, services, { filesMax: SAMPLES_MAX });
    try {
      const input = checkChange(fieldsOf(form));
      const labels = labelsIn(input.labels);
      const { workspaceId } = ctx.state.key;
      const row = await findVoice(services.db.read(workspaceId), id);
      if (!row) throw voiceNotFound(id);
      if (form.files.length > 0 && row.samples.length + form.files.length > SAMPLES_MAX) throw tooManySamples();
      await refuseUnfunded(ctx.state, services);
      const removeNoise = input.remove_background_noise ?? false;
      const change: VoiceChange = { name: input.name, description: input.description, labels };
      if (form.files.length > 0) change.measure = await measureSamples(ctx, form.files, removeNoise);
      const said = { name: input.name ?? row.name, description: input.description, labels, removeNoise };
      const order = await voiceOrderOf(form.files, said);
      const { upstreamIds } = row;
      const keep = (addedSamples: VoiceSample[]) =>
        changeVoiceEverywhere(services, {
          workspaceId,
          id,
          upstreamIds,
          order,
          change: { ...change, addedSamples },
        });
      await keepSamples(ctx, services, { files: form.files, keep });
      ctx.body = { status: 'ok' } satisfies z.infer<typeof Done>;
    } finally {
      await form.drop();
    }
  };
}

function fieldsOf({ fields, files }: SoundForm): Record<string, unknown> {
  const stray = files.find(({ field }) => field !== 'files' && field !== 'files[]');
  if (stray) throw refused(stray.field.slice(0, 100), 'Samples are parts named "files".');
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(Fields.shape, name));
  refuseUnsupported(fields, unknown);
  return { ...fields, remove_background_noise: booleanIn(fields.remove_background_noise) };
}

/** Labels from a client: a JSON object, which one client encodes twice. Throws 422 `invalid_labels`. */
function labelsIn(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const sent = jsonOf(text);
  // Before the check, which would look for every fault of a hundred thousand.
  const isFew = isObject(sent) && Object.keys(sent).length <= LABELS_MAX;
  const labels = isFew ? Labels.safeParse(sent) : undefined;
  if (labels?.success) return labels.data;
  throw refused('labels', `Labels are a JSON object of at most ${LABELS_MAX} texts.`, 'invalid_labels');
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

/** Limit of cloned voices per workspace. */
export const VOICES_MAX = 500;

/** A voice in an upstream's form: the caller's values and the unchanged samples. */
async function voiceOrderOf(files: FormFile<SpooledFile>[], said: Omit<VoiceOrder, 'samples'>): Promise<VoiceOrder> {
  const samples = files.map(async ({ filename, content }) => ({ filename, content: await content.blob() }));
  return { ...said, samples: await Promise.all(samples) };
}

/**
 * Creates a voice at the upstreams with cloned voices, and stores it. Throws 400 `voice_limit_reached` and an upstream's refusal; then no
 * upstream keeps the voice.
 */
async function createVoiceEverywhere(
  { key: { workspaceId }, test }: Caller,
  { db, voiceProviders, log }: Services,
  { voice, order }: { voice: Omit<NewVoice, 'upstreamIds'>; order: VoiceOrder },
): Promise<void> {
  const upstreamIds = test ? {} : await voiceProviders.cloning.add(order);
  try {
    const isKept = await createVoice(db.write(workspaceId), { ...voice, upstreamIds }, VOICES_MAX);
    if (!isKept) throw voiceLimitReached(VOICES_MAX);
  } catch (error) {
    await voiceProviders.cloning
      .remove(upstreamIds)
      .catch((err: unknown) => log.warn({ err, upstreamIds }, 'an upstream keeps a voice that was not created here'));
    throw error;
  }
}

/** Changes a voice at the upstreams that have it, and then here. Throws 404 `voice_not_found`, 422 and an upstream's refusal. */
async function changeVoiceEverywhere(
  { db, voiceProviders }: Services,
  voice: { workspaceId: string; id: string; upstreamIds: unknown; change: VoiceChange; order: VoiceOrder },
): Promise<void> {
  const { workspaceId, id, upstreamIds, change, order } = voice;
  await voiceProviders.cloning.edit(upstreamIds as Record<string, string>, order);
  const outcome = await changeVoice(db.write(workspaceId), { id, change });
  if (outcome === 'not_found') throw voiceNotFound(id);
  if (outcome === 'full') throw tooManySamples();
}

const tooManySamples = () =>
  refused('files', `A voice has at most ${SAMPLES_MAX} samples, those of all edits together.`);
