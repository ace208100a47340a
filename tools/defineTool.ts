import * as z from 'zod';
import { isObject, withoutNulls } from '../base/json.ts';
import { ToolFailure, type JsonSchema, type Tool, type ToolContext, type ToolResult } from './tool.ts';

/** A built-in tool: the schema of its input describes it to the model and validates its arguments. */
export interface ToolSource<Input extends z.ZodObject> {
  name: string;
  description: string;
  kind: Tool['kind'];
  input: Input;
  run: (input: z.output<Input>, context: ToolContext) => Promise<ToolResult>;
}

/** Creates a tool whose `run` throws ToolFailure for arguments that do not match the schema. */
export function defineTool<Input extends z.ZodObject>({ input, run, kind, ...told }: ToolSource<Input>): Tool {
  return {
    definition: { ...told, parameters: schemaOf(input) },
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
