import type { Router } from '@koa/router';
import { readFile } from 'node:fs/promises';
import { FONT_PATH, ICON_PATH } from '../../base/plainPage.ts';

const TYPES = { [FONT_PATH]: 'font/woff2', [ICON_PATH]: 'image/svg+xml' };

// Images have only the built pages.
const FOLDERS = ['../../console/public', '../../console/dist'].map((path) => new URL(path, import.meta.url));

/** Adds the typeface and the icon of the pages, which are the console's. */
export function addPageFiles(router: Router): Router {
  for (const [path, type] of Object.entries(TYPES))
    router.get(path, async (ctx) => {
      ctx.body = await readPageFile(path);
      ctx.type = type;
      ctx.set('cache-control', 'public, max-age=86400');
    });
  return router;
}

async function readPageFile(path: string): Promise<Buffer> {
  const [first, last] = FOLDERS.map((folder) => new URL(`.${path}`, `${folder.href}/`));
  return readFile(first!).catch(() => readFile(last!));
}
