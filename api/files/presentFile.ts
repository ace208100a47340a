import { z } from 'zod';
import { unixSecondsOf } from '../../base/isoTime.ts';
import type { StoredFile } from '../../db/files/files.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { readForm, readValidForm } from '../body/multipart.ts';
import { openAiPageOf, presentOpenAiPage } from '../http/page.ts';

const time = z.iso.datetime();

const seconds = z.int().describe('Seconds since 1970.');

export const AgentFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  purpose: z.string(),
  filename: z.string(),
  media_type: z.string(),
  size_bytes: z.int(),
  created_at: time,
  expires_at: time.nullable(),
});

export const OpenAiFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: seconds,
  expires_at: seconds.nullable(),
  filename: z.string(),
  purpose: z.string(),
  status: z.literal('processed'),
  status_details: z.null(),
});

export const AnyFile = z
  .union([AgentFile, OpenAiFile])
  .describe('Files of agents and of OpenAI’s purposes have different members.');

export const OpenAiFileList = openAiPageOf(OpenAiFile);

export const FileList = openAiPageOf(AnyFile).extend({ next_cursor: z.string().nullable() });

export const DeletedAnswer = z.object({ id: z.string(), object: z.string(), deleted: z.literal(true) });

export type DeletedThing = z.infer<typeof DeletedAnswer>;

/** A file in the form of the agents' family. */
export function presentFile(file: StoredFile): z.infer<typeof AgentFile> {
  return {
    id: file.id,
    object: 'file',
    purpose: file.purpose,
    filename: file.filename,
    media_type: file.mediaType,
    size_bytes: file.sizeBytes,
    created_at: file.createdAt.toISOString(),
    expires_at: file.expiresAt?.toISOString() ?? null,
  };
}

/** A file in OpenAI's form. It is `processed` as soon as it exists. */
function presentOpenAiFile(file: StoredFile): z.infer<typeof OpenAiFile> {
  return {
    id: file.id,
    object: 'file',
    bytes: file.sizeBytes,
    created_at: unixSecondsOf(file.createdAt),
    expires_at: file.expiresAt && unixSecondsOf(file.expiresAt),
    filename: file.filename,
    purpose: file.purpose,
    status: 'processed',
    status_details: null,
  };
}

/** Differences between the two addresses of files: the forms of files, lists and validation errors. */
export interface FileFamily {
  readForm: typeof readForm;
  present(file: StoredFile): z.infer<typeof AnyFile>;
  presentPage(files: StoredFile[], page: { hasMore: boolean }): z.infer<typeof OpenAiFileList | typeof FileList>;
  refuse(param: string, message: string): ApiError;
}

/** `/textapi/v1/files`: OpenAI's form throughout. */
export const openAiFiles: FileFamily = {
  readForm,
  present: presentOpenAiFile,
  presentPage: (files, { hasMore }) => presentOpenAiPage(files.map(presentOpenAiFile), hasMore),
  refuse: (param, message) => invalidRequest('invalid_value', message, param),
};

/**
 * `/v1/files`, the agents' address and an alias of OpenAI's: a file's purpose decides its form. A list has the paging members of both
 * families.
 */
export const agentFiles: FileFamily = {
  readForm: readValidForm,
  present: presentByPurpose,
  presentPage: (files, { hasMore }) => ({
    ...presentOpenAiPage(files.map(presentByPurpose), hasMore),
    next_cursor: hasMore ? files.at(-1)!.id : null,
  }),
  refuse: (param, message) => validationErrorAt(['body', param], message),
};

function presentByPurpose(file: StoredFile): z.infer<typeof AnyFile> {
  return file.purpose.startsWith('agent_') ? presentFile(file) : presentOpenAiFile(file);
}
