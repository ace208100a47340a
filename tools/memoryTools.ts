import * as z from 'zod';
import { MEMORY_CHARACTERS_MAX } from '../base/limits.ts';
import { defineTool, REMEMBER_NAME, textResult, ToolFailure, type Tool, type ToolContext } from './tool.ts';
import type { ToolMemory } from './toolData.ts';

const RECALLED_MAX = 20;

/** Remembers something of the user. */
export const remember: Tool = defineTool({
  name: REMEMBER_NAME,
  description:
    'Remembers something about this user for later conversations, like a preference or a fact. Write one fact in one short sentence that ' +
    'is understood without this conversation.',
  kind: 'tool',
  input: z.strictObject({ text: z.string().trim().min(1).max(MEMORY_CHARACTERS_MAX) }),
  run: async ({ text }, context) => {
    const { id } = await memoryOf(context).remember(text);
    return textResult(`Remembered as ${id}.`);
  },
});

/** Finds what is remembered of the user. */
export const recall: Tool = defineTool({
  name: 'recall',
  description:
    'Finds what is remembered about this user from earlier conversations: the memories that have words of the query, the best first, or ' +
    'the newest without a query.',
  kind: 'tool',
  input: z.strictObject({
    query: z.string().max(500).optional().describe('Words to look for. Leave it out for the newest memories.'),
    limit: z.int().min(1).max(RECALLED_MAX).default(10),
  }),
  run: async ({ query, limit }, context) => {
    const found = await memoryOf(context).recall({ query: query?.trim() || undefined, limit });
    if (found.length === 0) return textResult(query ? 'No memory has these words.' : 'Nothing is remembered.');
    const lines = found.map(({ id, text, at }) => `- ${id} (${at.toISOString().slice(0, 10)}): ${text}`);
    return textResult(lines.join('\n'));
  },
});

/** Forgets something of the user. */
export const forget: Tool = defineTool({
  name: 'forget',
  description: 'Deletes a memory about this user: one that is wrong or outdated, or that the user wants to be deleted.',
  kind: 'tool',
  input: z.strictObject({ memory_id: z.string().max(100).describe('The id, as recall returns it.') }),
  run: async ({ memory_id: id }, context) => {
    const isDeleted = await memoryOf(context).forget(id);
    // A later attempt of the call finds it deleted.
    return textResult(isDeleted ? `${id} is forgotten.` : `There is no memory ${id}, or no longer.`);
  },
});

function memoryOf({ memory }: ToolContext): ToolMemory {
  if (memory) return memory;
  throw new ToolFailure('This run has no user, so there is nobody to remember.');
}
