import type { Transaction } from '../postgres/rows.ts';

/** Why keys are not placed in a project. */
export type ProjectRefusal = 'no_project' | 'project_archived';

/** Whether keys may be placed in a project now: undefined when they may. */
export async function checkProject(tx: Transaction, id: string | null): Promise<ProjectRefusal | undefined> {
  if (id === null) return undefined;
  // Locked: it is not archived while the key moves.
  const project = await tx.em.findOne(tx.Project, { id }, { lockMode: tx.LockMode.PESSIMISTIC_READ });
  if (!project) return 'no_project';
  return project.archivedAt === null ? undefined : 'project_archived';
}
