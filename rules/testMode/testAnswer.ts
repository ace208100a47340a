import type { Json } from '../../providers/provider.ts';
import { type OfferedTool, rehearse, argumentsOf } from '../rehearsal/rehearsal.ts';
import { questionIndexIn, type Script } from '../scripted/script.ts';
import { withCustomCalls, withFunctionsAlone } from './offeredTools.ts';

const QUOTED_CHARACTERS_MAX = 200;
const NOTICE = 'This is a test answer: rules stand in for the model, and test money pays for its tokens.';

/**
 * A test call's answer: deterministic for each request. A chat that offers tools calls the first one, filled from its schema, and then
 * answers with its result; in a run, agents' tools are called in a sensible order; a required form is filled from its schema.
 * @throws RequestError 400 for a choice among tools that none of them fits.
 */
export function testAnswer(sent: Json, isRun = false): Script {
  if (!Array.isArray(sent.messages)) return { text: echoOf(sent.prompt) };
  const messages = sent.messages as Json[];
  const at = questionIndexIn(messages);
  const question = textOf(messages[at]?.content);
  const body = withFunctionsAlone(sent);
  const asked = isRun ? body : withUncalledFirst(body, messages.slice(at + 1));
  return withCustomCalls(answerTo(asked, { messages, at, question, isRun }), sent, question);
}

/** Frameworks that always require a call take the last tool for the answer: each tool is called once, and then the last one. */
function withUncalledFirst(body: Json, since: Json[]): Json {
  if (body.tool_choice !== 'required') return body;
  const calls = since.flatMap(({ tool_calls }) => (tool_calls ?? []) as NamedCall[]);
  const called = new Set(calls.map(({ function: one, custom }) => (one ?? custom)?.name));
  const tools = (body.tools ?? []) as OfferedTool[];
  const left = tools.filter(({ function: tool }) => !called.has(tool.name));
  return { ...body, tools: left.length > 0 ? left : tools.slice(-1) };
}

interface NamedCall {
  function?: { name: string };
  custom?: { name: string };
}

interface Asked {
  messages: Json[];
  at: number;
  question: string;
  isRun: boolean;
}

function answerTo(body: Json, { messages, at, question, isRun }: Asked): Script {
  const result = messages.slice(at + 1).findLast(({ role }) => role === 'tool');
  const introduction = result ? `The tool said: ${textOf(result.content)}\n\n${NOTICE}` : echoOf(question);
  const script = rehearse(body, { introduction, notice: NOTICE });
  const [first] = (body.tools ?? []) as OfferedTool[];
  const callsNone = isRun || script.toolCalls || result || !first?.function || body.tool_choice === 'none';
  if (callsNone || script.text !== introduction) return script;
  return { toolCalls: [{ name: first.function.name, arguments: JSON.stringify(argumentsOf(first, question)) }] };
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
