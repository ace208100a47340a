import type { Json } from '../../providers/provider.ts';
import { fillSchema } from '../rehearsal/fillSchema.ts';
import { type OfferedTool, rehearse } from '../rehearsal/rehearsal.ts';
import { questionIndexIn, type Script } from '../scripted/script.ts';

const QUOTED_CHARACTERS_MAX = 200;
const NOTICE = 'This is a test answer: rules stand in for the model, and test money pays for its tokens.';

/**
 * A test call's answer: deterministic for each request. A chat that offers tools calls the first one, filled from its schema, and then
 * answers with its result; in a run, agents' tools are called in a sensible order; a required form is filled from its schema.
 */
export function testAnswer(body: Json, isRun = false): Script {
  if (!Array.isArray(body.messages)) return { text: echoOf(body.prompt) };
  const messages = body.messages as Json[];
  const at = questionIndexIn(messages);
  const question = textOf(messages[at]?.content);
  const result = messages.slice(at + 1).findLast(({ role }) => role === 'tool');
  const introduction = result ? `The tool said: ${textOf(result.content)}\n\n${NOTICE}` : echoOf(question);
  const script = rehearse(body, { introduction, notice: NOTICE });
  const [first] = (body.tools ?? []) as OfferedTool[];
  const callsNone = isRun || script.toolCalls || result || !first?.function || body.tool_choice === 'none';
  if (callsNone || script.text !== introduction) return script;
  const { name, parameters = { type: 'object' } } = first.function;
  return { toolCalls: [{ name, arguments: JSON.stringify(fillSchema(parameters, question, 'tools')) }] };
}

const echoOf = (asked: unknown): string => `${NOTICE} You asked: “${textOf(asked).slice(0, QUOTED_CHARACTERS_MAX)}”`;

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as (Json | string)[])
    .map((part) => (typeof part === 'string' ? part : part.text))
    .filter((text) => typeof text === 'string')
    .join('\n');
}
