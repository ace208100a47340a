import * as headers from '../http/documentedHeaders.ts';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import {
  EntryChangeBody,
  EntryForm,
  NewEntryBody,
  NewSessionBody,
  RevisionListQuery,
  SessionFileListQuery,
  SessionListQuery,
} from './sessionSchema.ts';
import { Session, SessionFile, SessionFileList, SessionFileRevision } from './sessionAnswers.ts';

const SessionPage = pageOf(Session);

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
