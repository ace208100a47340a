/** Why a run was not created: its session is not there, or is busy; or the workspace has as many open runs as it may. */
export type RunRefusalReason = 'session_not_found' | 'session_busy' | 'too_many_runs';

/** Thrown when a run may not be created. Nothing was kept and nothing is held. */
export class RunRefused extends Error {
  readonly reason: RunRefusalReason;

  constructor(reason: RunRefusalReason) {
    super(`no run: ${reason}`);
    this.name = 'RunRefused';
    this.reason = reason;
  }
}
