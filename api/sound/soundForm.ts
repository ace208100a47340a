import type { Context } from '../context.ts';
import { validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { refuseUnfunded } from '../../calls/funds.ts';
import { isMultipart, readValidForm, type FormFile } from '../body/multipart.ts';
import type { Services } from '../services.ts';
import { spoolFile, type SpooledFile } from '../../calls/sound/spoolFile.ts';

export const SOUND_BYTES_MAX = 100_000_000;
const SMALL_FORM_BYTES = 1024 * 1024;
const FIELDS_MAX = 40;

/** A form with audio. `drop` removes its files from the disk. */
export interface SoundForm {
  /** Fields by name, without those whose text is `null`: one client sends that for an omitted field. */
  fields: Record<string, string>;
  lists: Record<string, string[]>;
  files: FormFile<SpooledFile>[];
  drop(): Promise<void>;
}

/**
 * Reads a form with audio; files go to disk. Throws 402 for a large form of an account without money, 413 `file_too_large`, what
 * `readValidForm` throws, and in both families 422 `validation_error` for an incomplete form.
 */
export async function readSoundForm(
  ctx: Context,
  services: Services,
  { filesMax = 1, lists = [] }: { filesMax?: number; lists?: readonly string[] } = {},
): Promise<SoundForm> {
  if (!isMultipart(ctx)) throw notAForm();
  // A small form is validated before the balance is checked, like any request. A large one would use too much disk.
  if (!(Number(ctx.req.headers['content-length']) <= SMALL_FORM_BYTES)) await refuseUnfunded(ctx.state, services);
  const form = await readValidForm(ctx, {
    keys: services.db.keys,
    filesMax,
    fieldsMax: FIELDS_MAX,
    lists,
    takeFile: (bytes) => spoolFile(bytes, SOUND_BYTES_MAX),
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

const notAForm = () => validationErrorAt(['body'], 'Send the sound as multipart/form-data.');

/** The form's audio: the part with that name. Throws a 422 that names it when it is missing. */
export function soundOf({ files }: SoundForm, name: string): SpooledFile {
  const [file] = files;
  if (file?.field === name) return file.content;
  throw validationError([
    { loc: ['body', name], msg: `The form needs a file in a part named "${name}".`, type: 'missing' },
  ]);
}

/** A form's text as a boolean. Other text stays unchanged, and the schema refuses it. */
export const booleanIn = (text: string | undefined): boolean | string | undefined => {
  const word = text?.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : text;
};
