import type { StoredFile } from '../../db/files/readFiles.ts';
import type { ApiError } from '../errors/apiError.ts';
import { invalidRequest, validationError } from '../errors/requestErrors.ts';
import { presentFile, presentOpenAiFile } from './presentFile.ts';

/** Differences between the two addresses of files: the form of a file, of its lists, and of validation errors. */
export interface FileFamily {
  present(file: StoredFile): object;
  presentPage(files: StoredFile[], page: { hasMore: boolean }): object;
  refuse(param: string, message: string): ApiError;
}

/** `/textapi/v1/files`: all as OpenAI has it. */
export const openAiFiles: FileFamily = {
  present: presentOpenAiFile,
  presentPage: (files, { hasMore }) => openAiPage(files, files.map(presentOpenAiFile), hasMore),
  refuse: (param, message) => invalidRequest('invalid_value', message, param),
};

/**
 * `/v1/files`, the address of agents and the alias of OpenAI's: a file has the shape that its purpose is known by. A list carries the
 * members by which either family goes on.
 */
export const agentFiles: FileFamily = {
  present: presentByPurpose,
  presentPage: (files, { hasMore }) => ({
    ...openAiPage(files, files.map(presentByPurpose), hasMore),
    next_cursor: hasMore ? files.at(-1)!.id : null,
  }),
  refuse: (param, message) => validationError([{ loc: ['body', param], msg: message, type: 'value_error' }]),
};

function presentByPurpose(file: StoredFile): object {
  return file.purpose.startsWith('agent_') ? presentFile(file) : presentOpenAiFile(file);
}

const openAiPage = (files: StoredFile[], data: object[], hasMore: boolean) => ({
  object: 'list',
  data,
  first_id: files[0]?.id ?? null,
  last_id: files.at(-1)?.id ?? null,
  has_more: hasMore,
});
