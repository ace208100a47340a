import type { Container, ContainerName, StreamFacts } from './container.ts';
import { createOggOpus } from './oggOpus.ts';

const EMPTY = Buffer.alloc(0);

/** The container of that name, for a stream of the one encoder that says this of itself. */
export function createContainer(name: ContainerName, facts: StreamFacts): Container {
  return containers[name](facts);
}

const containers: Record<ContainerName, (facts: StreamFacts) => Container> = {
  // MP3 frames say all that is needed themselves. Tags and indexes would be filled in at the end, in a beginning that has been sent.
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

/** ISO 13818-7, 6.2: type, rate and channels as in the AudioSpecificConfig that the encoder gives, no checksum, one block. */
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

/** RFC 9639, 8.1: the mandatory block, which is also the last; its count of samples and checksum stay unknown, as in any stream. */
function flacHeader(streamInfo: Buffer): Buffer {
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, streamInfo.length]), streamInfo]);
}
