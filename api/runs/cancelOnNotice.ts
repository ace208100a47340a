import type { Services } from '../services.ts';

/** Cancels the runs of keys wherever these end: with their member, device login or workspace, or by a command. */
export function cancelRunsOnNotice(services: Services): void {
  services.db.notices.listen((notice) => {
    if (notice.kind === 'revoked') void cancelIn(services, notice.workspaceId);
  });
}

/** Loads the room of runs, as its first request does. */
async function cancelIn(services: Services, workspaceId: string): Promise<void> {
  const { cancelRunsOfRevoked } = await import('./cancelRun.ts');
  await cancelRunsOfRevoked(services, workspaceId);
}
