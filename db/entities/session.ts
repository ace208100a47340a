import { defineEntity, p } from '@mikro-orm/core';

/** Why a step's files were not saved, as callers see it. */
export interface SaveError {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** A conversation with files. `directoryGeneration` rises with each change of its files; `storedBytes` is the size of all files in it. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [
    {
      name: 'sessions_workspace_index',
      expression: 'create index sessions_workspace_index on sessions (workspace_id, created_at, id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    title: p.text().strictNullable(),
    metadata: p.json().$type<Record<string, string>>().defaultRaw("'{}'"),
    directoryGeneration: p.integer().default(0),
    storedBytes: p.bigint('number').default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().strictNullable(),
    /** The run from which a rerun copied this session: the conversation before that run belongs to it. */
    originRunId: p.text().strictNullable(),
  },
});

/** A file or a directory of a session. A name is unique within its directory; `revisionId` changes with the content. */
export const SessionEntry = defineEntity({
  name: 'SessionEntry',
  tableName: 'session_entries',
  checks: [
    { name: 'session_entries_kind_check', expression: "kind in ('file', 'directory')" },
    { name: 'session_entries_file_check', expression: "(kind = 'file') = (file_id is not null)" },
  ],
  indexes: [
    {
      name: 'session_entries_name_unique',
      expression:
        'create unique index session_entries_name_unique on session_entries (session_id, parent_id, name) nulls not distinct',
    },
    {
      name: 'session_entries_parent_index',
      expression: 'create index session_entries_parent_index on session_entries (parent_id)',
    },
    {
      name: 'session_entries_file_index',
      expression: 'create index session_entries_file_index on session_entries (file_id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    sessionId: p.text(),
    parentId: p.text().strictNullable(),
    name: p.text(),
    kind: p.text().$type<'file' | 'directory'>(),
    fileId: p.text().strictNullable(),
    revisionId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A present or former content of a session's file; the entry's `revisionId` names the present one. Deleted with its file. */
export const EntryRevision = defineEntity({
  name: 'EntryRevision',
  tableName: 'entry_revisions',
  indexes: [
    {
      name: 'entry_revisions_entry_index',
      expression: 'create index entry_revisions_entry_index on entry_revisions (entry_id, created_at, id)',
    },
    {
      name: 'entry_revisions_file_index',
      expression: 'create index entry_revisions_file_index on entry_revisions (file_id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    sessionId: p.text(),
    entryId: p.text(),
    fileId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * A run's step that writes files into its session: the files, the progress, and why it failed. A session's newest row is its save state.
 */
export const SaveOperation = defineEntity({
  name: 'SaveOperation',
  tableName: 'save_operations',
  checks: [
    { name: 'save_operations_state_check', expression: "state in ('saving', 'saved', 'failed')" },
    { name: 'save_operations_recovery_check', expression: "recovery in ('none', 'retrying', 'required')" },
  ],
  indexes: [
    {
      name: 'save_operations_session_index',
      expression: 'create index save_operations_session_index on save_operations (session_id, created_at)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    sessionId: p.text(),
    runId: p.text(),
    toolStepId: p.text(),
    lastCommittedGeneration: p.integer(),
    state: p.text().$type<'saving' | 'saved' | 'failed'>().default('saving'),
    recovery: p.text().$type<'none' | 'retrying' | 'required'>().default('none'),
    error: p.json().$type<SaveError>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * An uploaded or produced file. Its bytes are in `file_chunks`; a session's entry or a run's input refers to it by id. It is marked as
 * deleted until its last byte has arrived, so it is invisible, and an unfinished upload is removed like a deleted file.
 */
export const File = defineEntity({
  name: 'File',
  tableName: 'files',
  indexes: [
    {
      name: 'files_workspace_index',
      expression: 'create index files_workspace_index on files (workspace_id, created_at, id)',
    },
    {
      name: 'files_expiry_index',
      expression: 'create index files_expiry_index on files (expires_at) where expires_at is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /**
     * The session that it was uploaded to or created in: it is deleted with the last entry that refers to it. Null: it stays until
     * deleted explicitly.
     */
    sessionId: p.text().strictNullable(),
    purpose: p.text(),
    filename: p.text(),
    mediaType: p.text(),
    sizeBytes: p.bigint('number'),
    sha256: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().strictNullable(),
    deletedAt: p.datetime().strictNullable(),
  },
});

/** A file that arrives in parts, within an hour. Each part is a file of the purpose `upload_part`, named after the upload. */
export const FileUpload = defineEntity({
  name: 'FileUpload',
  tableName: 'file_uploads',
  checks: [{ name: 'file_uploads_status_check', expression: "status in ('pending', 'completed', 'cancelled')" }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    purpose: p.text(),
    filename: p.text(),
    sizeBytes: p.bigint('number'),
    expiresInSeconds: p.integer().strictNullable(),
    status: p.text().$type<'pending' | 'completed' | 'cancelled'>().default('pending'),
    fileId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().index(),
  },
});

/** A part of a file's bytes in an object store, under `key`. All parts but the last have the same size. */
export const FileObject = defineEntity({
  name: 'FileObject',
  tableName: 'file_objects',
  indexes: [
    {
      name: 'file_objects_workspace_index',
      expression: 'create index file_objects_workspace_index on file_objects (workspace_id)',
    },
  ],
  properties: {
    fileId: p.text().primary(),
    position: p.integer().primary(),
    workspaceId: p.text(),
    key: p.text(),
    sizeBytes: p.bigint('number'),
  },
});

/** A part of a file's bytes. All parts but the last have the same size, so that a range is read without the rest. */
export const FileChunk = defineEntity({
  name: 'FileChunk',
  tableName: 'file_chunks',
  properties: {
    fileId: p.text().primary(),
    position: p.integer().primary(),
    workspaceId: p.text(),
    bytes: p.blob(),
  },
});
