import { expect, test } from '@jest/globals';
import { imageSizeOf } from '../../base/imageSize.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const RIFF = '52494646 00000000 57454250';

test.each([
  ['image/png', '89504e470d0a1a0a 0000000d 49484452 00000280 000001e0', { width: 640, height: 480 }],
  ['image/gif', '474946383961 8002 e001', { width: 640, height: 480 }],
  // Lossy, lossless, and a canvas with several pictures.
  ['image/webp', `${RIFF} 56503820 00000000 000000 9d012a 8002 e001`, { width: 640, height: 480 }],
  ['image/webp', `${RIFF} 5650384c 00000000 2f 7fc27700`, { width: 640, height: 480 }],
  ['image/webp', `${RIFF} 56503858 00000000 00000000 7f0200 df0100`, { width: 640, height: 480 }],
  // A comment, a fill byte, then a frame.
  ['image/jpeg', 'ffd8 fffe00040102 ffff c0 0011 08 01e0 0280 03', { width: 640, height: 480 }],
])('reads the size of %s from its header', (_type, bytes, size) => {
  expect(imageSizeOf(hex(bytes))).toEqual(size);
});

test.each([
  ['image/png', '89504e470d0a1a0a 0000000d 49484452 0000'],
  ['image/png', '89504e470d0a1a0a 0000000d 69434350 00000280 000001e0'],
  ['image/gif', '474946383961'],
  ['image/webp', `${RIFF} 414e494d 00000000 00000000 00000000`],
  ['image/jpeg', 'ffd8 fffe0004'],
  ['image/jpeg', 'ffd8 0011'],
  ['image/jpeg', 'ffd8 ffe10000 ffe10000'],
  ['image/tiff', '49492a00'],
])('knows none where the header of %s is broken or cut off', (_type, bytes) => {
  expect(imageSizeOf(hex(bytes))).toBeUndefined();
});
