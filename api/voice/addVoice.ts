import { createHash } from 'node:crypto';
import { z } from 'zod';
import { openUpload, type StoredBytes } from '../../db/files/openUpload.ts';
import { publishUpload } from '../../db/files/publishUpload.ts';
import { newId } from '../../db/ids.ts';
import { inTransaction } from '../../db/transaction.ts';
import { changeVoice, createVoice, findVoice, type VoiceChange, type VoiceSample } from '../../db/voices/voices.ts';
import { measureVoice } from '../../providers/embedded/speech/measureVoice.ts';
import type { VoiceMeasure } from '../../providers/speech.ts';
import type { Context, Handler } from '../context.ts';
import { voiceNotFound } from '../errors.ts';
import type { FormFile } from '../guard/multipart.ts';
import { parseWith } from '../guard/parseWith.ts';
import type { Services } from '../services.ts';
import { decodeSound } from './decodedSound.ts';
import { refused } from './schema.ts';
import { booleanIn, readSoundForm, type SoundForm } from './soundForm.ts';
import type { SpooledFile } from './spoolFile.ts';
import { refusePreset } from './voices.ts';

const SAMPLES_MAX = 25;
// Half a minute tells as much of a voice as an hour.
const MEASURED_MS = 30_000;
const SAMPLE_RATE = 16_000;
const LABELS_MAX = 20;

const Fields = z.looseObject({
  name: z.string().min(1).max(100),
  description: z.string().max(500).optional(),
  labels: z.string().optional().describe('A JSON object of texts.'),
  remove_background_noise: z.boolean().default(false),
});

/** The forms as they are documented. */
export const NewVoiceForm = Fields.extend({ files: z.array(z.file()) });
export const VoiceChangeForm = Fields.partial().extend({ files: z.array(z.file()).optional() });

const checkNew = parseWith(Fields, 'body');
const checkChange = parseWith(Fields.partial(), 'body');

/** `POST /v1/voices/add`: a voice after samples. They are kept, and measured for the embedded voices. */
export function addVoice(services: Services): Handler {
  return async (ctx) => {
    const form = await readSoundForm(ctx, { filesMax: SAMPLES_MAX });
    try {
      const { name, description = null, labels, ...input } = checkNew(fieldsOf(form));
      const given = labelsIn(labels) ?? {};
      if (form.files.length === 0) throw refused('files', 'A voice needs at least one sample.', undefined, 'missing');
      const measure = await measureOf(ctx, form.files, input.remove_background_noise);
      const samples = await storeSamples(ctx, services, form.files);
      const id = newId('voice');
      const { workspaceId } = ctx.state.key;
      await createVoice(services.db.pool, { id, workspaceId, name, description, labels: given, measure, samples });
      ctx.body = { voice_id: id, requires_verification: false };
    } finally {
      await form.drop();
    }
  };
}

/** `POST /v1/voices/{voice_id}/edit`: what is sent changes; new samples are added, and the voice follows the new ones. */
export function editVoice(services: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    refusePreset(id);
    const form = await readSoundForm(ctx, { filesMax: SAMPLES_MAX });
    try {
      const input = checkChange(fieldsOf(form));
      const labels = labelsIn(input.labels);
      const { workspaceId } = ctx.state.key;
      const row = await findVoice(services.db.orm, workspaceId, id);
      if (!row) throw voiceNotFound(id);
      const change: VoiceChange = { name: input.name, description: input.description, labels };
      if (form.files.length > 0) {
        change.measure = await measureOf(ctx, form.files, input.remove_background_noise ?? false);
        change.samples = [...(row.samples as VoiceSample[]), ...(await storeSamples(ctx, services, form.files))];
      }
      if (!(await changeVoice(services.db.pool, { workspaceId, id, change }))) throw voiceNotFound(id);
      ctx.body = { status: 'ok' };
    } finally {
      await form.drop();
    }
  };
}

function fieldsOf({ fields, files }: SoundForm): Record<string, unknown> {
  const stray = files.find(({ field }) => field !== 'files' && field !== 'files[]');
  if (stray) throw refused(stray.field.slice(0, 100), 'Samples are parts named "files".');
  return { ...fields, remove_background_noise: booleanIn(fields.remove_background_noise) };
}

/** Labels as a client sends them: a JSON object, by one client encoded twice. Throws 422 `invalid_labels`. */
function labelsIn(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined || text === '') return undefined;
  const labels = z.record(z.string().max(100), z.string().max(500)).safeParse(jsonOf(text));
  if (labels.success && Object.keys(labels.data).length <= LABELS_MAX) return labels.data;
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

/** What the samples together sound like. Throws `AudioError` for what is no sound. */
async function measureOf(ctx: Context, files: FormFile<SpooledFile>[], removeNoise: boolean): Promise<VoiceMeasure> {
  const leaving = new AbortController();
  const leave = () => leaving.abort(new Error('the client left'));
  ctx.res.on('close', leave);
  const pieces: Int16Array[] = [];
  try {
    for (const { content } of files) {
      const decoded = await decodeSound(content, { removeNoise, signal: leaving.signal });
      try {
        for await (const piece of decoded.samples(MEASURED_MS / files.length)) pieces.push(piece);
      } finally {
        await decoded.drop();
      }
    }
  } finally {
    ctx.res.off('close', leave);
  }
  return measureVoice({ samples: joined(pieces), sampleRate: SAMPLE_RATE });
}

function joined(pieces: Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

async function storeSamples(ctx: Context, { db }: Services, files: FormFile<SpooledFile>[]): Promise<VoiceSample[]> {
  const { workspaceId } = ctx.state.key;
  const samples: VoiceSample[] = [];
  for (const { filename, content } of files) {
    const stored = await store(db.pool, workspaceId, content);
    const sample: VoiceSample = {
      sample_id: newId('sample'),
      file_id: newId('file'),
      file_name: filename.slice(0, 200) || 'sample',
      mime_type: 'application/octet-stream',
      size_bytes: stored.sizeBytes,
      hash: createHash('md5').update(stored.sha256).digest('hex'),
    };
    await inTransaction(db.pool, (client) =>
      publishUpload(client, stored, {
        id: sample.file_id,
        workspaceId,
        sessionId: null,
        purpose: 'voice_sample',
        filename: sample.file_name,
        mediaType: sample.mime_type,
        expiresInSeconds: null,
      }),
    );
    samples.push(sample);
  }
  return samples;
}

async function store(pool: Services['db']['pool'], workspaceId: string, content: SpooledFile): Promise<StoredBytes> {
  const upload = await openUpload(pool, { workspaceId });
  try {
    for await (const part of content.read() as AsyncIterable<Buffer>) await upload.write(part);
    return await upload.end();
  } catch (error) {
    await upload.drop().catch(() => undefined);
    throw error;
  }
}
