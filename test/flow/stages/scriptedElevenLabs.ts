import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../../rules/scripted/startScripted.ts';

const PIECE_BYTES = 4_800;
const PIECE_SECONDS = PIECE_BYTES / 2 / 24_000;
const WAV_HEADER_BYTES = 44;
const WAV_BYTES_PER_SECOND = 32_000;
const charactersPerPiece = 5;
export const BYTES_PER_CHARACTER = PIECE_BYTES / charactersPerPiece;

/** The upstream's behaviour in a call: this many pieces of its answer, with a delay each; then it ends, stalls, or breaks off. */
export interface ElevenLabsScript {
  /** All pieces if omitted. A transcription has one. */
  pieces?: number;
  delayMs?: number;
  ending?: 'end' | 'stall' | 'break';
  status?: number;
  /** The error text of an answer with this status. */
  code?: string;
  /** Delay before the answer. */
  after?: Promise<unknown>;
}

export interface ElevenLabsCall {
  kind: 'speak' | 'hear' | 'convert' | 'addVoice' | 'editVoice' | 'removeVoice';
  /** Of the path, if present. */
  voice: string | undefined;
  /** Of a voice that is added or changed. */
  fields: Record<string, string>;
  files: { name: string; bytes: number }[];
  /** Of the query, for requests of audio. */
  format: string | null;
  /** The parameters besides the audio and the text. */
  said: Record<string, unknown>;
  /** Of speech. */
  text: string;
  /** Of uploaded audio. */
  seconds: number;
  producedCharacters: number;
  /** How its connection was closed: after the whole answer, or earlier by the client. */
  ended: 'answered' | 'left' | undefined;
}

/** A scripted ElevenLabs-compatible upstream that records its requests, its answers and disconnects. */
export async function startScriptedElevenLabs() {
  let scriptOf: (call: ElevenLabsCall) => ElevenLabsScript = () => ({});
  let calls: ElevenLabsCall[] = [];
  const { url, stop } = await listen(0, (req, res) => void answer(req, res).catch(() => res.destroy()));

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const call = await callOf(req);
    calls.push(call);
    res.on('close', () => {
      call.ended = res.writableFinished ? 'answered' : 'left';
    });
    await perform(call, scriptOf(call), res);
  }

  return {
    url,
    calls: () => calls,
    setScript(newScript: ElevenLabsScript | ((call: ElevenLabsCall) => ElevenLabsScript)): void {
      scriptOf = typeof newScript === 'function' ? newScript : () => newScript;
      calls = [];
    },
    stop,
  };
}

async function callOf(req: IncomingMessage): Promise<ElevenLabsCall> {
  const { pathname, searchParams } = new URL(req.url!, 'http://upstream');
  const [, resource, voice] = pathname.split('/').slice(1);
  const call = {
    voice,
    format: searchParams.get('output_format'),
    said: {},
    text: '',
    seconds: 0,
    fields: {},
    files: [],
    producedCharacters: 0,
    ended: undefined,
  };
  if (req.method === 'DELETE') return { ...call, kind: 'removeVoice' };
  if (req.url!.includes('/text-to-speech/')) {
    const { text, ...said } = (await json(req)) as { text: string };
    return { ...call, kind: 'speak', text, said };
  }
  const isHeard = req.url!.includes('/speech-to-text');
  const headers = { 'content-type': req.headers['content-type']! };
  const form = await new Response(Readable.toWeb(req) as ReadableStream, { headers }).formData();
  if (resource === 'voices') return { ...call, ...voiceIn(form), kind: voice === 'add' ? 'addVoice' : 'editVoice' };
  const { size } = form.get(isHeard ? 'file' : 'audio') as File;
  const said = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  const seconds = (size - WAV_HEADER_BYTES) / WAV_BYTES_PER_SECOND;
  return { ...call, kind: isHeard ? 'hear' : 'convert', said, seconds };
}

function voiceIn(form: FormData): Pick<ElevenLabsCall, 'fields' | 'files'> {
  const entries = [...form];
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const files = entries.filter((entry): entry is [string, File] => typeof entry[1] !== 'string');
  return {
    fields: Object.fromEntries(fields),
    files: files.map(([, { name, size }]) => ({ name, bytes: size })),
  };
}

async function perform(call: ElevenLabsCall, script: ElevenLabsScript, res: ServerResponse): Promise<void> {
  const { pieces = Infinity, delayMs = 0, ending = 'end', status = 200, code = 'broken', after } = script;
  await after;
  res.writeHead(status);
  if (status !== 200) return void res.end(JSON.stringify({ detail: { status: code, message: `It is ${code}.` } }));
  res.flushHeaders();
  for (const piece of piecesOf(call).slice(0, pieces)) {
    if (delayMs > 0) await sleep(delayMs);
    if (res.destroyed) return;
    res.write(piece.bytes);
    call.producedCharacters += piece.characters;
  }
  if (ending === 'end') res.end();
  if (ending === 'break') setTimeout(() => res.destroy(), 100);
}

function piecesOf({ kind, text, seconds }: ElevenLabsCall): { bytes: string | Buffer; characters: number }[] {
  if (kind === 'addVoice')
    return [{ bytes: JSON.stringify({ voice_id: 'voice/up', requires_verification: false }), characters: 0 }];
  if (kind === 'editVoice' || kind === 'removeVoice') return [{ bytes: '{"status":"ok"}', characters: 0 }];
  if (kind === 'hear')
    return [{ bytes: JSON.stringify({ text: 'Heard.', language_code: 'en', words: [] }), characters: 0 }];
  if (kind === 'convert')
    return Array.from({ length: Math.ceil(seconds / PIECE_SECONDS) }, () => ({ bytes: sound, characters: 0 }));
  return Array.from({ length: Math.ceil(text.length / charactersPerPiece) }, (_, at) => {
    const characters = Array.from(text.slice(at * charactersPerPiece, (at + 1) * charactersPerPiece));
    return { bytes: `${JSON.stringify(lineOf(characters, at))}\n`, characters: characters.length };
  });
}

const sound = Buffer.alloc(PIECE_BYTES, 1);

const lineOf = (characters: string[], at: number) => ({
  audio_base64: sound.toString('base64'),
  alignment: {
    characters,
    character_start_times_seconds: characters.map(() => at * PIECE_SECONDS),
    character_end_times_seconds: characters.map(() => (at + 1) * PIECE_SECONDS),
  },
});
