/** A JSON Schema, as OpenAI's function tools take it. */
export type JsonSchema = Record<string, unknown>;

export interface SessionFile {
  path: string;
  mediaType: string;
  sizeBytes: number;
}

/** A tool's access to the session's files. Paths are relative, their parts separated by '/'. */
export interface ToolFiles {
  list(): Promise<SessionFile[]>;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Throws ToolFailure with a sentence when the session refuses the file. */
  write(file: { path: string; bytes: Uint8Array; mediaType: string }): Promise<void>;
}

/** Everything that a tool call may use. Aborting the signal ends the call at once. */
export interface ToolContext {
  files: ToolFiles;
  signal: AbortSignal;
}

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface ToolResult {
  text: string;
  isError: boolean;
  /** Wall time in the sandbox. */
  sandboxMs: number;
  /** Added to the run's output unchanged. */
  data?: object;
}

export interface Tool {
  definition: ToolDefinition;
  kind: 'tool' | 'sandbox' | 'file';
  /** Throws ToolFailure for errors that the model should read; other errors stay hidden from it. */
  run(args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** A failure that the model reads as the tool's result. It never ends the run. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** The result of a tool that ran outside the sandbox. */
export const textResult = (text: string): ToolResult => ({ text, isError: false, sandboxMs: 0 });
