import * as z from 'zod';
import { ToolFailure, defineTool, textResult, type Tool } from './tool.ts';

/** The length limit of returned data, as JSON. */
export const DATA_CHARACTERS_MAX = 262_144;

/** The tool by which a model returns data; the last tool call of a run with an output schema. */
export const RETURN_DATA_NAME = 'return_data';

/** Returns JSON data to the caller, as a part of the run's output. */
export const returnData: Tool = defineTool({
  name: RETURN_DATA_NAME,
  description:
    'Returns a result to the user as JSON data, for programs to read, beside the answer in words. Each call returns one object or list.',
  kind: 'tool',
  input: z.strictObject({
    data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).describe('A JSON object or list.'),
  }),
  run: async ({ data }) => {
    const characters = JSON.stringify(data).length;
    if (characters > DATA_CHARACTERS_MAX)
      throw new ToolFailure(`The data has ${characters} characters, and ${DATA_CHARACTERS_MAX} are the most allowed.`);
    return { ...textResult('The data was returned to the user.'), data };
  },
});
