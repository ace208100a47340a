import type { Json } from '../../providers/provider.ts';
import { logprobsOf, usageOf } from './answers.ts';
import type { Scene } from './answers.ts';
import type { Piece } from './speech.ts';

/** A chunk of a stream and the output tokens that it carries. */
export interface Chunk {
  json: Json;
  tokens: number;
}

/** The chunks of a correct stream, in order. With the fault `endless` the words repeat for ever. */
export function* chunksOf(scene: Scene, includeUsage: boolean): Generator<Chunk> {
  const chat = scene.path === 'chat/completions';
  const said: Piece[] = [];
  const chunk = (choices: Json[], tokens = 0): Chunk => ({
    json: { ...headOf(scene), choices, ...usageMember(scene, includeUsage, said) },
    tokens,
  });
  const choices = Array.from({ length: scene.choices }, (_, index) => index);

  // Before tool calls OpenAI sends no text at all, not an empty one.
  const content = scene.speech.pieces.some(({ kind }) => kind === 'text') ? '' : null;
  if (chat) for (const index of choices) yield chunk([chatDelta(index, { role: 'assistant', content, refusal: null })]);
  do {
    for (const piece of scene.speech.pieces) {
      const first = !said.some(({ kind, call }) => kind === piece.kind && call === piece.call);
      said.push(piece);
      for (const index of choices) yield chunk([saying(scene, piece, index, first)], piece.tokens);
    }
  } while (scene.script.fault === 'endless');
  for (const index of choices) yield chunk([ending(scene, index)]);
  if (includeUsage) yield { json: { ...headOf(scene), choices: [], usage: usageOf(scene, said) }, tokens: 0 };
}

function headOf({ path, id, created, model }: Scene): Json {
  const object = path === 'chat/completions' ? 'chat.completion.chunk' : 'text_completion';
  return { id, object, created, model, system_fingerprint: 'fp_scripted' };
}

function usageMember(scene: Scene, includeUsage: boolean, said: Piece[]): Json {
  if (scene.script.continuousUsage) return { usage: usageOf(scene, said) };
  return includeUsage ? { usage: null } : {};
}

function saying(scene: Scene, piece: Piece, index: number, first: boolean): Json {
  if (scene.path !== 'chat/completions') return { index, text: piece.text, logprobs: null, finish_reason: null };
  if (piece.kind === 'tool') return chatDelta(index, { tool_calls: [toolDelta(scene, piece, first)] });
  if (piece.kind === 'reasoning')
    return chatDelta(index, { [scene.script.reasoningName ?? 'reasoning_content']: piece.text });
  const logprobs = scene.logprobs ? logprobsOf([piece]) : null;
  return { ...chatDelta(index, { content: piece.text }), logprobs };
}

function toolDelta(scene: Scene, piece: Piece, first: boolean): Json {
  if (!first) return { index: piece.call, function: { arguments: piece.text } };
  const name = scene.script.toolCalls?.[piece.call]?.name;
  const id = `call_${scene.id}_${piece.call}`;
  return { index: piece.call, id, type: 'function', function: { name, arguments: piece.text } };
}

function ending(scene: Scene, index: number): Json {
  const finish_reason = scene.speech.finishReason;
  if (scene.path !== 'chat/completions') return { index, text: '', logprobs: null, finish_reason };
  return { ...chatDelta(index, {}), finish_reason };
}

function chatDelta(index: number, delta: Json): Json {
  return { index, delta, logprobs: null, finish_reason: null };
}
