import { describe, expect, test } from '@jest/globals';
import { parseChat } from '../../../../calls/text/chat/chatInput.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import { refusalOf } from './refusals.ts';

const tools = (...choices: object[]) => ({ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: choices } });
const find = { type: 'function', function: { name: 'find' } };
const shell = { type: 'custom', custom: { name: 'shell' } };
const chat = { model: 'swift', messages: [{ role: 'user', content: 'Hello' }], tools: [find, shell] };
const list = 'tool_choice.allowed_tools.tools';

describe('a chat request', () => {
  test('may choose among its tools', () => {
    for (const choice of [find, shell, tools(find), tools(shell, find)])
      expect(parseChat({ ...chat, tool_choice: choice }).body.tool_choice).toEqual(choice);
  });

  test.each([
    [tools({}), `${list}[0].type`],
    [tools(find, { type: 'function' }), `${list}[1].function`],
    [tools({ type: 'function', name: 'find' }), `${list}[0].function`],
    [tools({ type: 'function', function: { name: 7 } }), `${list}[0].function.name`],
    [tools({ type: 'mcp', server_label: 'docs' }), `${list}[0].type`],
    [tools(find, { type: 'function', function: { name: 'lose' } }), `${list}[1]`],
    [{ type: 'function', function: { name: 'lose' } }, 'tool_choice'],
    [{ type: 'custom', custom: { name: 'lose' } }, 'tool_choice'],
    [{ type: 'custom', custom: { name: 'find' } }, 'tool_choice'],
    [{ type: 'function', function: { name: 'shell' } }, 'tool_choice'],
    [tools(find, { type: 'custom', custom: { name: 'find' } }), `${list}[1]`],
  ])('is refused with the choice %j', (choice, param) => {
    expect(refusalOf(parseChat, { ...chat, tool_choice: choice })?.param).toBe(param);
  });

  test('without tools is refused with a named one', () => {
    const refusal = refusalOf(parseChat, { ...chat, tools: undefined, tool_choice: find });
    expect(refusal).toMatchObject({ code: 'invalid_value', message: "'find' is not one of the tools." });
  });

  test('is told the type of the tool that it names by another one', () => {
    const refusal = refusalOf(parseChat, { ...chat, tool_choice: { type: 'custom', custom: { name: 'find' } } });
    expect(refusal?.message).toBe("'find' is a tool of type 'function', not 'custom'.");
  });

  test('may offer both types by one name, and choose either', () => {
    const both = { ...chat, tools: [find, { type: 'custom', custom: { name: 'find' } }] };
    for (const choice of both.tools) expect(refusalOf(parseChat, { ...both, tool_choice: choice })).toBeNull();
  });
});

describe('a responses request', () => {
  const tools = [
    { type: 'function', name: 'find' },
    { type: 'custom', name: 'shell' },
  ];
  const body = { model: 'swift', input: 'Hello', tools };
  const named = (name: string) => ({ type: 'function', name });

  test.each([
    [named('lose'), 'tool_choice'],
    [{ type: 'custom', name: 'lose' }, 'tool_choice'],
    [{ type: 'custom', name: 'find' }, 'tool_choice'],
    [named('shell'), 'tool_choice'],
    [{ type: 'allowed_tools', mode: 'auto', tools: [named('find'), named('shell')] }, 'tool_choice.tools[1]'],
    [{ type: 'allowed_tools', mode: 'auto', tools: [named('find'), named('lose')] }, 'tool_choice.tools[1]'],
    [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function' }] }, 'tool_choice.tools[0].name'],
  ])('is refused with the choice %j', (choice, param) => {
    expect(refusalOf(parseResponses, { ...body, tool_choice: choice })?.param).toBe(param);
  });
});
