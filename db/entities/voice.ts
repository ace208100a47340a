import { defineEntity, p } from '@mikro-orm/core';

/** A sample of a cloned voice: its file, as ElevenLabs lists it. */
export interface VoiceSample {
  sample_id: string;
  file_id: string;
  file_name: string;
  mime_type: string;
  size_bytes: number;
  hash: string;
}

/** A cloned voice of a workspace: its samples are files, and the embedded engine imitates the voice by `measure`. */
export const Voice = defineEntity({
  name: 'Voice',
  tableName: 'voices',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    name: p.text(),
    description: p.text().strictNullable(),
    labels: p.json().$type<Record<string, string>>().defaultRaw("'{}'"),
    settings: p.json().$type<object>().strictNullable(),
    measure: p.json().$type<object>(),
    /** Id, name, size and hash of each sample, and its file. */
    samples: p.json().$type<VoiceSample[]>().defaultRaw("'[]'"),
    /** The voice's id at each upstream that has cloned it, by the upstream's name. */
    upstreamIds: p.json().$type<Record<string, string>>().defaultRaw("'{}'"),
    createdAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().strictNullable(),
  },
});

/** A produced and billed speech with its audio, kept until its caller removes it, or for the days of its key. */
export const SpeechHistoryItem = defineEntity({
  name: 'SpeechHistoryItem',
  tableName: 'speech_history',
  indexes: [
    {
      name: 'speech_history_workspace_index',
      expression: 'create index speech_history_workspace_index on speech_history (workspace_id, created_at, id)',
    },
    {
      name: 'speech_history_expires_at_index',
      expression:
        'create index speech_history_expires_at_index on speech_history (expires_at) where expires_at is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** The project of the key that made it; null: the default one. */
    projectId: p.text().strictNullable(),
    requestId: p.text(),
    source: p.text().$type<'TTS' | 'STS'>(),
    voiceId: p.text(),
    voiceName: p.text(),
    voiceCategory: p.text().$type<'premade' | 'cloned'>(),
    modelId: p.text(),
    /** The model name used by the caller. */
    askedModel: p.text().strictNullable(),
    text: p.text(),
    characters: p.integer(),
    contentType: p.text(),
    outputFormat: p.text(),
    settings: p.json().$type<object>().strictNullable(),
    fileId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().strictNullable(),
    /** Null: it is kept until it is removed. */
    expiresAt: p.datetime().strictNullable(),
  },
});
