import { Parser } from 'htmlparser2';
import { DocumentError } from '../documentError.ts';

/** The attributes of an element: `name` for one without a prefix, `:name` for one with any prefix. */
export type Attributes = ReadonlyMap<string, string>;

/** What is called for the elements and texts of a document, in order. Names are without their prefix. */
export interface XmlHandler {
  open?: (name: string, attributes: Attributes) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const CHUNK_BYTES = 65_536;
// The parser takes longer for each element the deeper it is.
const DEPTH_MAX = 2_000;

/** Reads XML piece by piece. Declared entities are not expanded, and nothing is fetched. */
export function readXml(bytes: Uint8Array, { open, text, close }: XmlHandler): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if ((depth += 1) > DEPTH_MAX) throw new DocumentError('The document is nested too deeply to read.');
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
    attributes.set(colon < 0 ? name : name.slice(colon), value);
  }
  return attributes;
}
