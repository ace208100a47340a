const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const UNKNOWN = 0xffff_ffff;

/** The header of a WAV file of 16-bit mono samples. Without `sampleCount` the length is left open, as in a stream. */
export function wavHeader({ sampleRate, sampleCount }: { sampleRate: number; sampleCount?: number }): Buffer {
  const dataBytes = sampleCount === undefined ? UNKNOWN : sampleCount * BYTES_PER_SAMPLE;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(UNKNOWN, dataBytes + HEADER_BYTES - 8), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
