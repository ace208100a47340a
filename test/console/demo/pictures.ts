import { crc32, deflateSync } from 'node:zlib';

type Colour = [red: number, green: number, blue: number];

/** A square icon: a ring and a dot on a ground of this hue. */
export const iconOf = (hue: number): Buffer<ArrayBuffer> =>
  pngOf(128, 128, (x, y) => {
    const distance = Math.hypot(x - 64, y - 64);
    const isMark =
      (distance > 30 && distance < 42) || distance < 12 || (Math.abs(x - y) < 7 && distance < 40 && x > 64);
    return isMark ? [255, 255, 255] : colourOf(hue + y / 4, 0.55, 0.42 + x / 900);
  });

/** A picture like that of a camera above a workpiece: a plate with holes, one of them marked. */
export const partPicture = (): Buffer<ArrayBuffer> =>
  pngOf(640, 400, (x, y) => {
    const hole = Math.hypot(((x + 40) % 120) - 60, ((y + 40) % 120) - 60);
    const mark = Math.abs(Math.hypot(x - 380, y - 260) - 48);
    if (mark < 3) return [220, 60, 40];
    if (hole < 22) return [38, 44, 50];
    if (hole < 26) return [210, 214, 218];
    const grain = ((x * 7 + y * 13) % 11) - 5;
    return [150 + grain + x / 20, 156 + grain + x / 20, 164 + grain + y / 20];
  });

/** An image file in the format PNG, from the colour of each pixel. */
function pngOf(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer<ArrayBuffer> {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * (width * 3 + 1) + 1 + x * 3;
      for (const [part, value] of colourAt(x, y).entries()) rows[at + part] = Math.max(0, Math.min(255, value));
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A colour from hue (degrees), saturation and lightness. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const span = saturation * Math.min(lightness, 1 - lightness);
  const part = (shift: number) => {
    const place = (shift + hue / 30) % 12;
    return 255 * (lightness - span * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [part(0), part(8), part(4)];
}
