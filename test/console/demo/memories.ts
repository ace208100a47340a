import { newId } from '../../../db/ids.ts';
import type { DemoStage } from './demoStage.ts';

/** What two agents remember of the technicians of Northwind's customers, the oldest first. */
const MEMORIES: [user: string, agent: string, text: string][] = [
  ['karin.lind', 'support-triage', 'Runs cell 4 at the plant in Västerås: two arms NR-6, controller firmware 4.1.9.'],
  ['karin.lind', 'support-triage', 'Wants answers in Swedish, but keeps error codes as they are.'],
  ['tomas.berg', 'support-triage', 'Has a service contract with a response time of four hours.'],
  ['karin.lind', 'technical-translator', 'Glossary of the plant: “cell” is “cell”, never “station”.'],
  ['tomas.berg', 'support-triage', 'E-417 on arm 2 in October was a loose encoder cable at axis 5.'],
  ['ines.moreau', 'technical-translator', 'Translates manuals to French for Belgium; numbers with a comma.'],
  ['karin.lind', 'support-triage', 'Can be called between 6 and 14 h; writes mail in the late shift.'],
];

/** Memories straight into the table, minutes apart. */
export async function addMemories({ db }: DemoStage, workspaceId: string): Promise<void> {
  const nowMs = Date.now();
  for (const [at, [endUser, slug, text]] of MEMORIES.entries()) {
    const createdAt = new Date(nowMs - (MEMORIES.length - at) * 3_600_000 * 7);
    const expiresAt = slug === 'support-triage' ? new Date(createdAt.getTime() + 180 * 86_400_000) : null;
    const agent = { agentId: `agent_${slug.replace('-', '')}`, agent: `paperwing/${slug}` };
    const row = { id: newId('mem'), workspaceId, projectId: null, ...agent, endUser, text, runId: newId('run') };
    await db.everywhere.statement(({ em, Memory }) =>
      em.insert(Memory, { ...row, createdAt, updatedAt: createdAt, expiresAt }),
    );
  }
}
