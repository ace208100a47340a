import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocketServer } from 'ws';
import type { TestCall } from '../../../providers/provider.ts';
import type { TestFault } from '../../../providers/testFault.ts';
import { TestSession } from './session.ts';

/** The refusal of a session. */
export type HandshakeRefusal = { status: number; retryAfter?: string; error: object };

/**
 * Answers the upgrades of a server with test sessions, which fail as their calls ask. `refusalOf` is the answer to a refused call.
 * Returns a function that ends them.
 */
export function answerSockets(
  server: Server,
  refusalOf: (fault: TestFault) => HandshakeRefusal | undefined,
): () => void {
  let opened: Promise<WebSocketServer> | undefined;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {});
    const call = callOf(request);
    const { fault } = call ?? {};
    if (!call || fault?.name === 'upstream_reset') return socket.destroy();
    const refusal = fault && refusalOf(fault);
    if (refusal) return refuse(socket, refusal);
    const model = new URL(request.url ?? '', 'http://test').searchParams.get('model') ?? '';
    void (opened ??= openServer()).then((sockets) =>
      sockets.handleUpgrade(request, socket, head, (ws) => {
        const session = new TestSession(ws, { model, fault });
        void beginLate(session, fault);
      }),
    );
  });
  return () => void opened?.then((sockets) => sockets.clients.forEach((ws) => ws.terminate()));
}

/** The test call of a session; undefined: another process has found the port. */
function callOf({ headers }: IncomingMessage): TestCall | undefined {
  try {
    return JSON.parse(String(headers['x-test-call'])) as TestCall;
  } catch {
    return undefined;
  }
}

async function openServer(): Promise<WebSocketServer> {
  const { WebSocketServer: Sockets } = await import('ws');
  return new Sockets({ noServer: true, perMessageDeflate: false });
}

async function beginLate(session: TestSession, fault: TestFault | undefined): Promise<void> {
  if (fault?.name === 'upstream_timeout') return;
  if (fault?.name === 'slow_first_byte') await sleep(fault.delayMs, undefined, { ref: false });
  session.begin();
}

function refuse(socket: Duplex, { status, retryAfter, error }: HandshakeRefusal): void {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
