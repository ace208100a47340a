import type { Json } from '../../../providers/provider.ts';

/** What the platform needs to know of a valid text request; the rest reaches the model in `body`. */
export interface ParsedText {
  /** The model as the caller named it. */
  model: string;
  stream: boolean;
  /** Whether the caller of a stream requested usage in it. */
  includeUsage: boolean;
  /** The caller's parameters for the upstream, unchanged, without those sent as null. */
  body: Json;
  /** The most tokens one generated sequence may have, or null when the caller set no limit. */
  outputTokensMax: number | null;
  /** How many sequences the model generates (`n`, prompts times `n`, ...), each up to `outputTokensMax`. */
  choices: number;
}
