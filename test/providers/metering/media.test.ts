import { describe, expect, test } from '@jest/globals';
import { mediaIn, partTokensOf } from '../../../providers/metering/media.ts';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(300_000);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

const gif = (width: number, height: number) => {
  const bytes = Buffer.from('GIF89a    ....');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
};

/** A JPEG with a preview image before its own. */
const jpeg = (width: number, height: number) => {
  const preview = Buffer.concat([Buffer.from('ffe1ea62', 'hex'), Buffer.alloc(0xea60)]);
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8', 'hex'), preview, frame]);
};

const webp = (kind: 'VP8X' | 'VP8L' | 'VP8 ', width: number, height: number) => {
  const bytes = Buffer.concat([Buffer.from(`RIFF....WEBP${kind}`), Buffer.alloc(20)]);
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (kind === 'VP8L') bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 21);
  else {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return bytes;
};

const imageUrl = (bytes: Buffer) => `data:image/any;base64,${bytes.toString('base64')}`;
const bodyWith = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const image = (url: string, detail?: string) => bodyWith({ type: 'image_url', image_url: { url, detail } });
const sound = (bytes: Buffer, format: string) =>
  bodyWith({ type: 'input_audio', input_audio: { data: bytes.toString('base64'), format } });

describe('an image counts by its 512-pixel tiles,', () => {
  test.each([
    ['a small PNG', png(512, 512), 85 + 170],
    ["OpenAI's first example", png(1024, 1024), 85 + 170 * 4],
    ["OpenAI's second example", png(2048, 4096), 85 + 170 * 6],
    ['the largest', png(20_000, 7_500), 85 + 170 * 8],
    ['a thin one', png(10_000, 10), 85 + 170 * 4],
    ['a GIF', gif(600, 300), 85 + 170 * 2],
    ['a JPEG behind its preview', jpeg(1024, 1024), 85 + 170 * 4],
    ['an extended WebP', webp('VP8X', 1024, 1024), 85 + 170 * 4],
    ['a lossless WebP', webp('VP8L', 1024, 1024), 85 + 170 * 4],
    ['a lossy WebP', webp('VP8 ', 1024, 1024), 85 + 170 * 4],
  ])('%s', async (_, bytes, tokens) => {
    expect(mediaIn(image(imageUrl(bytes)))).toEqual({ tokens, characters: imageUrl(bytes).length });
    expect(await countPromptTokens(image(imageUrl(bytes)))).toBe(3 + 3 + 1 + tokens);
  });

  test('once in low detail', () => {
    expect(mediaIn(image(imageUrl(png(4096, 4096)), 'low')).tokens).toBe(85);
  });

  test('by smaller patches in original detail', () => {
    expect(mediaIn(image(imageUrl(png(3200, 3200)), 'original')).tokens).toBe(10_000);
    expect(mediaIn(image(imageUrl(png(64, 64)), 'original')).tokens).toBe(85 + 170);
  });

  test.each([
    ['behind an address', 'https://example.com/a.png'],
    ['of no known kind', imageUrl(Buffer.from('no image at all'))],
    ['of no size', imageUrl(png(0, 0))],
    ['whose header breaks off', imageUrl(jpeg(9, 9).subarray(0, 60_010))],
  ])('and one %s counts the maximum in a hold and the minimum in a bill', async (_, url) => {
    expect(mediaIn(image(url)).tokens).toBe(85 + 170 * 8);
    expect(await countPromptTokens(image(url))).toBe(3 + 3 + 1 + 85);
  });

  test("with its model's own counts", () => {
    const tokens = { imageBase: 2_833, imageTile: 5_667, audioSecond: 10 };
    expect(mediaIn(image(imageUrl(png(512, 512))), tokens).tokens).toBe(8_500);
  });
});

describe('audio counts by its seconds,', () => {
  const wav = ({ seconds, declared, frameBytes = 2 }: { seconds: number; declared?: number; frameBytes?: number }) => {
    const bytes = Buffer.alloc(44 + seconds * 32_000);
    bytes.write('RIFF....WAVEfmt ', 'latin1');
    bytes.writeUInt32LE(16, 16);
    bytes.writeUInt32LE(16_000, 24);
    bytes.writeUInt16LE(1, 20);
    bytes.writeUInt16LE(1, 22);
    bytes.writeUInt16LE(frameBytes, 32);
    bytes.writeUInt16LE(16, 34);
    bytes.write('data', 36, 'latin1');
    bytes.writeUInt32LE(declared ?? seconds * 32_000, 40);
    return bytes;
  };
  // MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes for 1152 samples.
  const frame = Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(413)]);
  const mp3 = Buffer.concat(Array.from({ length: 383 }, () => frame));
  const tagged = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x07\x68', 'latin1'), Buffer.alloc(1_000, 0xff), mp3]);

  test.each([
    ['a WAV', wav({ seconds: 20 }), 'wav', 200],
    ['a WAV of an open length', wav({ seconds: 20, declared: 0xffff_ffff }), 'wav', 200],
    ['a WAV of a length that is not yet known', wav({ seconds: 20, declared: 0 }), 'wav', 200],
    ['a WAV that claims long samples', wav({ seconds: 20, frameBytes: 65_535 }), 'wav', 200],
    ['an MP3', mp3, 'mp3', 101],
    ['an MP3 with a tag', tagged, 'mp3', 101],
    ['anything else, as slow speech', Buffer.alloc(40_000), 'mp3', 100],
  ])('%s', (_, bytes, format, tokens) => {
    const counted = mediaIn(sound(bytes, format)).tokens;
    expect(Math.abs(counted - tokens)).toBeLessThanOrEqual(1);
  });
});

test('a file counts by its size', () => {
  const file_data = `data:text/plain;base64,${Buffer.alloc(30_000, 'a').toString('base64')}`;
  expect(mediaIn(bodyWith({ type: 'file', file: { file_data } })).tokens).toBeLessThan(10_050);
});

test.each(['data:application/pdf;base64,', 'data:text/plain;base64,', 'data:text/plain;base64,QUFB'])(
  'a hold for a small file covers what is billed for it: %s',
  (file_data) => {
    const part = { type: 'file', file: { file_data } };
    const { tokens } = mediaIn({ messages: [{ role: 'user', content: [part] }] });
    expect(tokens).toBeGreaterThanOrEqual(partTokensOf(part));
  },
);
