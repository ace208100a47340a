/** Assumed when a file states no rate: speech at a low rate, 32 kbit/s. */
const LEAST_BYTES_PER_SECOND = 4_000;
/** A WAV's samples may follow metadata chunks. */
const HEAD_BYTES = 64 * 1024;
/** MP3 frames are counted up to here; a longer file is assumed to have the lowest rate. */
const COUNTED_BYTES_MAX = 4 * 1024 * 1024;
const SAMPLE_RATE_MAX = 192_000;

/** The duration of base64 audio, in seconds: from a WAV's header or an MP3's frames; overestimated if neither is readable. */
export function soundSecondsOf(base64: string): number {
  const bytes = Math.floor((base64.length * 3) / 4);
  const head = Buffer.from(base64.slice(0, 64), 'base64');
  if (head.toString('latin1', 0, 4) === 'RIFF') {
    const seconds = wavSecondsOf(Buffer.from(base64.slice(0, (HEAD_BYTES / 3) * 4), 'base64'), bytes);
    if (seconds !== undefined) return seconds;
  }
  const counted = bytes <= COUNTED_BYTES_MAX ? mp3SecondsOf(Buffer.from(base64, 'base64')) : 0;
  return counted > 0 ? counted : bytes / LEAST_BYTES_PER_SECOND;
}

function wavSecondsOf(head: Buffer, bytes: number): number | undefined {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length;) {
    const size = head.readUInt32LE(at + 4);
    const name = head.toString('latin1', at, at + 4);
    if (name === 'fmt ' && at + 24 <= head.length)
      bytesPerSecond = Math.min(head.readUInt32LE(at + 12), SAMPLE_RATE_MAX) * frameBytesOf(head.subarray(at + 8));
    // A streamed file's header leaves the size open, as 0 or as the largest number.
    if (name === 'data')
      return bytesPerSecond > 0 ? Math.min(size || Infinity, bytes - at - 8) / bytesPerSecond : undefined;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

// Samples as they are, whose size decoders take from their bits, whatever the header says of frames: PCM, floating point, A-law, mu-law.
const PLAIN_KINDS = [1, 3, 6, 7, 0xfffe];

function frameBytesOf(format: Buffer): number {
  const bits = format.readUInt16LE(14);
  const isPlain = PLAIN_KINDS.includes(format.readUInt16LE(0)) && bits > 0;
  return isPlain ? format.readUInt16LE(2) * Math.ceil(bits / 8) : format.readUInt16LE(12);
}

const KBITS: Record<'v1' | 'v2', number[]> = {
  v1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = [44_100, 48_000, 32_000];

/** Sum of its frames, each by its own header; 0 without frames. Bytes between frames are skipped. */
function mp3SecondsOf(file: Buffer): number {
  let seconds = 0;
  for (let at = endOfTag(file); at + 4 <= file.length;) {
    const frame = frameAt(file, at);
    if (!frame) {
      const next = file.indexOf(0xff, at + 1);
      if (next === -1) break;
      at = next;
      continue;
    }
    seconds += frame.seconds;
    at += frame.bytes;
  }
  return seconds;
}

/** An ID3 tag before the audio may contain a picture with bytes that look like frames. */
export function endOfTag(file: Buffer): number {
  if (file.length < 10 || file.toString('latin1', 0, 3) !== 'ID3') return 0;
  const [a, b, c, d] = [file[6]!, file[7]!, file[8]!, file[9]!];
  return 10 + ((a & 0x7f) << 21) + ((b & 0x7f) << 14) + ((c & 0x7f) << 7) + (d & 0x7f);
}

/** A layer III frame: its length in bytes and in time. */
export function frameAt(file: Buffer, at: number): { bytes: number; seconds: number } | undefined {
  const header = file.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const isLayer3 = ((header >>> 17) & 3) === 1;
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined;
  const isFirst = version === 3;
  const kbits = KBITS[isFirst ? 'v1' : 'v2'][(header >>> 12) & 15];
  const rate = RATES[(header >>> 10) & 3];
  if (!kbits || !rate) return undefined;
  const sampleRate = isFirst ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = isFirst ? 1152 : 576;
  const padding = (header >>> 9) & 1;
  return { bytes: Math.floor((samples / 8) * ((kbits * 1000) / sampleRate)) + padding, seconds: samples / sampleRate };
}
