import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Pixels per unit of the drawing, so that text is sharp on dense screens. */
const ZOOM = 2;

/** The process that turns one SVG picture into PNG: from standard input to standard output. */
const svg = await text(process.stdin);
await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
const font = readFileSync(join(import.meta.dirname, '..', 'fonts', 'NotoSans.ttf'));
const options = {
  fitTo: { mode: 'zoom', value: ZOOM },
  font: { fontBuffers: [font], defaultFontFamily: 'Noto Sans' },
} as const;
writeFileSync(1, new Resvg(svg, options).render().asPng());
