import { publishUpload, openUpload, type Upload } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import { recordSpeech, type NewSpeech } from '../../db/voices/speechHistory.ts';
import type { Services } from '../services.ts';
import type { CallerVoice } from './callerVoice.ts';

/** What the history keeps of a sound. */
export type HistoryItem = Omit<NewSpeech, 'id' | 'fileId' | 'voiceId' | 'voiceName' | 'voiceCategory'> & {
  voice: CallerVoice;
};

// How much may wait for the database before the speech itself waits.
const PENDING_BYTES_MAX = 1024 * 1024;

export type HistoryWriter = ReturnType<typeof openHistory>;

/**
 * Keeps speech while it is sent, and at its end writes the history's item. A workspace without room, or a database that is away, costs
 * the history its sound or its item, never the caller the answer.
 */
export function openHistory({ db, log }: Services, { workspaceId, id }: { workspaceId: string; id: string }) {
  const rows = db.write(workspaceId);
  let upload: Upload | undefined;
  let pendingBytes = 0;
  // What is left behind when the database is away, the sweep removes.
  const giveUp = async (cause: unknown): Promise<void> => {
    log.warn({ err: cause, id }, 'speech is not kept');
    const left = upload;
    upload = undefined;
    await left?.drop().catch(() => undefined);
  };
  // The first sound does not wait for it.
  let writing: Promise<unknown> = openUpload(rows).then((opened) => (upload = opened), giveUp);

  async function keep({ voice, ...speech }: HistoryItem): Promise<void> {
    await writing;
    const stored = await upload?.end().catch(giveUp);
    const fileId = stored ? newId('file') : null;
    const item: NewSpeech = {
      ...speech,
      id,
      voiceId: voice.id,
      voiceName: voice.name,
      voiceCategory: voice.category,
      fileId,
    };
    const file = {
      sessionId: null,
      purpose: 'speech',
      mediaType: speech.contentType,
      expiresInSeconds: null,
    };
    await rows
      .transaction(async (tx) => {
        if (stored) await publishUpload(tx, stored, { ...file, id: fileId!, filename: `${id}.audio` });
        await recordSpeech(tx, item);
      })
      .catch(giveUp);
  }

  return {
    /** Takes sound in order; waits when the database is far behind. */
    write: (sound: Buffer): Promise<unknown> | undefined => {
      pendingBytes += sound.length;
      writing = writing
        .then(() => upload?.write(sound))
        .catch(giveUp)
        .finally(() => (pendingBytes -= sound.length));
      return pendingBytes > PENDING_BYTES_MAX ? writing : undefined;
    },
    keep,
    /** Keeps nothing; may be called again. */
    drop: async (): Promise<void> => {
      await writing;
      const left = upload;
      upload = undefined;
      await left?.drop().catch(() => undefined);
    },
  };
}
