import type { Context } from '../context.ts';
import { ApiError } from '../errors/apiError.ts';
import { validationError } from '../errors/requestErrors.ts';
import { refuseUnfunded } from '../guard/balance.ts';
import { isMultipart, readForm, type FormFile } from '../body/multipart.ts';
import type { Services } from '../services.ts';
import { spoolFile, type SpooledFile } from '../body/spoolFile.ts';

export const SOUND_BYTES_MAX = 100_000_000;
const SMALL_FORM_BYTES = 1024 * 1024;
const FIELDS_MAX = 40;

/** A form that carries sound. Its files are gone from the disk when `drop` has run. */
export interface SoundForm {
  /** Fields by name, without those that say `null`, as one client sends what its caller left out. */
  fields: Record<string, string>;
  lists: Record<string, string[]>;
  files: FormFile<SpooledFile>[];
  drop(): Promise<void>;
}

/**
 * Reads a form with sound: what is large goes to the disk. Throws the 402 of an account without money for a large one, 413 `file_too_large`, and what `readForm` throws; what is no whole form is
 * 422 `validation_error` in both families.
 */
export async function readSoundForm(
  ctx: Context,
  services: Services,
  { filesMax = 1, lists = [] }: { filesMax?: number; lists?: readonly string[] } = {},
): Promise<SoundForm> {
  if (!isMultipart(ctx)) throw brokenForm('Send the sound as multipart/form-data.');
  // A small form is checked before the balance, as any request is. A large one costs the disk too much for that.
  if (!(Number(ctx.req.headers['content-length']) <= SMALL_FORM_BYTES)) await refuseUnfunded(ctx, services);
  const form = await readForm(ctx, {
    keys: services.db.keys,
    filesMax,
    fieldsMax: FIELDS_MAX,
    lists,
    takeFile: (bytes) => spoolFile(bytes, SOUND_BYTES_MAX),
  }).catch((error: unknown) => {
    throw isBrokenForm(error) ? brokenForm(error.message, error.param) : error;
  });
  const sent = [...form.fields].filter(([, value]) => value !== 'null');
  return {
    fields: Object.fromEntries(sent),
    lists: Object.fromEntries(form.lists),
    files: form.files,
    drop: async () => {
      await Promise.all(form.files.map(({ content }) => content.drop()));
    },
  };
}

const isBrokenForm = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'invalid_body';

const brokenForm = (msg: string, field: string | null = null) =>
  validationError([{ loc: field === null ? ['body'] : ['body', field], msg, type: 'value_error' }]);

/** The form's sound, which is the part of that name. Throws a 422 that names it when it is missing. */
export function soundOf({ files }: SoundForm, name: string): SpooledFile {
  const [file] = files;
  if (file?.field === name) return file.content;
  throw validationError([
    { loc: ['body', name], msg: `The form needs a file in a part named "${name}".`, type: 'missing' },
  ]);
}

/** A form's text as a number; unchanged when it is none, for the check to refuse. */
export const numberIn = (text: string | undefined): number | string | undefined =>
  text === undefined || text.trim() === '' || !Number.isFinite(Number(text)) ? text : Number(text);

/** The same for yes or no. */
export const booleanIn = (text: string | undefined): boolean | string | undefined => {
  const word = text?.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : text;
};
