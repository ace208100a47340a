import type { Json } from '../../providers/provider.ts';
import { loadEncoding } from '../../providers/metering/encoding/loadEncoding.ts';
import { countPromptTokens, endOfPiece } from '../../providers/metering/tokens.ts';
import type { Script } from './script.ts';

export const DEFAULT_TEXT =
  'A scripted model says this sentence, word for word and token by token, until somebody tells it to say something else.';

/** A part of the output that is sent in one chunk. */
export interface Piece {
  kind: 'reasoning' | 'text' | 'tool';
  text: string;
  tokens: number;
  /** The tool call to which the piece belongs. */
  call: number;
}

/** The text of one choice, in pieces. */
export interface Speech {
  pieces: Piece[];
  finishReason: string;
  promptTokens: number;
}

/** The scripted answer, ended early by the caller's stop sequences and token limit. */
export async function speechOf(script: Script, body: Json): Promise<Speech> {
  const said = [
    ...(await piecesOf('reasoning', script.reasoning ?? '')),
    ...(await piecesOf('text', textBeforeStop(script.text ?? (script.toolCalls ? '' : DEFAULT_TEXT), body.stop))),
  ];
  for (const [call, tool] of (script.toolCalls ?? []).entries()) {
    said.push(...(await piecesOf('tool', tool.arguments)).map((piece) => ({ ...piece, call })));
  }
  const limit = Number(body.max_completion_tokens ?? body.max_tokens ?? Infinity);
  const pieces = withinTokens(said, limit);
  const natural = script.toolCalls ? 'tool_calls' : 'stop';
  const finishReason = script.finishReason ?? (pieces.length < said.length ? 'length' : natural);
  return { pieces: joined(pieces, script.chunks), finishReason, promptTokens: await countPromptTokens(body) };
}

/** The prompt before each choice, for a completion that echoes it. */
export async function echoesOf({ prompt = '', n }: Json): Promise<Piece[][]> {
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt : [prompt];
  const echoes = await Promise.all(prompts.map(promptPieces));
  return echoes.flatMap((echo) => Array.from({ length: Number(n ?? 1) }, () => echo));
}

async function promptPieces(prompt: unknown): Promise<Piece[]> {
  if (typeof prompt === 'string') return piecesOf('text', prompt);
  const texts = (await loadEncoding()).textsOf(prompt as number[]);
  return texts.map((text) => ({ kind: 'text', text, tokens: 1, call: 0 }));
}

async function piecesOf(kind: Piece['kind'], text: string): Promise<Piece[]> {
  const encoding = await loadEncoding();
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; start = endOfPiece(text, start)) {
    const tokens = encoding.encode(text.slice(start, endOfPiece(text, start)));
    for (const part of encoding.textsOf(tokens)) pieces.push({ kind, text: part, tokens: 1, call: 0 });
  }
  return pieces;
}

function textBeforeStop(text: string, stop: unknown): string {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((item) => typeof item === 'string' && item !== '');
  const ends = stops.map((item) => text.indexOf(item as string)).filter((index) => index >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}

function withinTokens(pieces: Piece[], tokensMax: number): Piece[] {
  let tokens = 0;
  return pieces.filter((piece) => (tokens += piece.tokens) <= tokensMax);
}

/** Joins neighbours of one kind until about `chunks` pieces are left. */
function joined(pieces: Piece[], chunks: number | undefined): Piece[] {
  if (chunks === undefined) return pieces;
  const size = Math.ceil(pieces.length / chunks);
  const result: Piece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const last = result.at(-1);
    const fits = last?.kind === piece.kind && last.call === piece.call && index % size !== 0;
    if (fits) Object.assign(last, { text: last.text + piece.text, tokens: last.tokens + piece.tokens });
    else result.push({ ...piece });
  }
  return result;
}
