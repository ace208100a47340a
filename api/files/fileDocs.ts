import { sizeText } from '../../base/limits.ts';
import { BATCH_FILE_BYTES_MAX, FILE_BYTES_MAX, ICON_BYTES_MAX } from '../../db/files/upload.ts';
import { FileListQuery } from './fileSchema.ts';
import { BATCH_FILE_DAYS, FileForm, ICON_PIXELS_MAX } from './newFile.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { NamedSchema, RouteDoc } from '../http/documentedRoute.ts';
import { CompleteInput, PART_BYTES_MAX, PartAnswer, PartForm, UploadAnswer, UploadInput } from './partedUploads.ts';
import { AnyFile, DeletedAnswer, FileList, OpenAiFile, OpenAiFileList } from './presentFile.ts';

const DELETED = { id: 'Deleted', schema: DeletedAnswer };

/** Documentation of files at one of their two addresses. */
export function fileDocs(isOpenAi: boolean) {
  const file: NamedSchema = isOpenAi ? { id: 'OpenAiFile', schema: OpenAiFile } : { id: 'File', schema: AnyFile };
  return {
    create: {
      tag: 'Files',
      summary: isOpenAi ? 'Upload a file' : 'Upload a file for agents',
      description:
        `Up to ${sizeText(FILE_BYTES_MAX)}, for \`batch\` ${sizeText(BATCH_FILE_BYTES_MAX)}, for \`agent_icon\` ` +
        `and \`workspace_logo\` ${sizeText(ICON_BYTES_MAX)} and ${ICON_PIXELS_MAX} × ${ICON_PIXELS_MAX} pixels: text, XLSX, DOCX, PPTX, ` +
        'PDF, images and sound. It is kept until it is deleted ' +
        `or expires; a batch’s file after ${BATCH_FILE_DAYS} days. With an \`Idempotency-Key\` a retry creates no second file; without one it does, as at OpenAI.`,
      form: {
        id: 'FileForm',
        schema: FileForm,
        example: { purpose: isOpenAi ? 'user_data' : 'agent_input', file: '@sales.csv' },
      },
      headers: headers.ONCE,
      answer: file,
      errors: [409],
    },
    list: {
      tag: 'Files',
      summary: isOpenAi ? 'List files' : 'List files, those of agents too',
      description: 'Newest first. Files of sessions are listed with their session.',
      query: FileListQuery,
      answer: isOpenAi ? { id: 'OpenAiFileList', schema: OpenAiFileList } : { id: 'FileList', schema: FileList },
      errors: [404],
    },
    retrieve: {
      tag: 'Files',
      summary: isOpenAi ? 'Read a file' : 'Read a file, those of agents too',
      answer: file,
    },
    content: { tag: 'Files', summary: 'Download a file', ...FILE_CONTENT },
    remove: {
      tag: 'Files',
      summary: 'Delete a file',
      description: 'It is removed from sessions too.',
      answer: DELETED,
      errors: [409],
    },
  } satisfies Record<string, RouteDoc>;
}

const UPLOAD = { id: 'Upload', schema: UploadAnswer };

/** Documentation of uploads in parts. */
export const uploadDocs = {
  create: {
    tag: 'Files',
    summary: 'Begin an upload in parts',
    description:
      'For large files and unsteady connections. The parts may arrive at once and in any order, within an hour.',
    input: {
      id: 'UploadRequest',
      schema: UploadInput,
      example: { filename: 'calls.jsonl', purpose: 'batch', bytes: 104857600, mime_type: 'application/jsonl' },
    },
    headers: headers.ONCE,
    answer: UPLOAD,
  },
  addPart: {
    tag: 'Files',
    summary: 'Send a part of a file',
    description: `Up to ${sizeText(PART_BYTES_MAX)}.`,
    form: { id: 'UploadPartForm', schema: PartForm, example: { data: '@part-1' } },
    answer: { id: 'UploadPart', schema: PartAnswer },
    errors: [404, 409],
  },
  complete: {
    tag: 'Files',
    summary: 'Make the file of its parts',
    description:
      'With the parts in their order. Their sizes must sum up to the announced one. Repeated, it answers with the same file.',
    input: { id: 'UploadCompletion', schema: CompleteInput, example: { part_ids: ['part_...', 'part_...'] } },
    headers: headers.ONCE,
    answer: UPLOAD,
    errors: [404],
  },
  cancel: {
    tag: 'Files',
    summary: 'Cancel an upload in parts',
    description: 'Its parts are deleted.',
    answer: UPLOAD,
    errors: [404, 409],
  },
} satisfies Record<string, RouteDoc>;

/** Answers with the bytes of a file. */
export const FILE_CONTENT = {
  description: 'With `Range` a part of it: 206. With its `ETag` in `If-None-Match`: 304.',
  headers: headers.PART_IF_CHANGED,
  answerHeaders: headers.CONTENT,
  statuses: [200, 206, 304],
  errors: [416],
} as const satisfies Partial<RouteDoc>;
