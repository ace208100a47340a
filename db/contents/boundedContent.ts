import { isLongInteger, isObject } from '../../base/json.ts';
import { withoutHalf } from '../../base/sentences.ts';

/** The most characters of JSON that are kept of a request, and of an answer. */
export const CONTENT_CHARS_MAX = 256 * 1024;

/** Texts that are cut keep at least this much. */
const CUT_CHARS_MIN = 200;
const DEPTH_MAX = 24;
// A text this long in one of these members, without a space, is encoded media.
const MEDIA_CHARS_MIN = 512;
const MEDIA_MEMBERS = new Set([
  'data',
  'file_data',
  'b64_json',
  'audio',
  'embedding',
  'image_url',
  'url',
  'encrypted_content',
]);
const NUMBERS_MAX = 64;

/** A part of a call's content, small enough to be kept. */
export interface BoundedContent {
  value: unknown;
  /** Whether texts or elements are missing. */
  isCut: boolean;
}

/**
 * A request or answer as it is kept: encoded images, sounds, files and vectors are replaced by their size, and texts are cut until the whole
 * fits. What still does not fit is kept as the beginning of its JSON.
 */
export function boundContent(value: unknown): BoundedContent {
  const plain = withoutMedia(value, '', DEPTH_MAX);
  const text = JSON.stringify(plain) ?? 'null';
  if (text.length <= CONTENT_CHARS_MAX) return { value: plain, isCut: false };
  const lengths = textLengthsIn(plain);
  const excess = text.length - CONTENT_CHARS_MAX;
  const cutTo = Math.max(CUT_CHARS_MIN, fairLength(lengths, excess));
  const cut = withShortTexts(plain, cutTo);
  const shorter = JSON.stringify(cut);
  if (shorter.length <= CONTENT_CHARS_MAX) return { value: cut, isCut: true };
  return { value: cutAt(shorter, CONTENT_CHARS_MAX), isCut: true };
}

function withoutMedia(value: unknown, member: string, levelsLeft: number): unknown {
  if (typeof value === 'string') return mediaNote(value, member) ?? value;
  if (levelsLeft === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.length > NUMBERS_MAX && value.every((one) => typeof one === 'number'))
      return `[omitted: ${value.length} numbers]`;
    return value.map((one) => withoutMedia(one, member, levelsLeft - 1));
  }
  if (!isObject(value) || isLongInteger(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutMedia(inner, name, levelsLeft - 1)]),
  );
}

/** What stands for encoded media: its type and size. */
function mediaNote(text: string, member: string): string | undefined {
  if (text.length < MEDIA_CHARS_MIN || !MEDIA_MEMBERS.has(member)) return undefined;
  const head = /^data:([\w.+/-]{1,100})[;,]/.exec(text);
  if (!head && /\s/.test(text.slice(0, MEDIA_CHARS_MIN))) return undefined;
  const bytes = Math.floor(((text.length - (head ? text.indexOf(',') + 1 : 0)) * 3) / 4);
  return `[omitted: ${head ? `${head[1]}, ` : ''}${bytes} bytes]`;
}

function textLengthsIn(value: unknown, lengths: number[] = []): number[] {
  if (typeof value === 'string') lengths.push(lengthInJson(value));
  else if (Array.isArray(value)) for (const one of value) textLengthsIn(one, lengths);
  else if (isObject(value)) for (const name in value) textLengthsIn(value[name], lengths);
  return lengths;
}

// JSON writes some characters as two or six.
const lengthInJson = (text: string): number => JSON.stringify(text).length;

/** The length to which all longer texts are cut, so that this many characters go, and a little more. */
function fairLength(lengths: number[], excess: number): number {
  const longest = lengths.toSorted((one, other) => other - one);
  let [over, sum] = [0, 0];
  for (const length of longest) {
    // With all texts so far cut to this one's length.
    if (sum - over * length >= excess) break;
    over += 1;
    sum += length;
  }
  return Math.floor(((sum - excess) / Math.max(1, over)) * MARGIN);
}

// Its escapes may be uneven within a text.
const MARGIN = 0.9;

function withShortTexts(value: unknown, lengthMax: number): unknown {
  if (typeof value === 'string') return shortText(value, lengthMax);
  if (Array.isArray(value)) return value.map((one) => withShortTexts(one, lengthMax));
  if (!isObject(value) || isLongInteger(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withShortTexts(inner, lengthMax)]));
}

function shortText(text: string, lengthMax: number): string {
  const length = text.length > lengthMax / 6 ? lengthInJson(text) : 0;
  return length > lengthMax ? cutAt(text, Math.floor((text.length * lengthMax) / length)) : text;
}

// Readers may refuse half a character.
const cutAt = (text: string, length: number): string => `${text.slice(0, withoutHalf(text, length))}…`;
