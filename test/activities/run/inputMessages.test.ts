import { describe, expect, test } from '@jest/globals';
import { messagesOfSession, type InputFiles } from '../../../activities/run/inputMessages.ts';
import type { ConversationItem, InputPart } from '../../../db/runs/runRow.ts';

const file = (id: string, mediaType: string) => ({
  path: `${id}.png`,
  entryId: id,
  fileId: `file_${id}`,
  mediaType,
  sizeBytes: 1,
});
const NONE: InputFiles = { files: [], media: new Map(), unseen: new Set() };
const said = (role: 'system' | 'user' | 'assistant', content: string | InputPart[]): ConversationItem => ({
  type: 'message',
  role,
  content,
});
const shown = (fileId: string): InputPart => ({ type: 'input_file', file_id: fileId });
const output = (text: string) => [{ type: 'output_text', text }];
const noEarlier = { earlier: [], charsMax: 1_000 };

describe('the messages of an input', () => {
  test('are one of the user for a text, and for texts and data', () => {
    const of = (input: Parameters<typeof messagesOfSession>[0]['input']) =>
      messagesOfSession({ ...noEarlier, input }, NONE);
    expect(of('Hello.')).toEqual([{ role: 'user', content: 'Hello.' }]);
    const items = ['a', 'b'].map((text) => ({ type: 'input_text' as const, text }));
    expect(of(items)).toEqual([{ role: 'user', content: 'a\n\nb' }]);
    expect(of([{ type: 'input_data', data: { city: 'Ulm' } }])).toEqual([{ role: 'user', content: '{"city":"Ulm"}' }]);
  });

  test('have each picture where it was sent, and a note in the message whose picture the model cannot see', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const files = [file('a', 'image/png'), file('b', 'image/tiff')];
    const given = { files, media: new Map([['file_a', picture]]), unseen: new Set(['file_b']) };
    const input = [
      said('user', [{ type: 'input_text', text: 'See.' }, shown('file_a')]),
      said('assistant', 'A cat.'),
      said('user', [shown('file_b'), { type: 'input_text', text: 'And this?' }]),
    ];
    expect(messagesOfSession({ ...noEarlier, input }, given)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'See.\n\n[File: a.png]' }, picture] },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: '[File: b.png]\n\nAnd this?\n\n[You cannot see pictures: b.png.]' },
    ]);
  });

  test('join the text and the calls of one answer', () => {
    const call = (id: string): ConversationItem => ({
      type: 'function_call',
      call_id: id,
      name: 'look',
      arguments: '{}',
    });
    const result = (id: string): ConversationItem => ({ type: 'function_call_output', call_id: id, output: id });
    const input = [said('assistant', 'Wait.'), call('1'), call('2'), result('1'), result('2'), call('3'), result('3')];
    const messages = messagesOfSession({ ...noEarlier, input: [...input, said('user', 'And?')] }, NONE);
    expect(messages.map(({ role, tool_calls: calls }) => [role, (calls as unknown[] | undefined)?.length])).toEqual([
      ['assistant', 2],
      ['tool', undefined],
      ['tool', undefined],
      ['assistant', 1],
      ['tool', undefined],
      ['user', undefined],
    ]);
  });
});

describe('the messages of a session', () => {
  const earlier = [
    { input: [said('system', 'Be brief.'), said('user', 'One?')], output: output('1') },
    { input: 'Two?', output: output('2') },
  ];
  const input = [said('system', 'Be brief.'), said('user', 'Three?')];
  const textsOf = (charsMax: number) =>
    messagesOfSession({ earlier, input, charsMax }, NONE).map(({ content }) => String(content).split('\n\n').at(-1));

  test('have the caller’s instructions once', () => {
    expect(textsOf(1_000)).toEqual(['Be brief.', 'One?', '1', 'Two?', '2', 'Three?']);
  });

  test('lose their beginning, but not the instructions', () => {
    expect(textsOf(10)).toEqual(['Two?', '2', 'Be brief.', 'Three?']);
  });
});
