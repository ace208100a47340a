import { capitalised } from '../parts/capitalised.ts';

const SIZES: Record<string, string> = { least: 'at least', most: 'at most' };
const SIDES: Record<string, string> = {
  'greater than or equal to': 'At least',
  'less than or equal to': 'At most',
  'greater than': 'More than',
  'less than': 'Less than',
};

/** What the API says of a member of a request (in the words of FastAPI, or of its own), as a sentence under a field. */
export function plainWords(message: string): string {
  const [, size = '', count, unit = ''] =
    /^(?:String|List) should have at (least|most) (\d+) (\w+)/.exec(message) ?? [];
  if (message === 'Field required' || (size === 'least' && count === '1')) return NEEDED;
  if (count !== undefined) return `Use ${SIZES[size]} ${count} ${unit}.`;
  const [, side = '', limit] = /^Input should be ((?:greater|less) than(?: or equal to)?) (\S+)$/.exec(message) ?? [];
  if (limit !== undefined)
    return `${SIDES[side]} ${Number(limit).toLocaleString('en-US', { maximumFractionDigits: 9 })}.`;
  const sentence = capitalised(message.replace(/^(?:Input|String|List|Key) should\b/, 'Must'));
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Under a field that must not be empty. */
export const NEEDED = 'Fill this in.';
