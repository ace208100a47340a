import { z } from 'zod';
import { SMALL_BODY } from '../guard/body.ts';
import { excessOfText } from '../guard/jsonShape.ts';
import { parseWith } from '../guard/parseWith.ts';
import { othersIn, refused, refuseUnsupported, VoiceSettingsBody } from './schema.ts';
import { booleanIn, numberIn, soundOf, type SoundForm } from '../sound/soundForm.ts';

const Fields = z.looseObject({
  model_id: z.string().min(1).max(256).optional(),
  voice_settings: VoiceSettingsBody.optional().describe('As JSON text.'),
  seed: z.int().min(0).optional(),
  remove_background_noise: z.boolean().default(false),
});

/** The form as documented. */
export const ConversionForm = Fields.extend({ audio: z.file() });

const checkFields = parseWith(Fields, 'body');

/** Fields of that form that only an upstream may know. */
export const otherConversionFields = (input: z.output<typeof Fields>) => {
  const { file_format: _, ...sent } = input;
  return othersIn(sent, Fields);
};

/** The fields of that form, checked. Throws a 422 that names the field, and one when there is no sound. */
export function parseConversionForm(form: SoundForm): z.output<typeof Fields> {
  const { fields } = form;
  refuseUnsupported(
    fields,
    ['file_format'].filter((name) => fields[name] !== 'other'),
  );
  const input = checkFields({
    ...fields,
    voice_settings: jsonIn('voice_settings', fields.voice_settings),
    seed: numberIn(fields.seed),
    remove_background_noise: booleanIn(fields.remove_background_noise),
  });
  soundOf(form, 'audio');
  return input;
}

function jsonIn(name: string, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (excessOfText(Buffer.from(text), SMALL_BODY.valuesMax)) throw refused(name, 'This is too deep or too long.');
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    throw refused(name, 'This is not valid JSON.');
  }
}
