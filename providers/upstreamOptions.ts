/** Where an upstream is, and how long it may take. */
export interface UpstreamOptions {
  /** Where the upstream's paths begin, e.g. `https://api.openai.com/v1` or `https://api.elevenlabs.io`. */
  baseUrl: string;
  apiKey?: string;
  /** Longest silence within an answer, and before a stream's first part. Kept to about half a second. */
  idleTimeoutMs: number;
  /** Longest wait for the head of a whole answer, which may come when all the work is done. */
  answerTimeoutMs: number;
  /** Longest wait for the head of a stream; as long as any silence when left out. */
  firstByteTimeoutMs?: number;
  connectTimeoutMs: number;
  /** Calls under way at once; more wait for a free connection. */
  connectionsMax: number;
}
