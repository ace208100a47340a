import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { pages } from './src/pages.ts';

/** `npm run build -- [FOLDER]`: builds the pages into a folder, `dist` when left out. */
const outDir = resolve(import.meta.dirname, process.argv[2] ?? 'dist');
const isText = /\.(js|css|svg|json|map)$/;
const SMALLEST_BYTES = 1_000;

await build({ root: import.meta.dirname, build: { outDir } });
finishDocument();
listPages();
compressFiles();
// A server that runs has read the list of files by now: the document's time says that it is a newer one.
utimesSync(join(outDir, 'index.html'), new Date(), new Date());

/** Moves the styles behind the frame of the document, which the browser then shows before they have come. */
function finishDocument(): void {
  const path = join(outDir, 'index.html');
  const html = readFileSync(path, 'utf8');
  const [styles] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  if (styles === undefined) throw new Error('the document has no styles');
  writeFileSync(path, html.replace(styles, '').replace('<div id="root">', `${styles}\n    <div id="root">`));
}

/** Writes the pages' addresses and titles for the server, which sends the document with its title in place. */
function listPages(): void {
  const list = pages.map(({ path, title, menu, isPublic }) => ({ path, title: title ?? menu?.label ?? '', isPublic }));
  writeFileSync(join(outDir, 'pages.json'), JSON.stringify(list));
}

/** Writes each text file again as Brotli and gzip, so that the server compresses nothing. */
function compressFiles(): void {
  const folder = join(outDir, 'assets');
  for (const name of readdirSync(folder).filter((name) => isText.test(name))) {
    const path = join(folder, name);
    const content = readFileSync(path);
    if (content.length < SMALLEST_BYTES) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content));
  }
}
