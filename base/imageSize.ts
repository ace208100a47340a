/** Width and height in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/**
 * The size of a PNG, JPEG, WebP or GIF image from its header, without decoding; undefined when the header is not in these bytes. A few
 * hundred bytes can declare a picture that takes gigabytes to decode.
 */
export function imageSizeOf(head: Buffer): ImageSize | undefined {
  try {
    if (isJpeg(head)) return jpegSizeOf(head);
    if (nameAt(head, 0) === '\x89PNG') return pngSizeOf(head);
    if (nameAt(head, 0) === 'GIF8') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
    return nameAt(head, 8) === 'WEBP' ? webpSizeOf(head) : undefined;
  } catch (error) {
    // The header is truncated.
    if ((error as { code?: string }).code === 'ERR_OUT_OF_RANGE') return undefined;
    throw error;
  }
}

/** Whether a file starts as a JPEG. A JPEG's size may be far from its start, after a preview or a colour profile. */
export const isJpeg = (head: Buffer): boolean => head.length > 2 && head.readUInt16BE(0) === 0xffd8;

const nameAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);

const pngSizeOf = (bytes: Buffer): ImageSize | undefined =>
  nameAt(bytes, 12) === 'IHDR' ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;

/** The first chunk is a lossy picture, a lossless one, or the canvas of several. */
function webpSizeOf(bytes: Buffer): ImageSize | undefined {
  const part = nameAt(bytes, 12);
  if (part === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (part === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (part !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Skips segments, for example previews and colour profiles, up to the start of a frame. */
function jpegSizeOf(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) at += 1;
    else if (beginsFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
}

// SOF0 to SOF15, except for the tables of Huffman and arithmetic codes and the reserved marker.
const beginsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
