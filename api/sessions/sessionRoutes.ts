import { sessionDocs } from './sessionDocs.ts';
import { body, optionalBody } from '../body/body.ts';
import { idempotent } from '../guard/idempotency.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { parseBody, parseWith, query } from '../body/parseWith.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import {
  changeSessionFile,
  createSessionFile,
  deleteSessionFile,
  listSessionFileRevisions,
  listSessionFiles,
} from './sessionFiles.ts';
import { STATE_BODY, stateRoutes } from './stateRoutes.ts';
import { createSession, deleteSession, listSessions, retrieveSession } from './sessions.ts';
import {
  NewSessionBody,
  SessionListQuery,
  RevisionListQuery,
  SessionFileListQuery,
  EntryChangeBody,
} from './sessionSchema.ts';

/** Sessions, their files and their state. An upload is counted before its body is read. */
export function sessionRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), ...checks);
  const free = agents();
  const creation = [...agents(optionalBody(parseBody(NewSessionBody), STATE_BODY)), idempotent(services.db, 'ses')];
  const list = agents(query(SessionListQuery));
  const fileList = agents(query(SessionFileListQuery));
  const change = agents(body(parseWith(EntryChangeBody, 'body')));
  const about = sessionDocs();
  const revisions = '/v1/sessions/:session_id/files/:entry_id/revisions';
  return [
    post('/v1/sessions', creation, createSession(services), about.create),
    get('/v1/sessions', list, listSessions(services), about.list),
    get('/v1/sessions/:session_id', free, retrieveSession(services), about.retrieve),
    remove('/v1/sessions/:session_id', free, deleteSession(services), about.remove),
    get('/v1/sessions/:session_id/files', fileList, listSessionFiles(services), about.listFiles),
    post('/v1/sessions/:session_id/files', free, createSessionFile(services), about.createFile),
    get(revisions, agents(query(RevisionListQuery)), listSessionFileRevisions(services), about.listRevisions),
    patch('/v1/sessions/:session_id/files/:entry_id', change, changeSessionFile(services), about.changeFile),
    remove('/v1/sessions/:session_id/files/:entry_id', free, deleteSessionFile(services), about.removeFile),
    ...stateRoutes(services, keyed),
  ];
}
