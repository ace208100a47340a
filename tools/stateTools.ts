import * as z from 'zod';
import { isObject } from '../base/json.ts';
import { defineTool, textResult, ToolFailure, type Tool, type ToolContext, type ToolResult } from './tool.ts';
import type { StateAt } from './toolData.ts';

const SHOWN_CHARACTERS = 4_000;

/** Reads the state of the session. */
export const getState: Tool = defineTool({
  name: 'get_state',
  description:
    'Reads the state of this session: a JSON object that stays from run to run, and that you and the user’s program change.',
  kind: 'tool',
  input: z.strictObject({}),
  run: async (_input, { state }) => resultOf(await state.read()),
});

const SET_STATE = 'set_state';

/** Changes the state of the session. Its patch keeps its nulls, which delete members. */
export const setState: Tool = {
  definition: {
    name: SET_STATE,
    description:
      'Changes the state of this session by a JSON Merge Patch (RFC 7396): each member of the patch replaces that of the state, null ' +
      'deletes it, and objects are merged. Members that are not in the patch stay.',
    parameters: {
      type: 'object',
      properties: { patch: { type: 'object', description: 'The members to change, like {"step": 2, "draft": null}.' } },
      required: ['patch'],
      additionalProperties: false,
    },
  },
  kind: 'tool',
  run: (args, context) => merge(args, context),
};

async function merge(args: unknown, { state }: ToolContext): Promise<ToolResult> {
  const { patch, ...others } = isObject(args) ? args : {};
  if (!isObject(patch) || Object.keys(others).length > 0)
    throw new ToolFailure(`The arguments do not fit the tool's schema. Send {"patch": {…}}, a JSON object.`);
  return resultOf(await state.merge(patch), SHOWN_CHARACTERS);
}

function resultOf({ version, state }: StateAt, charactersMax = Infinity): ToolResult {
  const json = JSON.stringify(state);
  const shown = json.length <= charactersMax ? `:\n${json}` : `. It has ${json.length} characters.`;
  return { ...textResult(`The state, version ${version}${shown}`), stateVersion: version };
}
