import { defineEntity, p } from '@mikro-orm/core';

/** A cloned voice of a workspace: its samples are files, and `measure` is what the embedded engine imitates them by. */
export const Voice = defineEntity({
  name: 'Voice',
  tableName: 'voices',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    name: p.text(),
    description: p.text().nullable(),
    labels: p.json().defaultRaw("'{}'"),
    settings: p.json().nullable(),
    measure: p.json(),
    /** Id, name, size and hash of each sample, and the file that holds it. */
    samples: p.json().defaultRaw("'[]'"),
    /** The voice's id at each upstream that has cloned it, by the upstream's name. */
    upstreamIds: p.json().defaultRaw("'{}'"),
    createdAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().nullable(),
  },
});

/** A speech that was made and billed, with its audio, until its caller removes it. */
export const SpeechHistoryItem = defineEntity({
  name: 'SpeechHistoryItem',
  tableName: 'speech_history',
  indexes: [
    {
      name: 'speech_history_workspace_index',
      expression: 'create index speech_history_workspace_index on speech_history (workspace_id, created_at, id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    requestId: p.text(),
    source: p.text(),
    voiceId: p.text(),
    voiceName: p.text(),
    voiceCategory: p.text(),
    modelId: p.text(),
    text: p.text(),
    characters: p.integer(),
    contentType: p.text(),
    outputFormat: p.text(),
    settings: p.json().nullable(),
    fileId: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().nullable(),
  },
});
