/** What the headers of some good answers tell, as they are documented. */

export const ETAG = { etag: 'Names the thing as it is now.' };
export const LOCATION = { location: 'The path of what was made.' };
export const RUN = {
  ...LOCATION,
  'retry-after': 'With 202: when to look again, in whole seconds.',
  'preference-applied': 'The `Prefer` that was followed.',
};
export const TRANSCRIBED = {
  'request-id': 'The same as `x-request-id`, where ElevenLabs’ clients look for it.',
  'x-truncated': 'With `x-allow-partial: true`, when only a part could be paid: what was short, `balance` or `key`.',
};
export const SOUND = {
  ...TRANSCRIBED,
  'character-cost': 'How many characters were spoken, and billed.',
};
export const KEPT_SOUND = { ...SOUND, 'history-item-id': 'The sound’s item in the history.' };
export const CONVERTED = { ...TRANSCRIBED, 'history-item-id': 'The sound’s item in the history.' };
export const NAMED = { 'content-disposition': 'The name of the file.' };
export const CONTENT = {
  ...ETAG,
  ...NAMED,
  'accept-ranges': '`bytes`: parts of it can be asked for.',
  'content-range': 'With 206: which bytes these are, of how many.',
  'content-security-policy': 'Keeps a browser from running what is in the file.',
};
