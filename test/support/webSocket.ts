import { WebSocket, type ClientOptions } from 'ws';
import { until } from './until.ts';

/** An event of a socket's protocol. */
export type SocketEvent = Record<string, unknown> & { type: string };

/** A plain WebSocket client that records received events. */
export interface TestSocket {
  ws: WebSocket;
  events: SocketEvent[];
  headers: Record<string, string | string[] | undefined>;
  send(event: object | string): void;
  /** The next event of a type that was not returned yet. */
  next(type: string): Promise<SocketEvent>;
  /** Drops the received events, so that a long session is not kept in memory. */
  forget(): void;
  /** How the socket was closed. */
  closed: Promise<{ code: number; reason: string }>;
}

/** A refusal in plain HTTP, before a socket opened. */
export interface RefusedSocket {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: { error: { code: string; message: string; type: string; param: string | null } };
}

/** Opens a socket at a path of the API; resolves with the refusal if it is refused. */
export function openWebSocket(
  url: string,
  path: string,
  { key, protocols = [], ...options }: ClientOptions & { key?: string; protocols?: string[] } = {},
): Promise<TestSocket | RefusedSocket> {
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...options.headers };
  const ws = new WebSocket(url.replace('http', 'ws') + path, protocols, { ...options, headers });
  const events: SocketEvent[] = [];
  const taken = new Map<string, number>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  ws.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as SocketEvent));
  return new Promise((resolve, reject) => {
    let upgraded: TestSocket['headers'] = {};
    ws.on('upgrade', (response) => (upgraded = response.headers));
    ws.on('open', () => resolve({ ws, events, headers: upgraded, send, next, forget, closed }));
    ws.on('error', reject);
    ws.on('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: JSON.parse(text) }),
      );
    });
  });

  function send(event: object | string): void {
    ws.send(typeof event === 'string' ? event : JSON.stringify(event));
  }

  function forget(): void {
    events.length = 0;
    taken.clear();
  }

  async function next(type: string): Promise<SocketEvent> {
    const at = taken.get(type) ?? 0;
    taken.set(type, at + 1);
    const ofType = () => events.filter((event) => event.type === type);
    await until(() => ofType().length > at || ws.readyState === ws.CLOSED);
    const found = ofType()[at];
    if (!found) throw new Error(`the socket closed without ${type}: ${JSON.stringify(events.slice(-3))}`);
    return found;
  }
}

/** The same for a socket that must open. */
export async function socketAt(...asked: Parameters<typeof openWebSocket>): Promise<TestSocket> {
  const opened = await openWebSocket(...asked);
  if ('status' in opened) throw new Error(`${opened.status}: ${JSON.stringify(opened.body)}`);
  return opened;
}

/** The same for a socket that must be refused. */
export async function refusalAt(...asked: Parameters<typeof openWebSocket>): Promise<RefusedSocket> {
  const opened = await openWebSocket(...asked);
  if ('status' in opened) return opened;
  opened.ws.terminate();
  throw new Error('the socket opened');
}
