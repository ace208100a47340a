import type { LlamaGrammar } from 'node-llama-cpp';
import type { Engine } from '../engine.ts';
import type { ChatInput } from '../schema.ts';
import { SchemaGrammar } from './schemaGrammar.ts';
import { addCalls, addPlainText } from '../tools.ts';
import type { ToolUse } from '../tools.ts';

/**
 * What the answer may look like, or undefined when it is free: calls, text, text in a form, or a choice between them.
 * @throws RequestError 400 for a schema that cannot be guaranteed.
 */
export async function answerGrammar(engine: Engine, input: ChatInput, use: ToolUse): Promise<LlamaGrammar | undefined> {
  const format = input.response_format?.type ?? 'text';
  if (use.mode === 'text' && format === 'text') return undefined;
  const grammar = new SchemaGrammar();
  const alternatives: string[] = [];
  if (use.mode !== 'text') alternatives.push(addCalls(grammar, use, input.tools ?? []));
  if (use.mode !== 'calls') alternatives.push(addText(grammar, input));
  const param = use.mode === 'text' ? 'response_format' : 'tools';
  return engine.grammar(grammar.toString(alternatives.join(' | ')), param);
}

function addText(grammar: SchemaGrammar, { response_format: format }: ChatInput): string {
  switch (format?.type) {
    case 'json_object':
      return 'object';
    case 'json_schema':
      return addFormat(grammar, format.json_schema);
    case 'text':
    case undefined:
      return addPlainText(grammar);
    default:
      return format satisfies never;
  }
}

function addFormat(
  grammar: SchemaGrammar,
  { schema, strict }: { schema: Record<string, unknown>; strict?: unknown },
): string {
  const param = 'response_format.json_schema.schema';
  return strict ? grammar.addSchema(schema, param) : grammar.addHint(schema, param);
}
