import { ASK_USER_NAME } from '../../tools/names.ts';
import type { ToolDefinition } from '../../tools/tool.ts';

/** The tool by which a model asks the caller. The run waits for its caller instead of executing it. */
export const askUserTool: ToolDefinition = {
  name: ASK_USER_NAME,
  description:
    'Asks the user a question and waits for the answer. Use it only when the task cannot be done without it.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question, as the user shall read it.' } },
    required: ['question'],
    additionalProperties: false,
  },
};
