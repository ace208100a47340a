import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw answer. */
export interface RawAnswer {
  /** 0: the connection closed without an answer. */
  status: number;
  headers: Map<string, string>;
  body: string;
  /** All received bytes, including later answers. */
  text: string;
}

/** Opens a connection to an address like `http://127.0.0.1:4000`. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A refusal may end in a reset; data read before it counts.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes unchanged, and reads until the other side closes. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await openSocket(url);
  socket.write(bytes);
  return readRaw(socket);
}

/** Reads until the other side closes. */
export async function readRaw(socket: Socket): Promise<RawAnswer> {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  socket.destroy();
  return parse(text);
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: new Map(headers),
    body: rest.join('\r\n\r\n'),
    text,
  };
}

/** The body of an answer with the expected status; throws the body of any other. */
export async function read<T = Record<string, unknown>>(
  answer: Response | Promise<Response>,
  status = 200,
): Promise<T> {
  const response = await answer;
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** An answer of the API as a test looks at it. */
interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** `GET` with a key; the body parsed as JSON. */
export async function getJson<T>(url: string, key?: string): Promise<Answer<T>> {
  const response = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}
