import { MEMORIES_PER_USER_MAX } from '../../db/memories/memories.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import {
  DeletedMemories,
  DeletedMemory,
  MemoryAnswer,
  MemoryDeletionQuery,
  MemoryListQuery,
  MemoryPage,
} from './memorySchema.ts';

const TAG = 'Memories';

/** Documentation of memories. */
export const memoryDocs = {
  list: {
    tag: TAG,
    summary: 'List memories',
    description:
      'What agents remember of your end users, newest first. A run with `user` lets an agent remember, if its version has the tools ' +
      `\`remember\`, \`recall\` and \`forget\`: at most ${MEMORIES_PER_USER_MAX} for each user and agent. They belong to your workspace: ` +
      'the agent’s publisher cannot read them.',
    query: MemoryListQuery,
    answer: { id: 'MemoryPage', schema: MemoryPage },
  },
  retrieve: { tag: TAG, summary: 'Read a memory', answer: { id: 'Memory', schema: MemoryAnswer } },
  remove: { tag: TAG, summary: 'Delete a memory', answer: { id: 'DeletedMemory', schema: DeletedMemory } },
  removeOfUser: {
    tag: TAG,
    summary: 'Delete the memories of a user',
    description: 'All that agents remember of this user, or one agent. The audit has the number of deleted memories.',
    query: MemoryDeletionQuery,
    answer: { id: 'DeletedMemories', schema: DeletedMemories },
  },
} satisfies Record<string, RouteDoc>;
