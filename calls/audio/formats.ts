/** An output format. `bitrateBps` is set for lossy formats. */
export interface AudioFormat {
  codec: 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm' | 'ulaw' | 'alaw';
  sampleRate: number;
  bitrateBps?: number;
  /** ElevenLabs' name of the format, if any: for an upstream that supports it. */
  vendorName?: string;
  /** The `content-type` of answers. */
  mediaType: string;
}

type Codec = AudioFormat['codec'];

const MEDIA_TYPES: Record<Codec, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  ulaw: 'audio/basic',
  alaw: 'audio/x-alaw-basic',
};

const SAMPLE_BITS: Partial<Record<Codec, number>> = { ulaw: 8, alaw: 8, wav: 16, pcm: 16 };

const UNCOMPRESSED_RATES = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/** ElevenLabs' `output_format` values, e.g. `mp3_44100_128`: codec, samples a second, kilobits a second. */
export const VOICE_FORMATS: ReadonlyMap<string, AudioFormat> = new Map(
  [
    'mp3_22050_32',
    'mp3_24000_48',
    ...[32, 64, 96, 128, 192].map((kbps) => `mp3_44100_${kbps}`),
    ...[32, 64, 96, 128, 192].map((kbps) => `opus_48000_${kbps}`),
    ...UNCOMPRESSED_RATES.flatMap((rate) => [`pcm_${rate}`, `wav_${rate}`]),
    'ulaw_8000',
    'alaw_8000',
  ].map((name) => [name, { ...named(name), vendorName: name }]),
);

export const DEFAULT_VOICE_FORMAT = 'mp3_44100_128';

/** OpenAI's `response_format` values for speech. All use 24 kHz like OpenAI's, except Opus, which supports only 48 kHz. */
export const TEXT_FORMATS: ReadonlyMap<string, AudioFormat> = new Map(
  (['mp3_24000_128', 'opus_48000_64', 'aac_24000_96', 'flac_24000', 'wav_24000', 'pcm_24000'] as const).map((name) => {
    const format = VOICE_FORMATS.get(name) ?? named(name);
    return [format.codec, format];
  }),
);

function named(name: string): AudioFormat {
  const [codec, rate, kbps] = name.split('_') as [Codec, string, string?];
  return {
    codec,
    sampleRate: Number(rate),
    ...(kbps === undefined ? {} : { bitrateBps: Number(kbps) * 1000 }),
    mediaType: MEDIA_TYPES[codec],
  };
}

/** The duration of this many bytes in a format; 0 for a format without a fixed bitrate. */
export function durationMsOf({ codec, sampleRate, bitrateBps }: AudioFormat, bytes: number): number {
  const bitsPerSecond = bitrateBps ?? sampleRate * (SAMPLE_BITS[codec] ?? Infinity);
  return (bytes * 8 * 1000) / bitsPerSecond;
}
