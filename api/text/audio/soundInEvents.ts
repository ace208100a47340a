import { send, type SoundSink } from '../../sound/soundSink.ts';

const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** Speech in OpenAI's events: `speech.audio.delta` with audio in base64, and at the end `speech.audio.done`. */
export function soundInEvents(): SoundSink {
  return {
    mediaType: 'text/event-stream; charset=utf-8',
    isUsableInPart: true,
    write: (res, sound) => {
      if (!res.headersSent) res.setHeader('x-accel-buffering', 'no');
      return send(res, frame({ type: 'speech.audio.delta', audio: sound.toString('base64') }));
    },
    // Speech is billed by characters, which take the place of the vendor's tokens.
    end: (res, { characters }) => {
      const usage = { input_tokens: characters, output_tokens: 0, total_tokens: characters };
      res.end(frame({ type: 'speech.audio.done', usage }));
    },
    fail: (res, error) => void res.end(frame({ error })),
  };
}
