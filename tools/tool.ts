/** A JSON Schema, as OpenAI's function tools take it. */
export type JsonSchema = Record<string, unknown>;

export interface SessionFile {
  path: string;
  mediaType: string;
  sizeBytes: number;
}

/** What a tool sees of the session's files. Paths are relative, their parts separated by '/'. */
export interface ToolFiles {
  list(): Promise<SessionFile[]>;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Throws ToolFailure with a sentence when the session takes no such file. */
  write(file: { path: string; bytes: Uint8Array; mediaType: string }): Promise<void>;
}

/** All that a call of a tool may touch. Aborting the signal ends the call at once. */
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
  /** What becomes a part of the run's output as it is. */
  data?: object;
}

export interface Tool {
  definition: ToolDefinition;
  kind: 'tool' | 'sandbox' | 'file';
  /** Throws ToolFailure for what the model should read, anything else for what it must not. */
  run(args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** A failure that is told to the model as the tool's result. It never ends the run. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** The result of a tool that ran outside the sandbox. */
export const textResult = (text: string): ToolResult => ({ text, isError: false, sandboxMs: 0 });
