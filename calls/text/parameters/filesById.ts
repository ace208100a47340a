import { readWhole } from '../../../db/files/files.ts';
import { StorageRefused } from '../../../db/files/upload.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import { bodyTooLarge } from '../../../base/errors/requestErrors.ts';
import { MEDIA_BODY } from '../../../base/limits.ts';
import { findCallersFile } from '../../purposeScope.ts';
import type { Caller } from '../../caller.ts';
import type { CallServices } from '../../services.ts';
import { InvalidRequest } from '../../../base/errors/invalidRequest.ts';

/** A part of a message that has a file: by its id, or itself as a data: URL. */
interface FilePlace {
  fileId: string | null | undefined;
  /** The member that holds the file itself. */
  own: string;
  ownValue: unknown;
  /** The part with the file itself. */
  withFile: (dataUrl: string, filename: string) => object;
}

/** Throws 400 for a part that has no file, or two. */
export function refuseOddFiles(messages: object[], place: 'messages' | 'input'): void {
  for (const { fileId, own, ownValue, path } of filesIn(messages, place)) {
    if (fileId && ownValue) {
      throw new InvalidRequest('invalid_value', `${path}.file_id`, `Send '${own}' or 'file_id', not both.`);
    }
    if (!fileId && !ownValue) {
      throw new InvalidRequest('missing_required_parameter', `${path}.${own}`, `Missing '${own}', or 'file_id'.`);
    }
  }
}

/**
 * Messages of chat, or items of a response, in which each file that is named by its id stands as a data: URL: models know no files of this
 * service. Throws 404 `file_not_found`, 403 `scope_not_allowed`, and 413 when the files are larger than a body may be.
 */
export function withFilesById<Message extends object>(
  caller: Caller,
  services: Pick<CallServices, 'db'>,
  messages: Message[],
  place: 'messages' | 'input',
): Message[] | Promise<Message[]> {
  // Most messages are texts.
  if (!messages.some(hasParts)) return messages;
  for (const { fileId } of filesIn(messages, place)) if (fileId) return readFiles(caller, services, messages, place);
  return messages;
}

async function readFiles<Message extends object>(
  caller: Caller,
  services: Pick<CallServices, 'db'>,
  messages: Message[],
  place: 'messages' | 'input',
): Promise<Message[]> {
  let all = messages;
  for (const { at, member, index, fileId, path, withFile } of filesIn(messages, place)) {
    if (!fileId) continue;
    const part = withFile(...(await readFile(caller, services, { id: fileId, param: `${path}.file_id` })));
    const parts = partsOf(all[at]!, member)!;
    all = all.with(at, { ...all[at]!, [member]: parts.with(index, part) });
  }
  return all;
}

/** The members of a message, and of a tool's output, that may hold parts. */
const MEMBERS = ['content', 'output'] as const;

function partsOf(message: object, member: (typeof MEMBERS)[number]): object[] | undefined {
  const parts = (message as Record<string, unknown>)[member];
  return Array.isArray(parts) ? (parts as object[]) : undefined;
}

const hasParts = (message: object): boolean => MEMBERS.some((member) => partsOf(message, member));

/** The parts that have a file, with their places. */
function* filesIn(messages: object[], place: 'messages' | 'input') {
  for (const [at, message] of messages.entries()) {
    const member = place === 'input' && partsOf(message, 'output') ? 'output' : 'content';
    for (const [index, part] of (partsOf(message, member) ?? []).entries()) {
      const file = filePlaceOf(part, place);
      if (!file) continue;
      yield {
        ...file,
        at,
        member,
        index,
        path: `${place}[${at}].${member}[${index}]${place === 'messages' ? '.file' : ''}`,
      } as const;
    }
  }
}

function filePlaceOf(part: object, place: 'messages' | 'input'): FilePlace | undefined {
  if (place === 'messages') {
    const { type, file } = part as { type: string; file?: Record<string, string | null> };
    if (type !== 'file' || !file) return undefined;
    const { file_id: fileId, file_data: ownValue, filename: given, ...rest } = file;
    const withFile = (file_data: string, filename: string) => ({
      ...part,
      file: { ...rest, file_data, filename: given ?? filename },
    });
    return { fileId, own: 'file_data', ownValue, withFile };
  }
  const { type, file_id: fileId, ...rest } = part as Record<string, string | null>;
  if (type === 'input_image') {
    return {
      fileId,
      own: 'image_url',
      ownValue: rest.image_url,
      withFile: (image_url) => ({ ...rest, type, image_url }),
    };
  }
  if (type !== 'input_file') return undefined;
  const withFile = (file_data: string, filename: string) => ({
    ...rest,
    type,
    file_data,
    filename: rest.filename ?? filename,
  });
  return { fileId, own: 'file_data', ownValue: rest.file_data, withFile };
}

async function readFile(
  caller: Caller,
  { db }: Pick<CallServices, 'db'>,
  { id, param }: { id: string; param: string },
): Promise<[dataUrl: string, filename: string]> {
  const file = await findCallersFile(db, caller.key, id).catch((error: unknown) => {
    if (!(error instanceof StorageRefused)) throw error;
    throw new ApiError({ status: 404, code: 'file_not_found', message: error.message, param, cause: error });
  });
  const characters = Math.ceil(file.sizeBytes / 3) * 4;
  // Estimates and holds by the request's size include the file.
  caller.bodyBytes += characters;
  if (caller.bodyBytes > MEDIA_BODY.bytesMax) throw bodyTooLarge(MEDIA_BODY.bytesMax);
  const bytes = await readWhole(db.read(caller.key.workspaceId), file);
  return [`data:${file.mediaType};base64,${bytes.toString('base64')}`, file.filename];
}
