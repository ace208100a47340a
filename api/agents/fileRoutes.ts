import { fileDocs } from '../docs/fileDocs.ts';
import { sessionDocs } from '../docs/sessionDocs.ts';
import { body, optionalBody } from '../guard/body.ts';
import { idempotent } from '../guard/idempotency.ts';
import type { Keyed } from '../guard/keyed.ts';
import { parseBody, parseWith } from '../guard/parseWith.ts';
import { query } from '../guard/query.ts';
import { productScope, scope } from '../guard/scope.ts';
import { get, patch, post, remove } from '../route.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';
import { retrieveFileContent } from './fileContent.ts';
import { agentFiles, openAiFiles } from './fileFamily.ts';
import { createFile, deleteFile, FileListQuery, listFiles, retrieveFile } from './files.ts';
import { EntryChangeBody, EntryForm, NewEntryBody } from './newEntry.ts';
import { FileForm } from './newFile.ts';
import {
  changeSessionFile,
  createSessionFile,
  deleteSessionFile,
  listSessionFiles,
  SessionFileListQuery,
} from './sessionFiles.ts';
import {
  createSession,
  deleteSession,
  listSessions,
  NewSessionBody,
  retrieveSession,
  SessionListQuery,
} from './sessions.ts';

/** Files, at OpenAI's address and at that of agents; and sessions with theirs. An upload is counted before its body is read. */
export function fileRoutes(services: Services, keyed: Keyed): Route[] {
  return [
    ...filesAt('/textapi/v1', services, keyed),
    ...filesAt('/v1', services, keyed),
    ...sessionRoutes(services, keyed),
  ];
}

function filesAt(prefix: '/textapi/v1' | '/v1', services: Services, keyed: Keyed): Route[] {
  const isOpenAi = prefix === '/textapi/v1';
  const family = isOpenAi ? openAiFiles : agentFiles;
  const about = fileDocs({ isOpenAi, form: FileForm, listQuery: FileListQuery });
  const free = keyed(productScope());
  const listed = keyed(productScope(), query(FileListQuery));
  return [
    post(`${prefix}/files`, free, createFile(services, family), about.create),
    get(`${prefix}/files`, listed, listFiles(services, family), about.list),
    get(`${prefix}/files/:file_id`, free, retrieveFile(services, family), about.retrieve),
    get(`${prefix}/files/:file_id/content`, free, retrieveFileContent(services), about.content),
    remove(`${prefix}/files/:file_id`, free, deleteFile(services), about.remove),
  ];
}

function sessionRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), ...checks);
  const free = agents();
  const created = [...agents(optionalBody(parseBody(NewSessionBody))), idempotent(services.db, 'ses')];
  const listed = agents(query(SessionListQuery));
  const filesListed = agents(query(SessionFileListQuery));
  const changed = agents(body(parseWith(EntryChangeBody, 'body')));
  const about = sessionDocs({
    newSession: NewSessionBody,
    listQuery: SessionListQuery,
    fileListQuery: SessionFileListQuery,
    newEntry: NewEntryBody,
    entryForm: EntryForm,
    entryChange: EntryChangeBody,
  });
  return [
    post('/v1/sessions', created, createSession(services), about.create),
    get('/v1/sessions', listed, listSessions(services), about.list),
    get('/v1/sessions/:session_id', free, retrieveSession(services), about.retrieve),
    remove('/v1/sessions/:session_id', free, deleteSession(services), about.remove),
    get('/v1/sessions/:session_id/files', filesListed, listSessionFiles(services), about.listFiles),
    post('/v1/sessions/:session_id/files', free, createSessionFile(services), about.createFile),
    patch('/v1/sessions/:session_id/files/:entry_id', changed, changeSessionFile(services), about.changeFile),
    remove('/v1/sessions/:session_id/files/:entry_id', free, deleteSessionFile(services), about.removeFile),
  ];
}
