import type { Json, TextPath } from '../../providers/provider.ts';
import { chatLogprobs, completionLogprobs } from './logprobs.ts';
import type { Script } from './script.ts';
import type { Piece, Speech } from './speech.ts';

/** All inputs of one answer or stream. */
export interface Scene {
  path: TextPath;
  id: string;
  model: string;
  /** Seconds since 1970. */
  created: number;
  choices: number;
  /** How many likely tokens the log probabilities of each token have, or null without log probabilities. */
  likelyTokens: number | null;
  /** The prompt before each choice of a completion that echoes it; empty otherwise. */
  echoes: Piece[][];
  script: Script;
  speech: Speech;
}

/** All choices have the same text, so `pieces` is one of them. */
function usageOf({ script, speech, choices }: Scene, pieces: Piece[]): unknown {
  if (script.usage !== undefined) return script.usage ?? undefined;
  const outputTokens = tokensOf(pieces) * choices;
  return {
    prompt_tokens: speech.promptTokens,
    completion_tokens: outputTokens,
    total_tokens: speech.promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: tokensOf(pieces, 'reasoning') * choices },
  };
}

/** The number of tokens in the pieces, all or of one kind. */
export function tokensOf(pieces: Piece[], kind?: Piece['kind']): number {
  return pieces.reduce((sum, piece) => (kind && piece.kind !== kind ? sum : sum + piece.tokens), 0);
}

/** The answer of a call that is not streamed. */
export function wholeAnswer(scene: Scene): Json {
  const chat = scene.path === 'chat/completions';
  return {
    id: scene.id,
    object: chat ? 'chat.completion' : 'text_completion',
    created: scene.created,
    model: scene.model,
    choices: Array.from({ length: scene.choices }, (_, index) =>
      chat ? chatChoice(scene, index) : textChoice(scene, index),
    ),
    usage: usageOf(scene, scene.speech.pieces),
    system_fingerprint: 'fp_scripted',
  };
}

function chatChoice(scene: Scene, index: number): Json {
  const { speech, script } = scene;
  const toolCalls = script.toolCalls?.map((tool, call) => ({
    id: `call_${scene.id}_${call}`,
    ...called(tool, textOf(speech.pieces, 'tool', call)),
  }));
  const text = textOf(speech.pieces, 'text');
  const message = {
    role: 'assistant',
    content: toolCalls && text === '' ? null : text,
    refusal: null,
    [script.reasoningName ?? 'reasoning_content']: script.reasoning && textOf(speech.pieces, 'reasoning'),
    tool_calls: toolCalls,
  };
  const logprobs = chatScores(scene, speech.pieces);
  return { index, message, logprobs, finish_reason: speech.finishReason };
}

function called({ name, isCustom }: { name?: string; isCustom?: boolean }, text: string): Json {
  return isCustom
    ? { type: 'custom', custom: { name, input: text } }
    : { type: 'function', function: { name, arguments: text } };
}

function textChoice(scene: Scene, index: number): Json {
  return { ...textPart(scene, index, scene.speech.pieces), finish_reason: scene.speech.finishReason };
}

/** Pieces of a completion: with its echo if it begins with them, otherwise after the text that has `saidChars`. */
function textPart(scene: Scene, index: number, said: Piece[], saidChars?: number): Json {
  const echo = scene.echoes[index] ?? [];
  const isStart = saidChars === undefined && echo.length > 0;
  const pieces = [...(isStart ? echo : []), ...said.filter(({ kind }) => kind === 'text')];
  const begin = saidChars === undefined ? 0 : textOf(echo, 'text').length + saidChars;
  const { likelyTokens } = scene;
  const logprobs = likelyTokens === null ? null : completionLogprobs({ pieces, begin, isStart }, likelyTokens);
  return { index, text: textOf(pieces, 'text'), logprobs, finish_reason: null };
}

const chatScores = ({ likelyTokens }: Scene, pieces: Piece[]): Json | null =>
  likelyTokens === null ? null : chatLogprobs(pieces, likelyTokens);

function textOf(pieces: Piece[], kind: Piece['kind'], call = 0): string {
  return pieces
    .filter((piece) => piece.kind === kind && piece.call === call)
    .map(({ text }) => text)
    .join('');
}

/** A chunk of a stream and its number of output tokens. */
interface Chunk {
  json: Json;
  tokens: number;
}

/** The chunks of a correct stream, in order. With the fault `endless` the words repeat without end. */
export function* chunksOf(scene: Scene, includeUsage: boolean): Generator<Chunk> {
  const chat = scene.path === 'chat/completions';
  const said: Piece[] = [];
  const chunk = (choices: Json[], tokens = 0): Chunk => ({
    json: { ...headOf(scene), choices, ...usageMember(scene, includeUsage, said) },
    tokens,
  });
  const choices = Array.from({ length: scene.choices }, (_, index) => index);

  // OpenAI sends no text before tool calls, not even an empty one.
  const content = scene.speech.pieces.some(({ kind }) => kind === 'text') ? '' : null;
  let saidChars = 0;
  if (scene.echoes.length > 0) for (const index of choices) yield chunk([textPart(scene, index, [])]);
  if (chat) for (const index of choices) yield chunk([chatDelta(index, { role: 'assistant', content, refusal: null })]);
  do {
    for (const piece of scene.speech.pieces) {
      const first = !said.some(({ kind, call }) => kind === piece.kind && call === piece.call);
      said.push(piece);
      for (const index of choices) yield chunk([saying(scene, piece, index, { first, saidChars })], piece.tokens);
      if (piece.kind === 'text') saidChars += piece.text.length;
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

function saying(
  scene: Scene,
  piece: Piece,
  index: number,
  { first, saidChars }: { first: boolean; saidChars: number },
): Json {
  if (scene.path !== 'chat/completions') return textPart(scene, index, [piece], saidChars);
  if (piece.kind === 'tool') return chatDelta(index, { tool_calls: [toolDelta(scene, piece, first)] });
  if (piece.kind === 'reasoning')
    return chatDelta(index, { [scene.script.reasoningName ?? 'reasoning_content']: piece.text });
  return { ...chatDelta(index, { content: piece.text }), logprobs: chatScores(scene, [piece]) };
}

function toolDelta(scene: Scene, piece: Piece, first: boolean): Json {
  const { name, isCustom } = scene.script.toolCalls?.[piece.call] ?? {};
  if (!first)
    return {
      index: piece.call,
      ...(isCustom ? { custom: { input: piece.text } } : { function: { arguments: piece.text } }),
    };
  return { index: piece.call, id: `call_${scene.id}_${piece.call}`, ...called({ name, isCustom }, piece.text) };
}

function ending(scene: Scene, index: number): Json {
  const finish_reason = scene.speech.finishReason;
  if (scene.path !== 'chat/completions') return { index, text: '', logprobs: null, finish_reason };
  return { ...chatDelta(index, {}), finish_reason };
}

function chatDelta(index: number, delta: Json): Json {
  return { index, delta, logprobs: null, finish_reason: null };
}
