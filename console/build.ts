import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

/** `npm run build -- [FOLDER]`: builds the pages into a folder, `dist` when left out. */
const outDir = resolve(import.meta.dirname, process.argv[2] ?? 'dist');
const isText = /\.(js|css|svg|json|map)$/;
const SMALLEST_BYTES = 1_000;

await build({ root: import.meta.dirname, build: { outDir } });
compressFiles();
// A server that runs has read the list of files by now: the document's time says that it is a newer one.
utimesSync(join(outDir, 'index.html'), new Date(), new Date());

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
