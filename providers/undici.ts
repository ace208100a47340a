import { createRequire } from 'node:module';
import type * as undici from 'undici';

type Package = typeof undici;

// `import 'undici'` loads fetch, WebSocket, mocks and caches too: 80 files more, 35 ms of a start. Nothing here needs them.
const load = createRequire(import.meta.url);
const Dispatcher = load('undici/lib/dispatcher/dispatcher.js') as Package['Dispatcher'];
// As the package's index does.
Object.assign(Dispatcher.prototype, load('undici/lib/api/index.js'));

/** The package's `Pool` and `errors`: the same as those of `import 'undici'`, which modules that are loaded late use. */
export const Pool = load('undici/lib/dispatcher/pool.js') as Package['Pool'];
export const errors = load('undici/lib/core/errors.js') as Package['errors'];

/** An empty form of the package, as its calls take it. Loads the class at the first use. */
export function createForm(): undici.FormData {
  const { FormData: Form } = load('undici/lib/web/fetch/formdata.js') as Pick<Package, 'FormData'>;
  return new Form();
}

/** Whether a body is a form. */
export const isForm = (body: object | undefined): body is undici.FormData =>
  body !== undefined && Symbol.toStringTag in body && body[Symbol.toStringTag] === 'FormData';
