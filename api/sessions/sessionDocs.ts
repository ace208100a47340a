import { z } from 'zod';
import * as headers from '../http/documentedHeaders.ts';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import { AgentFile, DeletedAnswer } from '../files/presentFile.ts';
import {
  EntryChangeBody,
  EntryForm,
  NewEntryBody,
  NewSessionBody,
  RevisionListQuery,
  SessionFileListQuery,
  SessionListQuery,
} from './sessionSchema.ts';

const time = z.iso.datetime();

export const Session = z.object({
  id: z.string(),
  object: z.literal('session'),
  title: z.string().nullable(),
  status: z.enum(['idle', 'busy']).describe('Busy while a run of it has not ended.'),
  active_run_id: z.string().nullable(),
  created_at: time,
  updated_at: time,
  metadata: z.record(z.string(), z.string()),
});

const SessionPage = pageOf(Session);

export const SessionFile = z.object({
  id: z.string(),
  session_id: z.string(),
  parent_id: z.string().describe('The directory that contains it. The top directory has an id but is not an entry.'),
  name: z.string(),
  path: z.string().describe('Path from the top directory, with slashes.'),
  kind: z.enum(['file', 'directory']),
  file: AgentFile.nullable().describe('Null for a directory.'),
  revision_id: z.string().describe('Changes with the content.'),
  updated_at: time,
});

export const SessionFileRevision = z.object({
  id: z.string().describe('The `revision_id` of the file at that time.'),
  is_current: z.boolean(),
  file: AgentFile.describe('Its bytes are at `/v1/files/{id}/content` until `expires_at`.'),
  created_at: time,
});

const error = z.object({
  message: z.string(),
  type: z.string(),
  param: z.string().nullable(),
  code: z.string(),
});

export const SessionFileList = z.object({
  data: z.array(SessionFile),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  directory_generation: z
    .int()
    .describe('Rises with each change: send `"dir-<n>"` in `If-Match` to change only that state.'),
  save_state: z.enum(['saved', 'saving', 'failed']),
  save_error: error.nullable(),
  save_operation: z
    .object({
      id: z.string(),
      run_id: z.string(),
      tool_step_id: z.string(),
      last_committed_generation: z.int(),
      state: z.enum(['saving', 'saved', 'failed']),
      recovery: z.enum(['none', 'retrying', 'required']),
      error: error.nullable(),
    })
    .nullable()
    .describe('A step of a run that is saving files or has failed to. Null when there is none.'),
  busy: z.boolean(),
  max_file_bytes: z.int().min(1),
  storage_limit_bytes: z.int().min(1),
});

const DELETED = { id: 'Deleted', schema: DeletedAnswer };
const SESSION = { id: 'Session', schema: Session };
const SESSION_FILE = { id: 'SessionFile', schema: SessionFile };

/** Documentation of sessions and their files. */
export function sessionDocs() {
  return {
    create: {
      tag: 'Sessions',
      summary: 'Open a session',
      description: 'Runs of one session share its conversation and files. A run without a session opens one.',
      input: { id: 'NewSession', schema: NewSessionBody, example: { title: 'Quarterly figures' } },
      headers: headers.ONCE,
      answer: SESSION,
      answerHeaders: headers.LOCATION,
      statuses: [201],
    },
    list: {
      tag: 'Sessions',
      summary: 'List sessions',
      description: 'Newest first. Send `next_cursor` as `cursor` for the next page.',
      query: SessionListQuery,
      answer: { id: 'SessionPage', schema: SessionPage },
    },
    retrieve: { tag: 'Sessions', summary: 'Read a session', answer: SESSION },
    remove: {
      tag: 'Sessions',
      summary: 'Delete a session and its files',
      answer: DELETED,
      errors: [409],
    },
    ...sessionFileDocs(),
  } satisfies Record<string, RouteDoc>;
}

function sessionFileDocs() {
  return {
    listFiles: {
      tag: 'Sessions',
      summary: 'List the files of a session',
      description: 'One directory, by name. Send `next_cursor` as `cursor` for the next page.',
      query: SessionFileListQuery,
      answerHeaders: headers.ETAG,
      answer: { id: 'SessionFileList', schema: SessionFileList },
      errors: [409],
    },
    createFile: {
      tag: 'Sessions',
      summary: 'Add a file or a directory to a session',
      description:
        'A form with a file; or JSON that names a file that was uploaded before, or makes a directory. With `If-Match` nothing is ' +
        'changed if the files have changed since: 412.',
      form: { id: 'SessionFileForm', schema: EntryForm, example: { file: '@sales.csv' } },
      input: { id: 'NewSessionFile', schema: NewEntryBody, example: { kind: 'directory', name: 'reports' } },
      headers: headers.ONCE_IF_DIRECTORY,
      answerHeaders: headers.ETAG,
      answer: SESSION_FILE,
      statuses: [201],
      errors: [409],
    },
    changeFile: {
      tag: 'Sessions',
      summary: 'Rename or move a file or a directory',
      input: { id: 'SessionFileChange', schema: EntryChangeBody, example: { name: 'sales-2026.csv' } },
      headers: headers.IF_DIRECTORY,
      answerHeaders: headers.ETAG,
      answer: SESSION_FILE,
      errors: [409],
    },
    listRevisions: {
      tag: 'Sessions',
      summary: 'List the revisions of a file',
      description:
        'The contents that a file has had, newest first. A run that writes a file again leaves its earlier content readable for 30 days.',
      query: RevisionListQuery,
      answer: { id: 'SessionFileRevisionPage', schema: pageOf(SessionFileRevision) },
    },
    removeFile: {
      tag: 'Sessions',
      summary: 'Delete a file, or a directory with its content',
      headers: headers.IF_DIRECTORY,
      answerHeaders: headers.ETAG,
      answer: DELETED,
    },
  } satisfies Record<string, RouteDoc>;
}
