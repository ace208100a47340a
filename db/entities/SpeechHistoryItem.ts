import { defineEntity, p } from '@mikro-orm/core';

/** A piece of speech that was made and billed, with its audio, until its caller removes it. */
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
