import { createHash } from 'node:crypto';
import { removeFile } from '../../db/files/files.ts';
import { openUpload, publishUpload } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import { storableText } from '../../base/json.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { VoiceSample } from '../../db/entities/voice.ts';
import { measureVoice } from '../../providers/sound/measureVoice.ts';
import type { VoiceMeasure } from '../../providers/speech.ts';
import type { Context } from '../context.ts';
import { onClose } from '../http/onClose.ts';
import type { FormFile } from '../body/multipart.ts';
import type { Services } from '../services.ts';
import { inPart } from '../../calls/audio/audioError.ts';
import { decodeSound } from '../../calls/sound/decodedSound.ts';
import type { SpooledFile } from '../../calls/sound/spoolFile.ts';

// Half a minute is enough to describe a voice.
const MEASURED_MS = 30_000;
const SAMPLE_RATE = 16_000;
const NAME_CHARACTERS_MAX = 200;

/** The measured voice of all samples together. Throws `AudioError` for input that is not audio. */
export async function measureSamples(
  ctx: Context,
  files: FormFile<SpooledFile>[],
  removeNoise: boolean,
): Promise<VoiceMeasure> {
  const leaving = new AbortController();
  // Stays attached to the answer: finished decoding ignores the signal.
  onClose(ctx.res, () => leaving.abort(new Error('the client left')));
  const pieces: Int16Array[] = [];
  for (const { content } of files) {
    const { keyId } = ctx.state.key;
    const lengthMaxMs = MEASURED_MS / files.length;
    const options = { keyId, removeNoise, lengthMaxMs, signal: leaving.signal };
    const decoded = await decodeSound(content, options).catch((error: unknown) => {
      throw inPart(error, 'files');
    });
    try {
      for await (const piece of decoded.samples()) pieces.push(piece);
    } finally {
      await decoded.drop();
    }
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

/** Stores samples as files and passes them to `keep`. On an error, removes all of them and rethrows it. */
export async function keepSamples(
  ctx: Context,
  { db }: Services,
  { files, keep }: { files: FormFile<SpooledFile>[]; keep: (samples: VoiceSample[]) => Promise<void> },
): Promise<void> {
  const rows = db.write(ctx.state.key.workspaceId);
  const samples: VoiceSample[] = [];
  try {
    for (const file of files) samples.push(await storeSample(rows, file));
    await keep(samples);
  } catch (error) {
    await dropSamples(rows, samples).catch(() => undefined);
    throw error;
  }
}

/** Removes the files of samples. */
export async function dropSamples(rows: Rows, samples: VoiceSample[]): Promise<void> {
  for (const { file_id: id } of samples) await removeFile(rows, id);
}

async function storeSample(rows: Rows, { filename, content }: FormFile<SpooledFile>): Promise<VoiceSample> {
  const upload = await openUpload(rows);
  try {
    for await (const part of content.read() as AsyncIterable<Buffer>) await upload.write(part);
    const stored = await upload.end();
    const sample: VoiceSample = {
      sample_id: newId('sample'),
      file_id: newId('file'),
      file_name: nameOf(filename),
      mime_type: 'application/octet-stream',
      size_bytes: stored.sizeBytes,
      hash: createHash('md5').update(stored.sha256).digest('hex'),
    };
    const { file_id: id, file_name, mime_type } = sample;
    const about = { purpose: 'voice_sample', filename: file_name, mediaType: mime_type };
    await publishUpload(rows, stored, { id, sessionId: null, ...about, expiresInSeconds: null, ifRoom: true });
    return sample;
  } catch (error) {
    await upload.drop().catch(() => undefined);
    throw error;
  }
}

/** Replaces invalid names of samples: some clients generate them, so callers cannot change them. */
const nameOf = (filename: string) =>
  storableText(Array.from(filename).slice(0, NAME_CHARACTERS_MAX).join('')) || 'sample';
