import * as z from 'zod';
import { isObject, withoutNulls } from '../base/json.ts';
import type { ToolMemory, ToolState } from './toolData.ts';

/** The built-in tools. */
export const BUILT_IN_TOOL_NAMES = [
  'run_code',
  'read_file',
  'write_file',
  'write_table',
  'draw_chart',
  'list_files',
  'search_files',
  'fetch_url',
  'return_data',
  'get_state',
  'set_state',
  'remember',
  'recall',
  'forget',
] as const;

export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** The tool by which a model requests input from the caller. The run waits for its caller instead of executing it. */
export const ASK_USER_NAME = 'ask_user';

/** The tool by which a model calls another agent. An agent has it if its version grants it agents to call. */
export const CALL_AGENT_NAME = 'call_agent';

/** The tool that keeps a memory of the run's user. */
export const REMEMBER_NAME = 'remember';

/** The tools that need a user. */
export const MEMORY_TOOL_NAMES: readonly string[] = [REMEMBER_NAME, 'recall', 'forget'];

/** All tools that an agent may name, besides those of its plugins. */
export const AGENT_TOOL_NAMES: ReadonlySet<string> = new Set([...BUILT_IN_TOOL_NAMES, ASK_USER_NAME]);

/** A JSON Schema, as OpenAI's function tools take it. */
type JsonSchema = Record<string, unknown>;

export interface SessionFile {
  path: string;
  mediaType: string;
  sizeBytes: number;
}

/** A tool's access to the session's files. Paths are relative, their parts separated by '/'. */
export interface ToolFiles {
  list(): Promise<SessionFile[]>;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Throws ToolFailure with a message when the session refuses the file. */
  write(file: { path: string; bytes: Uint8Array; mediaType: string }): Promise<void>;
}

/** The step of a run that calls a tool. The step's id is the same in each of its attempts. */
export interface ToolCaller {
  /** Null: a test of the tool. */
  runId: string | null;
  stepId: string;
  agentId: string;
  /** `<namespace>/<slug>` */
  agent: string;
  /** The version's label. */
  version: string;
  mode: 'live' | 'test';
}

/** What a tool says of its work before its result. */
export interface ToolProgress {
  message: string;
  /** From 0 to 100. */
  percentage: number | null;
}

/** The resources of a tool call. Aborting the signal ends the call at once. */
export interface ToolContext {
  files: ToolFiles;
  /** For tools outside the platform. */
  caller?: ToolCaller;
  onProgress?: (progress: ToolProgress) => void;
  state: ToolState;
  /** Null for a run without a user. */
  memory: ToolMemory | null;
  /** The image types that the model accepts directly. */
  pictureTypes: readonly string[];
  /** How long a program may run: what the run can pay. */
  programMs?: number;
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
  /** The path of a session image for the model. */
  picture?: string;
  /** The version of the session's state that the model sees in the text. */
  stateVersion?: number;
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

/** A built-in tool: the schema of its input describes it to the model and validates its arguments. */
interface ToolSource<Input extends z.ZodObject> {
  name: string;
  description: string;
  kind: Tool['kind'];
  input: Input;
  run: (input: z.output<Input>, context: ToolContext) => Promise<ToolResult>;
}

/** Creates a tool whose `run` throws ToolFailure for arguments that do not match the schema. */
export function defineTool<Input extends z.ZodObject>({ input, run, kind, ...description }: ToolSource<Input>): Tool {
  return {
    definition: { ...description, parameters: schemaOf(input) },
    kind,
    run: async (args, context) => run(parse(input, args), context),
  };
}

function schemaOf(input: z.ZodObject): JsonSchema {
  const schema: JsonSchema = z.toJSONSchema(input, { io: 'input' });
  delete schema.$schema;
  return schema;
}

function parse<Input extends z.ZodObject>(input: Input, args: unknown): z.output<Input> {
  const parsed = input.safeParse(isObject(args) ? withoutNulls(args) : args);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  throw new ToolFailure(`The arguments do not fit the tool's schema. ${faults.slice(0, 10).join('; ')}.`);
}
