import type { SoundSink } from '../../calls/sound/soundAnswer.ts';
import type { SoundForm } from '../sound/soundForm.ts';
import type { Recording } from './recordContent.ts';

/** The same sink; takes what is known of the audio as the answer. The audio itself is kept by the history of speech alone. */
export function recordedSound(sink: SoundSink, mediaType: string, recording: Recording | undefined): SoundSink {
  if (!recording) return sink;
  const audio = { media_type: mediaType, bytes: 0, duration_ms: null as number | null };
  let historyItemId: string | null = null;
  return {
    isUsableInPart: sink.isUsableInPart,
    begin(head) {
      historyItemId = head.historyId;
      recording.take(() => ({ object: 'audio', ...audio, history_item_id: historyItemId }));
      sink.begin(head);
    },
    ...(sink.keepAlive && { keepAlive: (begin) => sink.keepAlive!(begin) }),
    write(sound, marks) {
      audio.bytes += sound.length;
      return sink.write(sound, marks);
    },
    end(facts) {
      audio.duration_ms = Math.round(facts.durationMs);
      return sink.end(facts);
    },
    fail: (error) => sink.fail(error),
  };
}

/** A form as it is kept: its fields, and of each file its name and size. */
export const sentForm = ({ fields, lists, files }: SoundForm): object => ({
  ...fields,
  ...lists,
  ...Object.fromEntries(
    files.map(({ field, filename, content }) => [field, { filename, bytes: content.sizeBytes, omitted: true }]),
  ),
});
