import { storableText } from '../../base/json.ts';
import { waitAtMost } from '../../base/waiting.ts';
import { publishUpload, openUpload, type Upload } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import type { Key } from '../../db/keys/keys.ts';
import { recordSpeech, type NewSpeech } from '../../db/voices/speechHistory.ts';
import type { SoundServices } from '../services.ts';
import type { CallerVoice } from './callerVoice.ts';

/** What the history stores about a speech call. */
export type HistoryItem = Omit<NewSpeech, 'id' | 'projectId' | 'fileId' | 'voiceId' | 'voiceName' | 'voiceCategory'> & {
  voice: CallerVoice;
};

// Bytes that may wait for the database before the speech itself waits.
const PENDING_BYTES_MAX = 1024 * 1024;

// A store of files that does not answer delays the end of an answer no longer than this.
const KEPT_WAIT_MS = 2_000;

const DAY_SECONDS = 86_400;

export type HistoryWriter = ReturnType<typeof openHistory>;

/**
 * Stores speech while it is sent, and its history item at the end. When the workspace's storage is full or the database or the store of
 * files is down, the audio or the item is not stored; the caller still gets the answer.
 */
export function openHistory(
  { db, log }: Pick<SoundServices, 'db' | 'log'>,
  { key: { workspaceId, projectId }, id }: { key: Pick<Key, 'workspaceId' | 'projectId'>; id: string },
) {
  const rows = db.write(workspaceId);
  let upload: Upload | undefined;
  let pendingBytes = 0;
  // When the database is down the bytes remain, and the sweep removes them.
  const giveUp = async (cause: unknown): Promise<void> => {
    log.warn({ err: cause, id }, 'speech is not kept');
    const left = upload;
    upload = undefined;
    await left?.drop().catch(() => undefined);
  };
  // The first audio is not delayed by the upload.
  let writing: Promise<unknown> = openUpload(rows).then((opened) => (upload = opened), giveUp);

  async function keep({ voice, ...speech }: HistoryItem): Promise<void> {
    await writing;
    const stored = await upload?.end().catch(giveUp);
    const fileId = stored ? newId('file') : null;
    const item: NewSpeech = {
      ...speech,
      text: storableText(speech.text),
      id,
      projectId,
      voiceId: voice.id,
      voiceName: voice.name,
      voiceCategory: voice.category,
      fileId,
    };
    const file = {
      sessionId: null,
      purpose: 'speech',
      mediaType: speech.contentType,
      expiresInSeconds: speech.keptDays ? speech.keptDays * DAY_SECONDS : null,
    };
    await rows
      .transaction(async (tx) => {
        if (stored) await publishUpload(tx, stored, { ...file, id: fileId!, filename: `${id}.audio` });
        await recordSpeech(tx, item);
      })
      .catch(giveUp);
  }

  return {
    /** Stores audio in order; waits when the database is far behind. */
    write: (sound: Buffer): Promise<unknown> | undefined => {
      pendingBytes += sound.length;
      writing = writing
        .then(() => upload?.write(sound))
        .catch(giveUp)
        .finally(() => (pendingBytes -= sound.length));
      return pendingBytes > PENDING_BYTES_MAX ? writing : undefined;
    },
    /** Stores the item; with a store of files it continues in the background after two seconds. */
    keep: async (item: HistoryItem): Promise<void> => {
      const keeping = keep(item);
      await (rows.objects ? waitAtMost(KEPT_WAIT_MS, keeping) : keeping);
    },
    /** Discards the stored audio; may be called again. */
    drop: async (): Promise<void> => {
      await writing;
      const left = upload;
      upload = undefined;
      await left?.drop().catch(() => undefined);
    },
  };
}
