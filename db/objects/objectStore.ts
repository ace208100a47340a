import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Of, signedHeaders, type Signer } from './awsSignature.ts';

/** The setting of a store. */
export interface FileStore {
  url: string;
  /** Whether new files go into it; otherwise it is only read, and new files go into the database. */
  takesNew: boolean;
}

/** A store of bytes by key, outside the database. Every call may be repeated. */
export interface ObjectStore {
  /** Whether new files go into it; otherwise it is only read. */
  readonly takesNew: boolean;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes from `from` to `to` (exclusive), as they arrive. An interrupted answer is continued. */
  read(key: string, range: { from: number; to: number }): AsyncGenerator<Uint8Array>;
  /** Removes an object, if it exists. */
  remove(key: string): Promise<void>;
  /** Whether it answers, and accepts the credentials. */
  answers(): Promise<boolean>;
}

/** Thrown when the store does not answer, or refuses. Nothing that needed it was billed. */
export class ObjectStoreFailed extends Error {
  override readonly name = 'ObjectStoreFailed';
  /** The store has no object with this key. */
  readonly isMissing: boolean;

  constructor(message: string, { isMissing = false, cause }: { isMissing?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isMissing = isMissing;
  }
}

export interface ObjectStoreOptions {
  /** How long the store may be silent: before its answer, and during it. */
  silenceMs?: number;
  tries?: number;
  /** How requests are sent, where customers name the address. */
  fetch?: (url: URL, init: RequestInit) => Promise<Response>;
}

const SILENCE_MS = 10_000;
// The minimum rate of sending a request's body.
const SENT_BYTES_PER_MS = 1_000;
const PROBE_MS = 3_000;
const TRIES = 3;
const RETRY_MS = 200;
const EMPTY = new Uint8Array();
/** No object has this key. */
const PROBED_KEY = 'probe';

/**
 * A store with S3's protocol at `https://KEY:SECRET@host/bucket/prefix?region=REGION`, with the bucket in the path. Credentials are
 * escaped as in any address. Requests that fail, or get the answer that the store is busy, are repeated; a silent store is not asked
 * again.
 */
export function createObjectStore(
  { url: address, takesNew }: FileStore,
  { silenceMs = SILENCE_MS, tries = TRIES, fetch: send = fetch }: ObjectStoreOptions = {},
): ObjectStore {
  const { base, signer } = partsOf(address);

  async function ask(method: string, key: string, sent: Sent = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await askOnce(method, key, sent);
      } catch (error) {
        if (attempt === tries || !isWorthRepeating(error)) throw failed(error);
        await sleep(RETRY_MS * attempt);
      }
    }
  }

  async function askOnce(
    method: string,
    key: string,
    { body, headers = {}, limitMs = silenceMs }: Sent,
  ): Promise<Answer> {
    const url = new URL(`${base}${key}`);
    const watch = watchSilence(limitMs + Math.ceil((body?.length ?? 0) / SENT_BYTES_PER_MS));
    try {
      const signed = signedHeaders({ method, url, headers, bodyHash: sha256Of(body ?? EMPTY) }, signer, new Date());
      const response = await send(url, {
        method,
        headers: signed,
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
        redirect: 'error',
        signal: watch.signal,
      });
      if (response.ok) return { response, watch };
      const code = /<Code>(\w+)</.exec(await response.text())?.[1] ?? '';
      throw new Refused(method, response.status, code);
    } catch (error) {
      watch.end();
      throw error;
    }
  }

  async function finish({ response, watch }: Answer): Promise<void> {
    await response.body?.cancel().catch(() => undefined);
    watch.end();
  }

  async function* readOnce(key: string, { from, to }: { from: number; to: number }): AsyncGenerator<Uint8Array> {
    const { response, watch } = await ask('GET', key, { headers: { range: `bytes=${from}-${to - 1}` } });
    // Any other answer has ignored the range: the parts would be from a different place.
    if (response.status !== 206) {
      await finish({ response, watch });
      throw failed(new Error(`a range was answered with ${response.status}`));
    }
    try {
      for await (const part of response.body ?? []) {
        // The reader may be slow: only the store's silence counts.
        watch.end();
        yield part;
        watch.begin();
      }
    } finally {
      watch.end();
    }
  }

  return {
    takesNew,
    put: async (key, bytes) => finish(await ask('PUT', key, { body: bytes })),
    remove: async (key) => {
      try {
        await finish(await ask('DELETE', key));
      } catch (error) {
        if (!(error instanceof ObjectStoreFailed && error.isMissing)) throw error;
      }
    },
    async *read(key, { from, to }) {
      let at = from;
      for (let attempt = 1; at < to; attempt += 1) {
        const before = at;
        try {
          for await (const part of readOnce(key, { from: at, to })) {
            at += part.length;
            yield part;
          }
          if (at < to) throw new Error(`${to - at} bytes are missing`);
        } catch (error) {
          // Failures thrown by `ask` were already retried; an answer that makes progress is continued as often as needed.
          if (error instanceof ObjectStoreFailed || (at === before && attempt >= tries)) throw failed(error);
        }
      }
    },
    answers: () =>
      askOnce('GET', PROBED_KEY, { limitMs: PROBE_MS }).then(
        async (answer) => finish(answer).then(() => true),
        isMissing,
      ),
  };
}

interface Sent {
  body?: Uint8Array;
  headers?: Record<string, string>;
  limitMs?: number;
}

interface Answer {
  response: Response;
  watch: ReturnType<typeof watchSilence>;
}

class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(method: string, status: number, code: string) {
    super(`${method} was answered with ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** Whether the store answered that it has no such object. */
const isMissing = (error: unknown): boolean =>
  error instanceof Refused && error.status === 404 && error.code !== 'NoSuchBucket';

class Silent extends Error {}

// 408 and 429 are transient; S3 answers 503 to too many requests.
const isWorthRepeating = (error: unknown): boolean =>
  error instanceof Refused
    ? error.status >= 500 || error.status === 408 || error.status === 429
    : !(error instanceof Silent);

function failed(cause: unknown): ObjectStoreFailed {
  if (cause instanceof ObjectStoreFailed) return cause;
  // `fetch` names the reason only in its error's cause.
  const { message, cause: reason } = cause as { message: string; cause?: Error };
  const text = reason ? `${message}: ${reason.message}` : message;
  return new ObjectStoreFailed(`the store of files failed: ${text}`, { isMissing: isMissing(cause), cause });
}

/** Aborts unless it is ended or restarted within `silenceMs`. */
function watchSilence(silenceMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Silent(`it was silent for ${silenceMs} ms`));
  let timer = setTimeout(abort, silenceMs);
  return {
    signal: controller.signal,
    begin: (): void => void (timer = setTimeout(abort, silenceMs)),
    end: (): void => clearTimeout(timer),
  };
}

function partsOf(address: string): { base: string; signer: Signer } {
  const { protocol, host, pathname, username, password, searchParams } = new URL(address);
  const signer = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') ?? 'us-east-1',
  };
  return { base: `${protocol}//${host}${pathname.replace(/\/*$/, '/')}`, signer };
}
