import { request, type Agent, type Dispatcher } from 'undici';
import { MIB } from '../../base/limits.ts';
import { ToolFailure } from '../tool.ts';
import { AddressRefused, type Egress } from './guardedAgent.ts';

const TIMEOUT_MS = 5_000;
/** Of a page, the rest is cut off. */
export const PAGE_BYTES_MAX = MIB;
const REDIRECTS_MAX = 5;
const READABLE = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/pdf)$/;

/** The answer of an address, after redirects. */
export interface Page {
  url: URL;
  mediaType: string;
  charset: string | undefined;
  bytes: Buffer;
  /** Whether the answer was longer than `PAGE_BYTES_MAX`. */
  isCut: boolean;
}

interface FetchRoute {
  agent: Agent;
  egress: Egress;
  signal: AbortSignal;
}

/**
 * Fetches a page within 5 seconds, following at most 5 redirects; the agent checks the address of each. Throws ToolFailure when there is
 * no readable page, the signal's reason when that is aborted.
 */
export async function fetchPage(address: string, { agent, egress, signal }: FetchRoute): Promise<Page> {
  const first = urlOf(address, egress);
  try {
    return await follow(first, { agent, egress, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}

function urlOf(address: string, { allowHttp }: Egress, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new ToolFailure(`'${address.slice(0, 200)}' is no URL.`);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new ToolFailure(`Only ${allowHttp ? 'http and https' : 'https'} URLs can be fetched.`);
  }
  if (url.username || url.password) throw new ToolFailure('A URL with a user name or password is not fetched.');
  url.hash = '';
  return url;
}

async function follow(first: URL, way: FetchRoute): Promise<Page> {
  let url = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const answer = await get(url, way);
    const location = answer.statusCode >= 300 && answer.statusCode < 400 ? headerOf(answer, 'location') : undefined;
    if (!location) return await pageOf(url, answer);
    drop(answer);
    url = urlOf(location, way.egress, url);
  }
  throw new ToolFailure(`More than ${REDIRECTS_MAX} redirects.`);
}

const get = (url: URL, { agent, signal }: FetchRoute) =>
  request(url, {
    dispatcher: agent,
    signal,
    headers: {
      'user-agent': 'Ledgerline',
      accept: 'text/*, application/json, application/pdf',
      'accept-encoding': 'identity',
    },
  });

async function pageOf(url: URL, answer: Dispatcher.ResponseData): Promise<Page> {
  try {
    const { mediaType, charset } = contentOf(url, answer);
    const { bytes, isCut } = await readBounded(answer);
    return { url, mediaType, charset, bytes, isCut };
  } catch (error) {
    drop(answer);
    throw error;
  }
}

function contentOf({ host }: URL, answer: Dispatcher.ResponseData) {
  if (answer.statusCode !== 200) throw new ToolFailure(`${host} answered with status ${answer.statusCode}.`);
  const encoding = headerOf(answer, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') throw new ToolFailure(`${host} answered compressed, though it was asked not to.`);
  const [type = '', ...parameters] = (headerOf(answer, 'content-type') ?? '').toLowerCase().split(';');
  const mediaType = type.trim();
  if (!READABLE.test(mediaType)) throw new ToolFailure(`${host} answered with '${mediaType}', which is no text.`);
  const charset = parameters.map((one) => /^\s*charset="?([\w-]+)/.exec(one)?.[1]).find(Boolean);
  return { mediaType, charset };
}

async function readBounded({ body }: Dispatcher.ResponseData) {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > PAGE_BYTES_MAX) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, PAGE_BYTES_MAX), isCut: sizeBytes > PAGE_BYTES_MAX };
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** An unread answer must still be destroyed, or its connection stays open. */
function drop({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy();
}

function failureOf(error: unknown): unknown {
  if (error instanceof ToolFailure) return error;
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (error instanceof AddressRefused) return new ToolFailure(`${message}.`);
  // Unknown and internal names get the same message, so that it reveals no internal names.
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ToolFailure(`'${(error as { hostname?: string }).hostname}' has no public address.`);
  }
  if (name === 'TimeoutError') return new ToolFailure(`No answer within ${TIMEOUT_MS / 1000} seconds.`);
  return new ToolFailure(`The page could not be fetched${code ? ` (${code})` : ''}.`);
}
