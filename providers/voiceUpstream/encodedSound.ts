import { endOfTag, frameAt } from '../metering/soundSeconds.ts';

/** Compressed formats with a duration in their frames, readable as they arrive. */
export type FramedCodec = 'mp3' | 'aac' | 'opus';

/** A frame at the start of some bytes: its length, and the position of the audio after it, in milliseconds. */
interface SoundFrame {
  bytes: number;
  endMs: number;
}

/** Reads a frame's header: undefined when more bytes are needed, null when no frame begins there. */
type ReadHeader = (bytes: Buffer, beforeMs: number) => SoundFrame | undefined | null;

const HEADER_READERS: Record<FramedCodec, ReadHeader> = { mp3: mp3Frame, aac: adtsFrame, opus: oggPage };

export const isFramed = (codec: string | undefined): codec is FramedCodec =>
  codec !== undefined && Object.hasOwn(HEADER_READERS, codec);

/** Tracks the duration of compressed audio from its frame headers, without decoding. Bytes outside frames are skipped. */
export function createSoundMeter(codec: FramedCodec) {
  const readHeader = HEADER_READERS[codec];
  let rest: Buffer = Buffer.alloc(0);
  let skippedBytes = 0;
  let soundMs = 0;
  let hasFrames = false;

  function push(bytes: Buffer): void {
    rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    let at = 0;
    for (;;) {
      const step = Math.min(skippedBytes, rest.length - at);
      skippedBytes -= step;
      at += step;
      if (at === rest.length) break;
      const frame = readHeader(rest.subarray(at), soundMs);
      if (frame === undefined) break;
      hasFrames ||= frame !== null;
      skippedBytes = frame?.bytes ?? 1;
      soundMs = frame?.endMs ?? soundMs;
    }
    rest = rest.subarray(at);
  }

  return {
    push,
    soundMs: (): number => soundMs,
    /** Whether the bytes so far are of this codec. */
    hasFrames: (): boolean => hasFrames,
  };
}

const ID3_BYTES = 10;

/** A layer III frame, or the tag before the first one, which has no audio. */
function mp3Frame(bytes: Buffer, beforeMs: number): SoundFrame | undefined | null {
  if (bytes.length < ID3_BYTES) return undefined;
  const tagBytes = endOfTag(bytes);
  if (tagBytes > 0) return { bytes: tagBytes, endMs: beforeMs };
  const frame = frameAt(bytes, 0);
  return frame ? { bytes: frame.bytes, endMs: beforeMs + frame.seconds * 1000 } : null;
}

const ADTS_BYTES = 7;
const AAC_SAMPLES = 1024;
const AAC_RATES = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8, 7.35];

/** ISO 13818-7, 6.2. */
function adtsFrame(bytes: Buffer, beforeMs: number): SoundFrame | undefined | null {
  if (bytes.length < ADTS_BYTES) return undefined;
  if ((bytes.readUInt16BE(0) & 0xfff6) !== 0xfff0) return null;
  const samplesPerMs = AAC_RATES[(bytes[2]! >> 2) & 15];
  const length = (bytes.readUInt32BE(2) >> 5) & 0x1fff;
  if (samplesPerMs === undefined || length < ADTS_BYTES) return null;
  return { bytes: length, endMs: beforeMs + AAC_SAMPLES / samplesPerMs };
}

const PAGE_SIGN = 'OggS';
const PAGE_BYTES = 27;
const OPUS_SAMPLES_PER_MS = 48;

/** RFC 3533: a page states the sample position of its end. The two header pages have none. */
function oggPage(bytes: Buffer, beforeMs: number): SoundFrame | undefined | null {
  if (bytes.length < PAGE_SIGN.length) return undefined;
  if (bytes.toString('latin1', 0, PAGE_SIGN.length) !== PAGE_SIGN) return null;
  const segments = bytes.length < PAGE_BYTES ? Infinity : bytes[PAGE_BYTES - 1]!;
  if (bytes.length < PAGE_BYTES + segments) return undefined;
  const content = bytes.subarray(PAGE_BYTES, PAGE_BYTES + segments).reduce((sum, length) => sum + length, 0);
  const endMs = Number(bytes.readBigInt64LE(6)) / OPUS_SAMPLES_PER_MS;
  return { bytes: PAGE_BYTES + segments + content, endMs: Math.max(beforeMs, endMs) };
}
