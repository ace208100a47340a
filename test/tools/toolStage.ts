import { ToolFailure, type ToolContext, type ToolFiles } from '../../tools/tool.ts';
import type { ToolState } from '../../tools/toolData.ts';

/** A session's files in memory. It refuses the paths in `refused`. */
export class MemoryFiles implements ToolFiles {
  readonly held = new Map<string, { bytes: Uint8Array; mediaType: string }>();
  readonly refused = new Set<string>();

  constructor(texts: Record<string, string | Uint8Array> = {}) {
    for (const [path, content] of Object.entries(texts)) {
      this.held.set(path, { bytes: bytesOf(content), mediaType: 'application/octet-stream' });
    }
  }

  async list() {
    return [...this.held].map(([path, { bytes, mediaType }]) => ({ path, mediaType, sizeBytes: bytes.length }));
  }

  async read(path: string) {
    return this.held.get(path)?.bytes;
  }

  async write({ path, bytes, mediaType }: { path: string; bytes: Uint8Array; mediaType: string }) {
    if (this.refused.has(path)) throw new ToolFailure('The session is full.');
    this.held.set(path, { bytes, mediaType });
  }

  textOf(path: string): string | undefined {
    const file = this.held.get(path);
    return file && new TextDecoder().decode(file.bytes);
  }
}

const noState: ToolState = {
  read: () => Promise.reject(new Error('no state')),
  merge: () => Promise.reject(new Error('no state')),
};

export const contextOf = (
  files: ToolFiles = new MemoryFiles(),
  signal = new AbortController().signal,
): ToolContext => ({
  files,
  state: noState,
  memory: null,
  signal,
  pictureTypes: [],
});

/** The message of the ToolFailure that a promise must reject with. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    (value) => new Error(`no failure but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ToolFailure) return error.message;
  throw error;
}

const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;
