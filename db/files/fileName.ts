import { extname } from 'node:path';
import { OFFICE_TYPES } from './officeTypes.ts';
import { StorageRefused } from './upload.ts';

const NAME_BYTES_MAX = 255;
// Separators would make the name a path; control characters and unpaired surrogates are invalid in headers and listings; embedded
// directions and ends of lines show another name than there is.
const FORBIDDEN = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** The stored form (NFC) of a file's or directory's name. Throws `invalid_name`. */
export function fileNameOf(name: string): string {
  const normal = name.normalize('NFC');
  const problem = problemOf(normal);
  if (problem) throw new StorageRefused('invalid_name', problem);
  return normal;
}

function problemOf(name: string): string | undefined {
  if (name.trim() === '') return 'The file needs a name.';
  if (name === '.' || name === '..') return `'${name}' cannot be a name.`;
  if (FORBIDDEN.test(name)) return 'A name has no slashes, backslashes, control characters or direction marks.';
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) return `A name has at most ${NAME_BYTES_MAX} bytes.`;
  return undefined;
}

const [TAB, CARRIAGE_RETURN, ESCAPE] = [0x09, 0x0d, 0x1b];

/** The number of leading bytes that identify a file's type. */
export const HEAD_BYTES = 4096;

// Types that the tools can read as text, by file extension. All other text is plain.
const TEXT_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.ndjson': 'application/jsonl',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** The extension of a text's media type; empty for other types, which their bytes identify. */
export function extensionOf(mediaType: string): string {
  const [bare] = mediaType.toLowerCase().split(';') as [string];
  return Object.entries(TEXT_TYPES).find(([, type]) => type === bare.trim())?.[0] ?? '';
}

/** Types identified by the first bytes of a file: PDF, and the images and audio that models accept. */
const SIGNATURES: { type: string; at: number; bytes: string }[] = [
  { type: 'application/pdf', at: 0, bytes: '%PDF-' },
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF87a' },
  { type: 'image/gif', at: 0, bytes: 'GIF89a' },
  { type: 'image/webp', at: 8, bytes: 'WEBPVP8' },
  { type: 'audio/wav', at: 8, bytes: 'WAVEfmt ' },
  { type: 'audio/mpeg', at: 0, bytes: 'ID3' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xfb' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xf3' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xf2' },
  { type: 'audio/ogg', at: 0, bytes: 'OggS' },
  { type: 'audio/flac', at: 0, bytes: 'fLaC' },
  { type: 'audio/mp4', at: 4, bytes: 'ftypM4A' },
  { type: 'audio/webm', at: 0, bytes: '\x1a\x45\xdf\xa3' },
];

const ARCHIVE_SIGNATURE = 'PK\u0003\u0004';

/**
 * The media type of a file, by its first bytes, then by its name; the sender's declaration is ignored. Undefined for types that neither
 * the tools nor a model can read: other archives, programs.
 */
export function mediaTypeOf({ filename, head }: { filename: string; head: Uint8Array }): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES)).toString('latin1');
  const signature = SIGNATURES.find(({ at, bytes }) => text.startsWith(bytes, at));
  if (signature) return signature.type;
  const extension = extname(filename).toLowerCase();
  if (text.startsWith(ARCHIVE_SIGNATURE)) return new Map<string, string>(Object.entries(OFFICE_TYPES)).get(extension);
  return isText(head) ? (TEXT_TYPES[extension] ?? 'text/plain') : undefined;
}

/** Of compound files: binary Office documents from before 2007, and newer ones locked with a password. */
const COMPOUND_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const SUCCESSORS: [RegExp, string][] = [
  [/^\.xl/, 'XLSX'],
  [/^\.do/, 'DOCX'],
  [/^\.p[po]/, 'PPTX'],
];

/** The target format for a binary Office document, by its name; undefined if its first bytes do not show one. */
export function successorOf({ filename, head }: { filename: string; head: Uint8Array }): string | undefined {
  if (!COMPOUND_SIGNATURE.equals(head.subarray(0, COMPOUND_SIGNATURE.length))) return undefined;
  const extension = extname(filename).toLowerCase();
  return SUCCESSORS.find(([pattern]) => pattern.test(extension))?.[1] ?? 'XLSX, DOCX or PPTX';
}

// Exported tables are often in a national encoding: bytes without control characters count as text.
function isText(head: Uint8Array): boolean {
  const [first, second] = head;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 || head.every((byte) => byte >= 0x20 || (byte >= TAB && byte <= CARRIAGE_RETURN) || byte === ESCAPE);
}
