import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isTextPath, type Json } from '../../providers/provider.ts';
import { createScriptedBatches } from './batches.ts';
import { beginCall, endCall, type Call, perform } from './perform.ts';
import { scriptOf } from './script.ts';
import type { Script } from './script.ts';

const model = { id: 'scripted', object: 'model', created: 1_700_000_000, owned_by: 'scripted' };

export interface Scripted {
  /** The upstream's base address, `http://127.0.0.1:<port>/v1`. */
  url: string;
  /** Every model call since the start or the last reset, oldest first. */
  calls(): Call[];
  /** The messages of the last model call. */
  lastMessages<Message = { role: string; content: string }>(): Message[];
  /** Its files and batches. */
  batches: ReturnType<typeof createScriptedBatches>;
  /** Sets the script of later calls without their own, or a function that finds it from their bodies. */
  script(script: Standing): void;
  /** Clears the calls and the script. */
  reset(): void;
  /** Closes every connection, including those in use. */
  stop(): Promise<void>;
}

type Standing = Script | ((body: Json) => Script);

/**
 * Starts an OpenAI-compatible upstream on a loopback socket. It answers as scripted and counts tokens as OpenAI does, so that a bill can be
 * compared with the actual output. `scriptOf` finds the script of a call.
 */
export async function startScripted({ port = 0, host }: { port?: number; host?: string } = {}): Promise<Scripted> {
  let calls: Call[] = [];
  let standing: Standing = {};
  const batches = createScriptedBatches(() => listening.url);
  const answer: RequestListener = (request, response) => {
    const path = (request.url ?? '').replace(/^.*?\/v1\//, '');
    if (!isTextPath(path)) {
      void answerBesides(path, request, response, batches);
      return;
    }
    const call = beginCall(`${calls.length + 1}`, path, request.headers);
    calls.push(call);
    response.on('close', () => endCall(call, response.writableFinished));
    void takePart(request, response, call, () => standing);
  };
  const listening = await listen(port, answer, host);
  return {
    url: `${listening.url}/v1`,
    calls: () => calls,
    lastMessages: <Message>() => calls.at(-1)!.body.messages as Message[],
    batches,
    script: (script) => (standing = script),
    reset() {
      calls = [];
      standing = {};
      batches.reset();
    },
    stop: listening.stop,
  };
}

/** A bare HTTP server on a port of an interface; `stop` closes it with all its connections. */
export async function listen(port: number, listener: RequestListener, host = '127.0.0.1') {
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(port, host);
  await once(server, 'listening');
  return {
    server,
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function takePart(request: IncomingMessage, response: ServerResponse, call: Call, standing: () => Standing) {
  try {
    const chunks: Buffer[] = await request.toArray();
    call.text = Buffer.concat(chunks).toString();
    call.body = JSON.parse(call.text) as Json;
    const given = standing();
    const script = typeof given === 'function' ? given(call.body) : given;
    await perform(response, call.path, scriptOf(call.body, script), call);
  } catch (error) {
    if (request.destroyed && !response.writable) return;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ error: { message: String(error), type: 'invalid_request_error', param: null, code: null } }),
    );
  }
}

async function answerBesides(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  batches: Scripted['batches'],
): Promise<void> {
  if (await batches.answer(path, request, response)) return;
  const found = path === 'models' ? { object: 'list', data: [model] } : undefined;
  const missing = {
    error: { message: 'No such path.', type: 'invalid_request_error', param: null, code: 'not_found' },
  };
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? missing));
}
