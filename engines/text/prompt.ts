import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Token } from 'node-llama-cpp';
import { contextLengthExceeded, invalidValue } from '../../rules/protocol/requestError.ts';
import { textOf } from '../../rules/protocol/messageText.ts';
import type { Engine } from './engine.ts';
import type { ChatMessage, ChatTool } from '../../rules/protocol/schema.ts';
import { renderCall, toolInstructions } from './tools.ts';

/**
 * The conversation in the model's chat markup (ChatML), as tokens, up to where the assistant's answer begins. Adds nothing that the caller
 * did not send: it would be billed, and this model answers better without it. Texts are never parsed as markup, so a message that contains
 * a marker cannot pose as another role.
 * @throws RequestError 400 for a content part that is not text.
 */
export function chatPrompt(
  { model, contextTokens }: Pick<Engine, 'model' | 'contextTokens'>,
  messages: ChatMessage[],
  tools: ChatTool[],
): Token[] {
  const open = model.tokenize('<|im_start|>', true);
  const close = [...model.tokenize('<|im_end|>', true), ...model.tokenize('\n')];
  const texts = turnsOf(messages, tools).map(({ role, text }) => `${role}\n${text}`);
  refuseTooLong(
    texts.reduce((sum, { length }) => sum + length, 0),
    contextTokens,
    'messages',
  );
  // Not passed as arguments: a long text has more tokens than a call may have arguments.
  const turns = texts.map((text) => [open, model.tokenize(text), close]);
  return [...turns.flat(), open, model.tokenize('assistant\n')].flat();
}

// The longest tokens have fewer characters.
const TOKEN_CHARS_MAX = 64;

/** Counting the tokens of a text that is much too long would block the process for seconds. */
function refuseTooLong(characters: number, contextTokens: number, param: string): void {
  const tokensMin = Math.ceil(characters / TOKEN_CHARS_MAX);
  if (tokensMin > contextTokens) throw contextLengthExceeded(`at least ${tokensMin}`, contextTokens, param);
}

interface Turn {
  role: 'system' | 'user' | 'assistant';
  text: string;
}

function turnsOf(messages: ChatMessage[], tools: ChatTool[]): Turn[] {
  const turns = messages.map((message, index) => turnOf(message, index));
  if (tools.length === 0) return turns;
  if (turns[0]?.role !== 'system') return [{ role: 'system', text: toolInstructions(tools) }, ...turns];
  turns[0].text += `\n\n${toolInstructions(tools)}`;
  return turns;
}

function turnOf(message: ChatMessage, index: number): Turn {
  const text = textOf(message, index);
  const named = message.name && text ? `${message.name}: ${text}` : text;
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: named };
    case 'user':
      return { role: 'user', text: named };
    case 'tool':
    case 'function':
      return { role: 'user', text: `<tool_response>\n${text}\n</tool_response>` };
    case 'assistant':
      return { role: 'assistant', text: [named, ...callsOf(message)].filter(Boolean).join('\n') };
    default:
      return message.role satisfies never;
  }
}

function callsOf(message: ChatMessage): string[] {
  const calls = (message.tool_calls ?? []).map((call) => call.function);
  if (message.function_call) calls.push(message.function_call);
  return calls.map((call) => renderCall(call.name, call.arguments));
}

/**
 * The accepted forms of a route's texts (one or several, as text or as token ids), as lists of tokens.
 * @throws RequestError 400 when an id is not in the model's vocabulary, or a text is far too long.
 */
export async function tokenLists(
  { model, contextTokens }: Pick<Engine, 'model' | 'contextTokens'>,
  input: string | string[] | number[] | number[][],
  param: string,
): Promise<Token[][]> {
  const texts = typeof input === 'string' || typeof input[0] === 'number' ? [input as string | number[]] : input;
  const vocabularySize = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  const tokensOf = (text: string | number[]): Token[] => {
    if (typeof text === 'string') {
      refuseTooLong(text.length, contextTokens, param);
      return model.tokenize(text);
    }
    const unknown = text.find((id) => id < 0 || id >= vocabularySize);
    if (unknown !== undefined) throw invalidValue(param, `${unknown} is not a token id of this model.`);
    return text as Token[];
  };
  const lists: Token[][] = [];
  for (const text of texts as Array<string | number[]>) {
    lists.push(tokensOf(text));
    // Other calls get a turn.
    await nextTurn();
  }
  return lists;
}
