import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import type { SentFile } from '../sentFiles.ts';

/** The members of a chat message's part that agents support. */
export interface ContentPart {
  type: string;
  text?: string;
  refusal?: string;
  file?: { file_data?: string; filename?: string };
  image_url?: { url: string; detail?: string | null };
}

/** The files and pictures in a message, each as a data: URL. Throws 400 for parts that agents do not support. */
export function filesIn(
  content: string | ContentPart[] | null | undefined,
  at: (member: string) => string,
): SentFile[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, index) => fileOf(part, (member) => at(`.content[${index}]${member}`)) ?? []);
}

function fileOf({ type, file, image_url: image }: ContentPart, at: (member: string) => string): SentFile | undefined {
  if (type === 'text' || type === 'refusal') return undefined;
  if (type === 'file') return readDataUrl(file?.file_data ?? '', at('.file.file_data'), file?.filename);
  if (type === 'image_url') {
    const { url, detail } = image!;
    if ((detail ?? 'auto') !== 'auto') throw detailRefused(at('.image_url.detail'));
    return readDataUrl(url, at('.image_url.url'));
  }
  const message = 'An agent takes texts, files and pictures here. Send other files to POST /v1/runs.';
  throw new InvalidRequest('unsupported_parameter', at(''), message);
}

const detailRefused = (place: string) =>
  new InvalidRequest(
    'unsupported_parameter',
    place,
    `Unsupported parameter: an agent looks at pictures in the detail that its model chooses. Leave '${place}' out.`,
  );

const DATA_URL = /^data:([^,;]*)(?:;[^,;]*)*;base64,/;

function readDataUrl(url: string, place: string, filename?: string): SentFile {
  const [head, mediaType] = DATA_URL.exec(url) ?? [];
  if (head === undefined)
    throw invalidValue(place, 'Send the file itself as a data: URL in base64; no address is fetched.');
  return { base64: url.slice(head.length), filename, mediaType, place: [place] };
}
