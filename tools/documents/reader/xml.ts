import { Parser } from 'htmlparser2';
import { DocumentError } from '../documentError.ts';

/** The attributes of an element: `name` without a prefix, `:name` with any prefix. */
export type Attributes = ReadonlyMap<string, string>;

/** Called for the elements and texts of a document, in order. Names have no prefix. */
export interface XmlHandler {
  open?: (name: string, attributes: Attributes) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const CHUNK_BYTES = 65_536;
// The parser's time per element grows with its depth.
const DEPTH_MAX = 2_000;
// More than any meaningful part of 64 MiB has.
const ELEMENTS_MAX = 5_000_000;
const ATTRIBUTES_MAX = 1_000;
const VALUE_CHARACTERS_MAX = 32_768;
/** The text limit of a whole document. */
const TEXT_CHARACTERS_MAX = 2_000_000;

/** Appends a piece to a text, unless the text exceeds the limit. */
export const joined = (text: string, piece: string): string =>
  text.length < TEXT_CHARACTERS_MAX ? text + piece : text;

/** Reads XML piece by piece. Declared entities are not expanded, and nothing is fetched. Throws DocumentError beyond its limits. */
export function readXml(bytes: Uint8Array, { open, text, close }: XmlHandler): void {
  let depth = 0;
  let elements = 0;
  let attributesLeft = ATTRIBUTES_MAX;
  const parser = new Parser(
    {
      onattribute: () => {
        if ((attributesLeft -= 1) < 0)
          throw new DocumentError(`The document has an element of more than ${ATTRIBUTES_MAX} attributes.`);
      },
      onopentag: (name, attributes) => {
        attributesLeft = ATTRIBUTES_MAX;
        if ((depth += 1) > DEPTH_MAX) throw new DocumentError('The document is nested too deeply to read.');
        if ((elements += 1) > ELEMENTS_MAX)
          throw new DocumentError(`The document has a part of more than ${ELEMENTS_MAX} elements.`);
        open?.(localOf(name), attributesOf(attributes));
      },
      ontext: text,
      onclosetag: (name) => {
        depth -= 1;
        close?.(localOf(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8');
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true }));
  parser.end(decoder.decode());
}

const localOf = (name: string) => name.slice(name.indexOf(':') + 1);

function attributesOf(given: Record<string, string>): Attributes {
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const colon = name.indexOf(':');
    attributes.set(colon < 0 ? name : name.slice(colon), value.slice(0, VALUE_CHARACTERS_MAX));
  }
  return attributes;
}
