import { createRequire, Module } from 'node:module';
import type * as undici from 'undici';

type Package = typeof undici;

// `import 'undici'` loads fetch, WebSocket, mocks and caches too: 80 files more, 35 ms of a start. Nothing here needs them.
const load = createRequire(import.meta.url);
loadLater('undici/lib/dispatcher/client-h2.js');
const Dispatcher = load('undici/lib/dispatcher/dispatcher.js') as Package['Dispatcher'];
// As the package's index does.
Object.assign(Dispatcher.prototype, load('undici/lib/api/index.js'));

/** The package's `Pool` and `errors`: the same as those of `import 'undici'`, which modules that are loaded late use. */
export const Pool = load('undici/lib/dispatcher/pool.js') as Package['Pool'];
export const errors = load('undici/lib/core/errors.js') as Package['errors'];

/**
 * Loads one of the package's functions at its first call. Connections here speak HTTP/1.1 only, and the part for HTTP/2 loads Node's
 * `http2`: 12 ms of a start and 6 MB.
 */
function loadLater(path: string): void {
  const place = load.resolve(path);
  type Part = (...args: unknown[]) => unknown;
  let loaded: Part | undefined;
  const part = new Module(place);
  part.loaded = true;
  part.exports = ((...args) => {
    if (!loaded) delete load.cache[place];
    return (loaded ??= load(place) as Part)(...args);
  }) satisfies Part;
  load.cache[place] ??= part;
}

/** An empty form of the package, as its calls take it. Loads the class at the first use. */
export function createForm(): undici.FormData {
  const { FormData: Form } = load('undici/lib/web/fetch/formdata.js') as Pick<Package, 'FormData'>;
  return new Form();
}

/** Whether a body is a form. */
export const isForm = (body: object | undefined): body is undici.FormData =>
  body !== undefined && Symbol.toStringTag in body && body[Symbol.toStringTag] === 'FormData';
