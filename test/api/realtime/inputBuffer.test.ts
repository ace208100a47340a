import { expect, test } from '@jest/globals';
import { InputBuffer } from '../../../api/realtime/input/inputBuffer.ts';

const SECOND_BYTES = 48_000;

type Options = ConstructorParameters<typeof InputBuffer>;

/** A buffer whose detector takes a turn of the event loop for each frame. */
function makeBuffer() {
  let frames = 0;
  let closed = 0;
  const detector = {
    probability: async () => {
      await new Promise(setImmediate);
      frames += 1;
      return 0;
    },
    close: () => void (closed += 1),
  };
  const services = { config: {}, engines: { openVoiceActivity: async () => detector } } as unknown as Options[1];
  const detection = { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 };
  return { buffer: new InputBuffer(detection as Options[0], services), frames: () => frames, closed: () => closed };
}

test.each([0, 1, 5, 20])(
  'is closed while it hears, after %i turns of the event loop: native memory is in use',
  async (turns) => {
    const { buffer, frames, closed } = makeBuffer();
    const hearing = buffer.append(Buffer.alloc(10 * SECOND_BYTES));
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    await buffer.close();
    expect(await hearing).toEqual([]);
    const heard = frames();
    expect(heard).toBeLessThan(100);
    expect(closed()).toBe(heard > 0 ? 1 : 0);
    // What its client sent before it left.
    expect(await buffer.append(Buffer.alloc(SECOND_BYTES))).toEqual([]);
    expect(frames()).toBe(heard);
  },
);
