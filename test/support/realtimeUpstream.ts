import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

type Json = Record<string, unknown>;

/** The behaviour of the double's next responses. */
export interface RealtimeScript {
  text: string;
  /** Sound of each word, in milliseconds. */
  wordMs: number;
  /** The response stops after this many words, until it is cancelled. */
  hangsAfter: number;
  /** It reports no usage, as after its client has disconnected. */
  isSilent: boolean;
  /** The status with which it ends. */
  status: string;
  /** It continues when a response is cancelled. */
  isDeaf: boolean;
  /** It says twice that a response has begun. */
  repeatsCreated: boolean;
  /** It does not answer when its session is updated. */
  ignoresUpdates: boolean;
  /** Reported instead of the actual usage. */
  usage: unknown;
}

const SCRIPT: RealtimeScript = {
  text: 'Four five six.',
  wordMs: 200,
  hangsAfter: Infinity,
  isSilent: false,
  status: 'completed',
  isDeaf: false,
  repeatsCreated: false,
  ignoresUpdates: false,
  usage: undefined,
};
const BYTES_A_MS = 48;
// The double takes this much audio for a turn.
const TURN_MS = 1_000;

/** A double of a vendor with the realtime protocol: real events over a real socket, with scripted answers. */
export async function startRealtimeUpstream(key: string) {
  const http = createServer();
  const server = new WebSocketServer({ noServer: true });
  const sockets: WebSocket[] = [];
  const received: Json[] = [];
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  const script = { ...SCRIPT };
  http.on('upgrade', (req, socket, head) => {
    asked.push({ url: req.url!, headers: req.headers });
    if (req.headers.authorization !== `Bearer ${key}`) {
      const body = JSON.stringify({ error: { code: 'invalid_api_key', message: `Incorrect API key: ${key}` } });
      socket.end(`HTTP/1.1 401 Unauthorized\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
      return;
    }
    server.handleUpgrade(req, socket, head, (ws) => {
      sockets.push(ws);
      serve(ws, { script, received });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    script,
    received,
    asked,
    sockets,
    reset: () => {
      Object.assign(script, SCRIPT);
      received.length = 0;
    },
    stop: async () => {
      for (const ws of sockets) ws.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const SESSION = {
  id: 'sess_upstream',
  object: 'realtime.session',
  type: 'realtime',
  model: 'vendor-realtime',
  output_modalities: ['audio'],
  instructions: '',
  tools: [],
  client_secret: { value: 'ek_upstream' },
  audio: {
    input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription: null, turn_detection: { type: 'server_vad' } },
    output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'marin', speed: 1 },
  },
};

function serve(ws: WebSocket, { script, received }: { script: RealtimeScript; received: Json[] }): void {
  let count = 0;
  let soundMs = 0;
  let session: Json = structuredClone(SESSION);
  let cancel: (() => void) | undefined;
  const emit = (type: string, members: Json = {}) =>
    ws.send(JSON.stringify({ type, event_id: `event_up${++count}`, ...members }));

  emit('session.created', { session });
  ws.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as Json & { type: string };
    received.push(event);
    switch (event.type) {
      case 'session.update':
        if (script.ignoresUpdates) return;
        session = merge(session, event.session as Json);
        return emit('session.updated', { session });
      case 'input_audio_buffer.append':
        soundMs += Buffer.byteLength(event.audio as string, 'base64') / BYTES_A_MS;
        if (soundMs < TURN_MS) return;
        soundMs = 0;
        emit('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: `item_${count}` });
        emit('input_audio_buffer.committed', { item_id: `item_${count}`, previous_item_id: null });
        return void answer({});
      case 'conversation.item.create': {
        const item = { id: `item_${count}`, object: 'realtime.item', status: 'completed', ...(event.item as Json) };
        emit('conversation.item.added', { item, previous_item_id: null });
        return emit('conversation.item.done', { item, previous_item_id: null });
      }
      case 'response.create':
        return void answer((event.response as Json | undefined) ?? {});
      case 'response.cancel':
        if (script.isDeaf) return;
        if (cancel) return cancel();
        return refuse(event, 'response_cancel_not_active', 'Cancellation failed: no active response found');
      default:
        return refuse(
          event,
          'item_not_found',
          `Nothing found at wss://internal.vendor.example/secret for sk-vendor-0123456789`,
        );
    }
  });

  function refuse({ event_id: about = null }: Json, code: string, message: string): void {
    emit('error', { error: { type: 'invalid_request_error', code, message, param: null, event_id: about } });
  }

  async function answer({ metadata = null }: Json): Promise<void> {
    const { text, wordMs, hangsAfter, isSilent, status: wanted, usage: reported } = script;
    const id = `resp_up${++count}`;
    const place = { response_id: id, item_id: `item_${id}`, output_index: 0, content_index: 0 };
    const shown = (status: string, more: Json = {}) => ({
      response: {
        object: 'realtime.response',
        id,
        status,
        status_details: null,
        output: [],
        metadata,
        usage: null,
        ...more,
      },
    });
    emit('rate_limits.updated', { rate_limits: [{ name: 'tokens', limit: 1, remaining: 1, reset_seconds: 0 }] });
    emit('response.created', shown('in_progress'));
    if (script.repeatsCreated) emit('response.created', shown('in_progress'));
    let status = wanted;
    let words = 0;
    for (const word of text.split(/(?<= )/)) {
      if (words >= hangsAfter) {
        await new Promise<void>((resolve) => (cancel = resolve));
        cancel = undefined;
        status = 'cancelled';
        break;
      }
      emit('response.output_audio_transcript.delta', { ...place, delta: word });
      emit('response.output_audio.delta', {
        ...place,
        delta: Buffer.alloc(wordMs * BYTES_A_MS, words + 1).toString('base64'),
      });
      words += 1;
    }
    if (isSilent) return;
    const outputTokens = words * 10;
    const counted = { total_tokens: 100 + outputTokens, input_tokens: 100, output_tokens: outputTokens };
    const usage = reported === undefined ? counted : reported;
    const error = { type: 'server_error', code: 'server_error', message: 'on host 10.0.0.1' };
    if (status === 'failed') emit('response.done', shown(status, { status_details: { type: 'failed', error } }));
    else emit('response.done', shown(status, { usage }));
  }
}

function merge(value: Json, over: Json): Json {
  const both = { ...value };
  for (const [name, member] of Object.entries(over)) {
    const before = both[name];
    const isBoth = [member, before].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    both[name] = isBoth ? merge(before as Json, member as Json) : member;
  }
  return both;
}
