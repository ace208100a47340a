import { z } from 'zod';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { QuestionArguments } from '../../db/runs/waiting/question.ts';
import { ASK_USER_NAME, type ToolDefinition } from '../../tools/tool.ts';

const description =
  'Asks the user a question and waits for the answer. Use it only when the task cannot be done without it.';

/** The tool by which a model requests input from the caller. The run waits for its caller instead of executing it. */
export const askUserTool: ToolDefinition = {
  name: ASK_USER_NAME,
  description,
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question, as the user shall read it.' } },
    required: ['question'],
    additionalProperties: false,
  },
};

const { $schema: _schema, ...parameters } = z.toJSONSchema(QuestionArguments, { io: 'input' });

const formTool: ToolDefinition = {
  name: ASK_USER_NAME,
  description: `${description} Several questions of one turn are shown together. A form's answer is JSON.`,
  parameters,
};

/** The tool of a version: forms only where it says so, because callers have to be able to answer them. */
export const askUserToolOf = ({ question_forms: hasForms }: AgentConfiguration): ToolDefinition =>
  hasForms ? formTool : askUserTool;
