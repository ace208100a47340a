import { afterAll, expect, test } from '@jest/globals';
import { setSpeechInputStage, soundOf, toldIn, type ServerFrame } from './speechInputStage.ts';

const stage = await setSpeechInputStage();
afterAll(() => stage.close());

const options = (query = '') => ({
  key: stage.mine.secret,
  route: 'multi-stream-input',
  query: `output_format=pcm_16000&${query}`,
});
const of = (frames: ServerFrame[], id: string) => frames.filter(({ contextId }) => contextId === id);
const isFinalOf = (id: string) => (frame: ServerFrame) => frame.contextId === id && frame.isFinal === true;

test('several speeches share a socket, each with its own frames and end', async () => {
  const frames = [
    { text: ' ', context_id: 'one', voice_settings: { speed: 1.2 } },
    { text: ' ', context_id: 'two' },
    { text: 'First voice. ', context_id: 'one', flush: true },
    { text: 'Second voice. ', context_id: 'two' },
    { context_id: 'two', flush: true },
    { text: 'Without a name. ' },
    { close_socket: true },
  ];
  const { code, frames: received } = await stage.talk(frames, options());
  expect(code).toBe(1000);
  for (const [id, text] of [
    ['one', 'First voice. '],
    ['two', 'Second voice. '],
    ['default', 'Without a name. '],
  ] as const) {
    expect(toldIn(of(received, id))).toBe(text);
    expect(soundOf(of(received, id)).length).toBeGreaterThan(8_000);
    expect(of(received, id).at(-1)).toMatchObject({ isFinal: true, character_count: text.length });
  }
  expect(of(received, 'two').some(({ flushed }) => flushed)).toBe(true);
});

test('a context that is closed speaks what was flushed and nothing else, and its name begins anew', async () => {
  const socket = await stage.open([{ text: 'Said. ', context_id: 'a', flush: true }], options());
  socket.send({ text: 'Never said. ', context_id: 'a' });
  socket.send({ context_id: 'a', close_context: true });
  await socket.seen(isFinalOf('a'));
  expect(toldIn(socket.frames)).toBe('Said. ');
  socket.send({ text: 'Again. ', context_id: 'a', voice_settings: { speed: 2 } });
  socket.send({ close_socket: true });
  expect((await socket.closed).code).toBe(1000);
  expect(toldIn(socket.frames)).toBe('Said. Again. ');
  expect(socket.frames.filter(isFinalOf('a'))).toHaveLength(2);
});

test('a context that is closed at once speaks what was flushed, and nothing that was not', async () => {
  const frames = [
    { text: 'Said. ', context_id: 'a', flush: true },
    { context_id: 'a', close_context: true },
    { text: 'Never said. '.repeat(20), context_id: 'b' },
    { context_id: 'b', close_context: true },
    { close_socket: true },
  ];
  const { code, frames: received } = await stage.talk(frames, options());
  expect(code).toBe(1000);
  expect(of(received, 'a').at(-1)).toMatchObject({ isFinal: true, character_count: 'Said. '.length });
  expect(of(received, 'b').map(({ character_count: count }) => count)).toEqual([0]);
});

test('a context that fails ends alone: the others go on, and its name begins anew once it is closed', async () => {
  const socket = await stage.open(
    [
      { text: 'Spoken. ', context_id: 'good' },
      { text: '日本語です。', context_id: 'bad', flush: true },
    ],
    options(),
  );
  const refusal = await socket.seen(({ error }) => error !== undefined);
  expect(refusal).toMatchObject({ contextId: 'bad', error: 'unsupported_language', audio: null, isFinal: true });
  socket.send({ text: 'The rest of what failed. ', context_id: 'bad', flush: true });
  socket.send({ text: 'Goes on. ', context_id: 'good', flush: true });
  await socket.seen(({ contextId, flushed }) => contextId === 'good' && flushed === true);
  socket.send({ context_id: 'bad', close_context: true });
  socket.send({ text: 'Anew. ', context_id: 'bad' });
  socket.send({ close_socket: true });
  expect((await socket.closed).code).toBe(1000);
  expect(toldIn(of(socket.frames, 'good'))).toBe('Spoken. Goes on. ');
  expect(toldIn(of(socket.frames, 'bad'))).toBe('Anew. ');
  expect(socket.frames.filter(({ error }) => error !== undefined)).toHaveLength(1);
});

test('a sixth context is refused by name', async () => {
  const contexts = Array.from({ length: 6 }, (_, at) => ({ text: ' ', context_id: `c${at}` }));
  const { code, frames } = await stage.talk(contexts, options());
  expect(code).toBe(1008);
  expect(frames.at(-1)).toMatchObject({ error: 'too_many_contexts', param: 'context_id' });
});

test('a context ends without frames, one that is kept alive does not, and the socket ends after the last', async () => {
  const socket = await stage.open(
    [
      { text: ' ', context_id: 'a' },
      { text: ' ', context_id: 'b' },
    ],
    options('inactivity_timeout=1'),
  );
  const alive = setInterval(() => socket.send({ text: '', context_id: 'b' }), 100);
  await socket.seen(isFinalOf('a'));
  expect(socket.frames.some(isFinalOf('b'))).toBe(false);
  clearInterval(alive);
  await socket.seen(isFinalOf('b'));
  expect((await socket.closed).code).toBe(1000);
});
