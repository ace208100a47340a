/** A state and the number of its version. */
export interface StateAt {
  version: number;
  state: Record<string, unknown>;
}

/** A tool's access to the state of the session. */
export interface ToolState {
  read(): Promise<StateAt>;
  /**
   * Merges a JSON Merge Patch (RFC 7396) into it: once for a call, however often that is tried. Throws ToolFailure when the state would
   * become too large.
   */
  merge(patch: Record<string, unknown>): Promise<StateAt>;
}

/** What is remembered of the user. */
export interface Remembered {
  id: string;
  text: string;
  /** When it was last remembered. */
  at: Date;
}

/** A tool's access to the memories of the run's user. */
export interface ToolMemory {
  /** Keeps a text: once for a call, however often that is tried. Throws ToolFailure when there are too many. */
  remember(text: string): Promise<{ id: string }>;
  /** The memories that have words of the query, the best first; without a query the newest. */
  recall(order: { query: string | undefined; limit: number }): Promise<Remembered[]>;
  /** Deletes one. False: there is none of this id. */
  forget(id: string): Promise<boolean>;
}
