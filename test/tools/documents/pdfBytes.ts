import { constants, deflateSync } from 'node:zlib';

/** A PDF of pages that all show the same lines. */
export function pdfOf(lines: string[], pages = 1): Uint8Array {
  const shown = lines.map((line) => `(${line}) Tj 0 -20 Td`).join(' ');
  return pdfWith(deflateSync(Buffer.from(`BT /F1 12 Tf 50 700 Td ${shown} ET`)), pages);
}

/** A PDF whose pages show these texts; null: a picture that covers the page, like a scan; '': nothing. */
export function pdfOfPages(pages: (string | null)[]): Uint8Array {
  const pixel = deflateSync(Buffer.alloc(1));
  const image = `<</Type/XObject/Subtype /Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode/Length ${pixel.length}>>`;
  const resources = `<</Font<</F1 3 0 R>>${pages.includes(null) ? '/XObject<</Im1 4 0 R>>' : ''}>>`;
  const first = 5;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  return fileOf([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
    pages.includes(null)
      ? Buffer.concat([Buffer.from(`${image}stream\n`), pixel, Buffer.from('\nendstream')])
      : Buffer.from('null'),
    ...pages.flatMap((text, at) => {
      const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources${resources}/Contents ${first + 2 * at + 1} 0 R>>`;
      const content = text === null ? 'q 600 0 0 800 0 0 cm /Im1 Do Q' : `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
      return [Buffer.from(page), Buffer.from(`<</Length ${content.length}>>stream\n${content}\nendstream`)];
    }),
  ]);
}

/** A one-page PDF whose content inflates to this many MiB of blanks. */
export function pdfBomb(sizeMib: number): Uint8Array {
  const block = deflateSync(Buffer.alloc(1024 * 1024, ' '), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  // After a full flush the stream has no history, so the same bytes can be repeated any number of times.
  return pdfWith(Buffer.concat([block, ...Array<Buffer>(sizeMib - 1).fill(block.subarray(2))]), 1);
}

/** A one-page PDF whose content saves the graphics state this many times. */
export const pdfOfStates = (states: number): Uint8Array => pdfWith(deflateSync(Buffer.alloc(states * 2, 'q ')), 1);

function pdfWith(content: Buffer, pages: number): Uint8Array {
  const kids = Array.from({ length: pages }, (_, at) => `${5 + at} 0 R`).join(' ');
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>';
  const stream = [
    Buffer.from(`<</Length ${content.length}/Filter/FlateDecode>>stream\n`),
    content,
    Buffer.from('\nendstream'),
  ];
  return fileOf([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${kids}]/Count ${pages}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
    Buffer.concat(stream),
    ...Array.from({ length: pages }, () => Buffer.from(page)),
  ]);
}

function fileOf(objects: Buffer[]): Uint8Array {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let sizeBytes = parts[0]!.length;
  for (const [at, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(sizeBytes);
    sizeBytes += part.length;
    parts.push(part);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${sizeBytes}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
