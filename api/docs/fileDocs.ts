import type { z } from 'zod';
import type { NamedSchema, RouteDoc } from './documentedRoute.ts';
import * as headers from './requestHeaders.ts';
import {
  AnyFile,
  DeletedThing,
  FileList,
  OpenAiFile,
  OpenAiFileList,
  Session,
  SessionFile,
  SessionFileList,
  SessionPage,
} from './fileAnswers.ts';

const DELETED = { id: 'Deleted', schema: DeletedThing };
const SESSION = { id: 'Session', schema: Session };
const SESSION_FILE = { id: 'SessionFile', schema: SessionFile };

/** What callers are told about files at one of their two addresses. The schemas are those that check the requests. */
export function fileDocs({
  isOpenAi,
  form,
  listQuery,
}: {
  isOpenAi: boolean;
  form: z.ZodType;
  listQuery: z.ZodObject;
}) {
  const file: NamedSchema = isOpenAi ? { id: 'OpenAiFile', schema: OpenAiFile } : { id: 'File', schema: AnyFile };
  return {
    create: {
      tag: 'Files',
      summary: isOpenAi ? 'Upload a file' : 'Upload a file for agents',
      description:
        'Up to 25 MiB, for `batch` 200 MiB, for `agent_icon` 1 MiB: text, PDF, images and sound. It stays until it is deleted or ' +
        'expires; a batch’s after 30 days. Send an `Idempotency-Key` to be able to try again without a second file.',
      form: {
        id: 'FileForm',
        schema: form,
        example: { purpose: isOpenAi ? 'user_data' : 'agent_input', file: '@sales.csv' },
      },
      headers: headers.ONCE,
      answer: file,
      errors: [400, 403, 409, 413, 415, 422],
    },
    list: {
      tag: 'Files',
      summary: isOpenAi ? 'List files' : 'List files, those of agents too',
      description: 'Newest first. Files of sessions are listed with their session.',
      query: listQuery,
      answer: isOpenAi ? { id: 'OpenAiFileList', schema: OpenAiFileList } : { id: 'FileList', schema: FileList },
      errors: [403, 404, 422],
    },
    retrieve: {
      tag: 'Files',
      summary: isOpenAi ? 'Read what a file is' : 'Read what a file of agents is',
      answer: file,
      errors: [403, 404],
    },
    content: {
      tag: 'Files',
      summary: 'Download a file',
      description: 'With `Range` a part of it: 206. With its `ETag` in `If-None-Match`: 304.',
      headers: headers.PART_IF_CHANGED,
      statuses: [200, 206, 304],
      errors: [403, 404, 416],
    },
    remove: {
      tag: 'Files',
      summary: 'Delete a file',
      description: 'It goes from the sessions that hold it, too.',
      answer: DELETED,
      errors: [403, 404, 409],
    },
  } satisfies Record<string, RouteDoc>;
}

/** What callers are told about sessions and their files. The schemas are those that check the requests. */
export function sessionDocs(schemas: {
  newSession: z.ZodType;
  listQuery: z.ZodObject;
  fileListQuery: z.ZodObject;
  newEntry: z.ZodType;
  entryForm: z.ZodType;
  entryChange: z.ZodType;
}) {
  return {
    create: {
      tag: 'Sessions',
      summary: 'Open a session',
      description: 'What runs of one conversation share: what was said, and files. A run without a session opens one.',
      input: { id: 'NewSession', schema: schemas.newSession, example: { title: 'Quarterly figures' } },
      headers: headers.ONCE,
      answer: SESSION,
      statuses: [201],
      errors: [400, 403, 409, 413, 415, 422],
    },
    list: {
      tag: 'Sessions',
      summary: 'List sessions',
      description: 'Newest first. Send `next_cursor` as `cursor` for the next page.',
      query: schemas.listQuery,
      answer: { id: 'SessionPage', schema: SessionPage },
      errors: [403, 422],
    },
    retrieve: { tag: 'Sessions', summary: 'Read a session', answer: SESSION, errors: [403, 404, 422] },
    remove: {
      tag: 'Sessions',
      summary: 'Delete a session and its files',
      answer: DELETED,
      errors: [403, 404, 409, 422],
    },
    listFiles: {
      tag: 'Sessions',
      summary: 'List the files of a session',
      description: 'One directory, by name. Send `next_cursor` as `cursor` for the next page.',
      query: schemas.fileListQuery,
      answer: { id: 'SessionFileList', schema: SessionFileList },
      errors: [403, 404, 409, 422],
    },
    createFile: {
      tag: 'Sessions',
      summary: 'Put a file or a directory into a session',
      description:
        'A form with a file; or JSON that names a file that was uploaded before, or makes a directory. With `If-Match` nothing happens ' +
        'when the files have changed since.',
      form: { id: 'SessionFileForm', schema: schemas.entryForm, example: { file: '@sales.csv' } },
      input: { id: 'NewSessionFile', schema: schemas.newEntry, example: { kind: 'directory', name: 'reports' } },
      headers: headers.ONCE_IF_DIRECTORY,
      answer: SESSION_FILE,
      statuses: [201],
      errors: [400, 403, 404, 409, 412, 413, 415, 422],
    },
    changeFile: {
      tag: 'Sessions',
      summary: 'Rename or move a file or a directory',
      input: { id: 'SessionFileChange', schema: schemas.entryChange, example: { name: 'sales-2026.csv' } },
      headers: headers.IF_DIRECTORY,
      answer: SESSION_FILE,
      errors: [400, 403, 404, 409, 412, 413, 415, 422],
    },
    removeFile: {
      tag: 'Sessions',
      summary: 'Delete a file, or a directory with all in it',
      headers: headers.IF_DIRECTORY,
      answer: DELETED,
      errors: [403, 404, 412, 422],
    },
  } satisfies Record<string, RouteDoc>;
}
