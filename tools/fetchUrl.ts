import { type Agent, request, type Dispatcher } from 'undici';
import * as z from 'zod';
import { MIB, sizeText } from '../base/limits.ts';
import { decodeText } from './sandbox/files.ts';
import { documentKindOf, documentText } from './documents/readDocument.ts';
import { type Egress, AddressRefused } from './guardedAgent.ts';
import { headerOf } from './httpExchange.ts';
import { readable } from './sessionFiles.ts';
import { defineTool, textResult, ToolFailure, type Tool } from './tool.ts';

/** Fetches a public page as text. The agent restricts the addresses: see createGuardedAgent. */
export function fetchUrl(agent: Agent, egress: Egress): Tool {
  return defineTool({
    name: 'fetch_url',
    description:
      'Fetches a public web page as text: HTML with its headings, lists, links and tables, JSON, XML and plain ' +
      `text as they are, the text of a PDF. At most ${sizeText(PAGE_BYTES_MAX)}.`,
    kind: 'tool',
    input: z.strictObject({ url: z.string().max(4096).describe("Absolute address, like 'https://example.com/'.") }),
    run: async ({ url }, { signal }) => {
      const page = await fetchPage(url, { agent, egress, signal });
      const text = await textOfPage(page, signal);
      return textResult(
        `Content of ${page.url.href}:\n\n${text}${page.isCut ? `\n[Cut after ${sizeText(PAGE_BYTES_MAX)}.]` : ''}`,
      );
    },
  });
}

async function textOfPage({ mediaType, charset, bytes, isCut }: Page, signal: AbortSignal): Promise<string> {
  if (mediaType === 'application/pdf' || documentKindOf(bytes, '') === 'pdf') {
    if (isCut) throw new ToolFailure(`The PDF is larger than ${sizeText(PAGE_BYTES_MAX)}.`);
    return readable(documentText('pdf', bytes, signal));
  }
  const text = decodeAs(charset, bytes);
  if (text === undefined) throw new ToolFailure('The page is not text.');
  const isPage = mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
  return isPage ? readable(documentText('page', Buffer.from(text), signal)) : text;
}

function decodeAs(charset: string | undefined, bytes: Uint8Array): string | undefined {
  if (!charset || charset === 'utf-8') return decodeText(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}

const TIMEOUT_MS = 5_000;
/** Longer pages are cut at this length. */
const PAGE_BYTES_MAX = MIB;
const REDIRECTS_MAX = 5;
const READABLE = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/pdf)$/;

/** The answer of an address, after redirects. */
interface Page {
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
async function fetchPage(address: string, { agent, egress, signal }: FetchRoute): Promise<Page> {
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
  if (!url)
    throw new ToolFailure(
      `'${address.slice(0, 200)}' is not a valid URL. Use an absolute address like https://example.com/.`,
    );
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new ToolFailure(`Only ${allowHttp ? 'http and https' : 'https'} URLs can be fetched.`);
  }
  if (url.username || url.password) throw new ToolFailure('URLs with a user name or password are not allowed.');
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
  if (encoding !== 'identity')
    throw new ToolFailure(`${host} sent a compressed answer although the request forbids it.`);
  const [type = '', ...parameters] = (headerOf(answer, 'content-type') ?? '').toLowerCase().split(';');
  const mediaType = type.trim();
  if (!READABLE.test(mediaType)) throw new ToolFailure(`${host} answered with '${mediaType}', which is not text.`);
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
