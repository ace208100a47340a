import { encodeAudio } from '../../calls/audio/audio.ts';
import { hasFfmpeg } from '../../calls/audio/ffmpeg.ts';
import { VOICE_FORMATS } from '../../calls/audio/formats.ts';
import { findFile, beginReading } from '../../db/files/files.ts';
import { findVoice } from '../../db/voices/voices.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import { findPresetVoice, type PresetVoice } from '../../providers/voices.ts';
import type { Handler } from '../context.ts';
import { sendStream } from '../http/sendStream.ts';
import type { Services } from '../services.ts';
import { voiceNotFound } from './presentVoice.ts';

const FORMAT = VOICE_FORMATS.get(hasFfmpeg ? 'mp3_44100_64' : 'wav_24000')!;

const previewText = ({ name }: PresetVoice): string => `Hello, I am ${name}. This is what I sound like.`;

/**
 * `GET /v1/voices/{voice_id}/preview`: how a preset sounds, spoken on this machine and kept in memory: it costs nobody anything. Throws 404
 * `voice_not_found`, and `preview_not_found` where only vendors speak.
 */
export function previewVoice({ voiceProviders }: Services): Handler {
  const made = new Map<string, Promise<Buffer>>();
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    const preset = findPresetVoice(id);
    if (!preset) throw voiceNotFound(id);
    const speak = voiceProviders.previewOf(preset);
    if (!speak) throw notFound('This voice has no preview: a vendor speaks it.', 'preview_not_found');
    let sound = made.get(preset.id);
    if (!sound) {
      made.set(preset.id, (sound = spoken(speak(previewText(preset), new CallAbort()))));
      // The next one tries again.
      sound.catch(() => made.delete(preset.id));
    }
    const bytes = await sound;
    ctx.set('cache-control', 'public, max-age=3600');
    ctx.type = FORMAT.mediaType;
    ctx.body = bytes;
  };
}

const spoken = async (chunks: Parameters<typeof encodeAudio>[0]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(encodeAudio(chunks, FORMAT)));

/**
 * `GET /v1/voices/{voice_id}/samples/{sample_id}/audio`: a sample of a cloned voice, as it was sent. Throws 404 `voice_not_found` and
 * `sample_not_found`.
 */
export function retrieveSampleSound({ db }: Services): Handler {
  return async (ctx) => {
    const { voice_id: voiceId, sample_id: sampleId } = ctx.state.params;
    const rows = db.read(ctx.state.key.workspaceId);
    const voice = await findVoice(rows, voiceId!);
    if (!voice) throw voiceNotFound(voiceId!);
    const sample = voice.samples.find(({ sample_id: id }) => id === sampleId);
    if (!sample) throw notFound(`The voice has no sample ${sampleId!.slice(0, 100)}.`, 'sample_not_found');
    const { sizeBytes } = await findFile(rows, sample.file_id);
    const to = ctx.method === 'HEAD' ? 0 : sizeBytes;
    const bytes = await beginReading(rows, { id: sample.file_id, from: 0, to });
    ctx.res.setHeader('content-type', sample.mime_type);
    ctx.res.setHeader('content-length', sizeBytes);
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    await sendStream(ctx, bytes);
  };
}
