import { query } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { deleteMemories, deleteMemory, listMemories, retrieveMemory } from './memories.ts';
import { memoryDocs } from './memoryDocs.ts';
import { MemoryDeletionQuery, MemoryListQuery } from './memorySchema.ts';

/** The routes of what agents remember of the workspace's users. */
export function memoryRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), ...checks);
  const [all, one] = ['/v1/memories', '/v1/memories/:memory_id'];
  return [
    get(all, agents(query(MemoryListQuery)), listMemories(services), memoryDocs.list),
    remove(all, agents(query(MemoryDeletionQuery)), deleteMemories(services), memoryDocs.removeOfUser),
    get(one, agents(), retrieveMemory(services), memoryDocs.retrieve),
    remove(one, agents(), deleteMemory(services), memoryDocs.remove),
  ];
}
