export interface ImageSize {
  width: number;
  height: number;
}

/** Width and height of a PNG, JPEG, WebP or GIF from the start of its file; undefined for anything else. */
export function imageSizeOf(head: Buffer): ImageSize | undefined {
  const size = readSize(head);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Whether a file starts as a JPEG. A JPEG's size may be far from its start, after a preview or a colour profile. */
export const isJpeg = (head: Buffer): boolean => head.length > 2 && head.readUInt16BE(0) === 0xffd8;

function readSize(head: Buffer): ImageSize | undefined {
  if (isJpeg(head)) return jpegSizeOf(head);
  if (head.length >= 24 && head.toString('latin1', 1, 4) === 'PNG')
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  if (head.length >= 10 && head.toString('latin1', 0, 4) === 'GIF8')
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  if (head.length >= 30 && head.toString('latin1', 8, 12) === 'WEBP') return webpSizeOf(head);
  return undefined;
}

function webpSizeOf(head: Buffer): ImageSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** Follows the segments to the start of a frame. */
function jpegSizeOf(head: Buffer): ImageSize | undefined {
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff;) {
    const marker = head[at + 1]!;
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
    else at += 2 + head.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, except the three tables among them: DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
