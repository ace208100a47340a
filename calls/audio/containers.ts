import { randomInt } from 'node:crypto';

const EMPTY = Buffer.alloc(0);

/** The container of that name, for the stream of an encoder with these properties. */
export function createContainer(name: ContainerName, facts: StreamFacts): Container {
  return containers[name](facts);
}

const containers: Record<ContainerName, (facts: StreamFacts) => Container> = {
  // MP3 frames are self-contained. Tags and indexes would be written at the end, into a header that has been sent.
  frames: () => ({ begin: () => EMPTY, wrap: (packet) => packet, end: () => EMPTY }),
  adts: ({ extraData }) => ({
    begin: () => EMPTY,
    wrap: (packet) => Buffer.concat([adtsHeader(extraData, packet.length), packet]),
    end: () => EMPTY,
  }),
  flac: ({ extraData }) => ({ begin: () => flacHeader(extraData), wrap: (packet) => packet, end: () => EMPTY }),
  ogg: createOggOpus,
};

const ADTS_HEADER_BYTES = 7;

/** ISO 13818-7, 6.2: type, rate and channels from the encoder's AudioSpecificConfig, no checksum, one block. */
function adtsHeader(config: Buffer, bytes: number): Buffer {
  const bits = config.readUInt16BE(0);
  const profile = (bits >> 11) - 1;
  const rateIndex = (bits >> 7) & 15;
  const channels = (bits >> 3) & 15;
  const length = bytes + ADTS_HEADER_BYTES;
  return Buffer.from([
    0xff,
    0xf1,
    (profile << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]);
}

/** RFC 9639, 8.1: the mandatory block, which is also the last; its sample count and checksum stay unknown, as in any stream. */
function flacHeader(streamInfo: Buffer): Buffer {
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, streamInfo.length]), streamInfo]);
}

/** Wraps an encoder's packets into a stream that players support. Each method returns the bytes that can be sent now. */
export interface Container {
  begin: () => Buffer;
  wrap: (packet: Buffer) => Buffer;
  /** `sampleCount` counts the samples given to the encoder, which may be fewer than its packets contain. */
  end: (sampleCount: number) => Buffer;
}

export type ContainerName = 'frames' | 'adts' | 'flac' | 'ogg';

/** Properties of an opened encoder; `extraData` in FFmpeg's layout for the codec. */
interface StreamFacts {
  extraData: Buffer;
  sampleRate: number;
  /** Number of samples in each packet. */
  samplesPerFrame: number;
}

// Opus timestamps use this rate whatever the audio's own rate (RFC 7845, 4).
const GRANULES_PER_SECOND = 48_000;
// 100 ms in packets of 20 ms: a player starts with the first page.
const PACKETS_PER_PAGE = 5;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;

/** Opus packets in an Ogg stream: the pages of RFC 3533, with the headers and times of RFC 7845. */
function createOggOpus({ extraData: head, sampleRate, samplesPerFrame }: StreamFacts): Container {
  const pages = new OggPages();
  const granulesOf = (samples: number) => Math.round((samples * GRANULES_PER_SECOND) / sampleRate);
  const preSkip = head.readUInt16LE(10);
  let waiting: Buffer[] = [];
  let samples = 0;
  const page = (flags: number, granulesMax: number) => {
    samples += waiting.length * samplesPerFrame;
    const packets = waiting;
    waiting = [];
    return pages.write(packets, Math.min(granulesOf(samples), granulesMax), flags);
  };
  return {
    begin: () => Buffer.concat([pages.write([head], 0, FIRST_PAGE), pages.write([opusTags()], 0, 0)]),
    // The last page has a flag, so a page is sent only when the next packet exists.
    wrap: (packet) => {
      const full = waiting.length === PACKETS_PER_PAGE ? page(0, Infinity) : Buffer.alloc(0);
      waiting.push(packet);
      return full;
    },
    end: (sampleCount) => page(LAST_PAGE, preSkip + granulesOf(sampleCount)),
  };
}

/** RFC 7845, 5.2: the vendor, without comments. */
function opusTags(): Buffer {
  const vendor = Buffer.from('ledgerline');
  const tags = Buffer.alloc(16 + vendor.length);
  tags.write('OpusTags', 0, 'latin1');
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return tags;
}

class OggPages {
  readonly #serial = randomInt(2 ** 32);
  #sequence = 0;

  /** One page of whole packets (RFC 3533, 6); `granules` is the time at the end of the last. */
  write(packets: Buffer[], granules: number, flags: number): Buffer {
    const lacing = packets.flatMap(({ length }) => [
      ...Array<number>(Math.floor(length / 255)).fill(255),
      length % 255,
    ]);
    const header = Buffer.alloc(27 + lacing.length);
    header.write('OggS', 0, 'latin1');
    header[5] = flags;
    header.writeBigInt64LE(BigInt(granules), 6);
    header.writeUInt32LE(this.#serial, 14);
    header.writeUInt32LE(this.#sequence++, 18);
    header[26] = lacing.length;
    header.set(lacing, 27);
    const page = Buffer.concat([header, ...packets]);
    page.writeUInt32LE(checksumOf(page), 22);
    return page;
  }
}

const POLYNOMIAL = 0x04c1_1db7;
const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? POLYNOMIAL : 0);
  return sum >>> 0;
});

/** The CRC of RFC 3533, 6, which differs from zlib's: highest bit first, initial and final value zero. */
function checksumOf(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) sum = (sum << 8) ^ checksums[(sum >>> 24) ^ byte]!;
  return sum >>> 0;
}
