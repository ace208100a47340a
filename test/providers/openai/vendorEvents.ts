/** One piece of a streamed answer: what is written, and by which member. */
export interface Piece {
  text: string;
  member: 'content' | 'reasoning' | 'refusal' | 'arguments';
}

/** How one vendor streams: the text of its events for some pieces, as its servers write them. */
export interface Vendor {
  name: string;
  events: (pieces: Piece[]) => string[];
  /** Whether most of its chunks differ in nothing but their strings. */
  isPlain: boolean;
}

export const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };
export const data = (json: string, lineEnd = '\n') => `data: ${json}${lineEnd}${lineEnd}`;
export const DONE = data('[DONE]');

/** As Python and PHP write JSON: spaces, and every other character escaped, slashes too. */
export const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return escaped(JSON.stringify(value));
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`).join(', ')}}`;
};
const escaped = (json: string) =>
  json.replaceAll('/', '\\/').replaceAll(/\P{ASCII}/gu, (character) => character.split('').map(unitOf).join(''));

const unitOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const deltaOf = ({ text, member }: Piece, reasoning: string): object =>
  member === 'arguments'
    ? { tool_calls: [{ index: 0, function: { arguments: text } }] }
    : { [member === 'reasoning' ? reasoning : member]: text };

const call = { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }] };
const hasCall = (pieces: Piece[]) => pieces.some(({ member }) => member === 'arguments');

/** The deltas of an answer: the role, a call's head where there is one, the pieces. */
export const deltas = (pieces: Piece[], reasoning = 'reasoning_content'): object[] => [
  { role: 'assistant', content: '' },
  ...(hasCall(pieces) ? [call] : []),
  ...pieces.map((piece) => deltaOf(piece, reasoning)),
];
