import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  StreamableHTTPClientTransport,
  type AuthProvider,
} from '@modelcontextprotocol/client';
import { MIB, sizeText } from '../base/limits.ts';
import { traceHeaders } from '../base/tracing.ts';
import { createAnswerWatch } from './foreignJson.ts';

const ANSWER_BYTES_MAX = 8 * MIB;
/** Answers of ours to questions of the plugin: it knows that we offer nothing to ask for. */
const REPLIES_MAX = 100;
// A plugin names the delay before its stream is resumed: 0, or longer than a timer can wait.
const RESUME_MS_MIN = 500;
const RESUME_MS_MAX = 5_000;

type Send = StreamableHTTPClientTransport['send'];

/**
 * The way to a plugin (streamable HTTP), with limits on what it may send: what passes one closes the connection, and `fault` says why. A
 * connection that is opened serves one call at a time: everything that arrives until the next one counts together.
 */
export class PluginTransport extends StreamableHTTPClientTransport {
  /** The limit that the plugin has passed, as the end of a sentence about it. */
  fault: string | undefined;
  #isOpen = false;
  #receivedBytes = 0;
  #replies = 0;

  constructor({
    url,
    headers,
    authProvider,
  }: {
    url: string;
    headers: Record<string, string>;
    authProvider?: AuthProvider;
  }) {
    super(new URL(url), {
      requestInit: { headers },
      fetch: (address, init) => this.#fetch(address, init),
      // The operator registered this origin: credentials are sent nowhere else.
      redirectPolicy: 'same-origin',
      reconnectionScheduler: (resume, delayMs) => {
        const timer = setTimeout(resume, Math.min(Math.max(delayMs, RESUME_MS_MIN), RESUME_MS_MAX));
        return () => clearTimeout(timer);
      },
      ...(authProvider && { authProvider }),
    });
  }

  /** The tools are known: from now on each call may receive as much as all answers until now together. */
  opened(): void {
    this.#isOpen = true;
  }

  override async send(...[message, options]: Parameters<Send>): Promise<void> {
    const sent = [message].flat();
    if (this.#isOpen && sent.some(isJSONRPCRequest)) this.#receivedBytes = 0;
    if (sent.some(isJSONRPCResponse) && (this.#replies += 1) > REPLIES_MAX)
      return this.#refuse(`asked more than ${REPLIES_MAX} times for something`);
    await super.send(message, options);
  }

  async #fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const headers = new Headers(init?.headers);
    // The stream of notifications outside calls: nothing of ours reads them.
    if (init?.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
    const answer = await fetch(url, { ...init, headers });
    return answer.body ? this.#bounded(answer, answer.body) : answer;
  }

  // Answers are buffered completely, and the library that parses them recurses.
  #bounded({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
    const isEvents = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const faultIn = createAnswerWatch({ isEvents });
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.#receivedBytes += chunk.length;
        const isLong = this.#receivedBytes > ANSWER_BYTES_MAX;
        const fault = isLong ? `is longer than ${sizeText(ANSWER_BYTES_MAX)}` : faultIn(chunk);
        if (fault === undefined) return controller.enqueue(chunk);
        controller.error(new Error(`the answer ${fault}`));
        return this.#refuse(`gave an answer that ${fault}`);
      },
    });
    return new Response(body.pipeThrough(bound), { status, statusText, headers });
  }

  async #refuse(fault: string): Promise<void> {
    if (this.fault !== undefined) return;
    this.fault = fault;
    await this.close();
  }
}
