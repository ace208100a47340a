import { describe, expect, test } from '@jest/globals';
import { createAnswerAssembler } from '../../../calls/text/assembleAnswer.ts';
import type { TextCall } from '../../../calls/text/textCall.ts';
import type { Json, TextPath } from '../../../providers/provider.ts';
import { wholeAnswer, chunksOf } from '../../../rules/scripted/answers.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { speechOf, type Piece } from '../../../rules/scripted/speech.ts';

const callOf = (path: TextPath = 'chat/completions', choices = 1) => ({ path, choices }) as TextCall;

async function sceneOf(
  script: Script,
  {
    path = 'chat/completions',
    choices = 1,
    likelyTokens = null,
    echoes = [],
  }: { path?: TextPath; choices?: number; likelyTokens?: number | null; echoes?: Piece[][] } = {},
) {
  const speech = await speechOf(script, { messages: [{ role: 'user', content: 'Say it.' }] });
  return { path, id: 'a', model: 'scripted', created: 1_700_000_000, choices, likelyTokens, echoes, script, speech };
}

/** A whole answer without the members that this upstream leaves undefined. */
const plain = (answer: Json): unknown => JSON.parse(JSON.stringify(answer));

const tools = [
  { name: 'look', arguments: '{"place":"here"}' },
  { name: 'wait', arguments: '{"seconds":3}' },
];

const said: Piece[] = ['A', ' tale: '].map((text) => ({ kind: 'text', text, tokens: 1, call: 0 }));

describe('the joined chunks equal the whole answer of the same upstream', () => {
  test.each<[string, Script, Parameters<typeof sceneOf>[1]]>([
    ['a text', { text: 'One word after the other.' }, {}],
    ['a text that thinks first', { text: 'Four.', reasoning: 'Two and two, hm.' }, {}],
    ['log probabilities', { text: 'Two words.' }, { likelyTokens: 2 }],
    ['three choices', { text: 'The same thrice.' }, { choices: 3 }],
    ['tool calls', { text: '', toolCalls: tools, finishReason: 'tool_calls' }, {}],
    ['a text and tool calls', { text: 'I look.', toolCalls: tools, finishReason: 'tool_calls' }, { choices: 2 }],
    ['an answer that its limit cut', { text: 'And so', finishReason: 'length' }, {}],
    ['a completion', { text: 'once upon a time' }, { path: 'completions', choices: 2 }],
    ['its log probabilities', { text: 'once upon' }, { path: 'completions', likelyTokens: 2, echoes: [said] }],
  ])('%s', async (_what, script, options) => {
    const scene = await sceneOf(script, options);
    const assembler = createAnswerAssembler(callOf(scene.path, scene.choices));
    for (const { json } of chunksOf(scene, true)) assembler.push([json]);
    expect(assembler.whole({ cutShort: false })).toEqual(plain(wholeAnswer(scene)));
  });
});

const deltas = (...parts: Json[]): Json[] => parts.map((delta) => ({ choices: [{ index: 0, delta }] }));

function assembled(chunks: Json[], { choices = 1, cutShort = false } = {}): Json {
  const assembler = createAnswerAssembler(callOf('chat/completions', choices));
  assembler.push(chunks);
  return assembler.whole({ cutShort });
}

const firstMessage = (answer: Json) => (answer.choices as { message: Json }[])[0]!.message;

test('keeps unknown members: the last of each chunk, the joined text of each choice', () => {
  const answer = assembled([
    { provider: 'one', service_tier: 'default', choices: [{ index: 0, delta: { thinking: 'He', refusal: 'No' } }] },
    { provider: 'two', obfuscation: 'xxxx', choices: [{ index: 0, delta: { thinking: 'llo', refusal: '.' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 7 }], moderation: { flagged: false } },
  ]);
  expect(answer).toEqual({
    object: 'chat.completion',
    provider: 'two',
    service_tier: 'default',
    moderation: { flagged: false },
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        stop_reason: 7,
        message: { role: 'assistant', content: null, thinking: 'Hello', refusal: 'No.' },
      },
    ],
  });
});

test('keeps a name or id that each piece of a call repeats only once', () => {
  const piece = (args: string) => ({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: args } }],
  });
  // Some upstreams send the first two pieces of a call in one chunk.
  const first = { tool_calls: [...piece('{"a"').tool_calls, ...piece(':').tool_calls] };
  expect(firstMessage(assembled(deltas(first, piece('1}')))).tool_calls).toEqual([
    { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
  ]);
});

test('a cut answer ends every requested choice with "length"', () => {
  const chunks = [
    { choices: [{ index: 1, delta: { content: 'Done.' }, finish_reason: 'stop' }] },
    { choices: [{ index: 0, delta: { content: 'Not yet' } }] },
  ];
  expect(assembled(chunks, { choices: 3, cutShort: true }).choices).toMatchObject([
    { index: 0, finish_reason: 'length', message: { content: 'Not yet' } },
    { index: 1, finish_reason: 'stop', message: { content: 'Done.' } },
    { index: 2, finish_reason: 'length', message: { content: null } },
  ]);
});

test('drops invalid members of an upstream, without changing a prototype', () => {
  const chunks = JSON.parse(`[
    {"choices": [null, 7, {"index": "__proto__", "delta": {"__proto__": {"polluted": 1}, "content": "a"}}], "__proto__": {"polluted": 1}},
    {"choices": [{"index": -1, "delta": {"tool_calls": [null, {"index": "__proto__", "function": {"arguments": "{}"}}]}}]},
    {"choices": {"0": 1}}, {"choices": null}, {"choices": [{"index": 0, "delta": null, "finish_reason": ""}]}]`) as Json[];
  const answer = assembled(chunks);
  expect(firstMessage(answer).content).toBe('a');
  expect((answer.choices as Json[]).map(({ finish_reason }) => finish_reason)).toEqual(['stop']);
  expect(({} as Json).polluted).toBeUndefined();
  expect((answer as { polluted?: unknown }).polluted).toBeUndefined();
});
