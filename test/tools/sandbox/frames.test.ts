import { expect, test } from '@jest/globals';
import { createFrameDecoder, decodeFile, encodeFile, encodeFrame, FRAME_KINDS } from '../../../tools/sandbox/frames.ts';

test('frames are decoded as encoded, however the bytes are split', () => {
  const files = [
    { path: 'ä/b.txt', bytes: Buffer.from('text') },
    { path: 'empty', bytes: Buffer.of() },
  ];
  const sent = Buffer.concat([
    encodeFrame(FRAME_KINDS.ready),
    ...files.map(encodeFile),
    encodeFrame(FRAME_KINDS.end, '{}'),
  ]);
  for (const size of [1, 2, 7, 16, sent.length]) {
    const decode = createFrameDecoder(1_000);
    const frames = [];
    for (let at = 0; at < sent.length; at += size) frames.push(...decode(sent.subarray(at, at + size)));
    expect(frames.map(({ kind }) => kind)).toEqual([
      FRAME_KINDS.ready,
      FRAME_KINDS.file,
      FRAME_KINDS.file,
      FRAME_KINDS.end,
    ]);
    expect([frames[1], frames[2]].map((frame) => decodeFile(frame!.payload))).toEqual(files);
    expect(frames[3]!.payload.toString()).toBe('{}');
  }
});

test('a frame is refused by its length before it is stored', () => {
  const decode = createFrameDecoder(100);
  expect(() => decode(encodeFrame(FRAME_KINDS.stdout, 'x'.repeat(100)).subarray(0, 5))).toThrow('a frame of 101 bytes');
  expect(() => createFrameDecoder(100)(Buffer.alloc(5))).toThrow('a frame of 0 bytes');
});
