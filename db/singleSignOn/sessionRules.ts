import type { Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

/** What a workspace asks of its members' sessions. */
export interface SessionRuleSet {
  requiresSecondFactor: boolean;
  /** How long a session opens the workspace after it began; null: as the installation says. */
  sessionMinutes: number | null;
  /** How long it may be unused; null: as the installation says. */
  idleMinutes: number | null;
}

const NONE: SessionRuleSet = { requiresSecondFactor: false, sessionMinutes: null, idleMinutes: null };

/** The rules of a workspace. */
export const readSessionRules = async (rows: Rows): Promise<SessionRuleSet> =>
  (await rows.statement(({ em, SessionRules }) => em.findOne(SessionRules, { workspaceId: rows.workspaceId }))) ?? NONE;

/** Changes what is given, audited. */
export function changeSessionRules(
  rows: Rows,
  { change, by }: { change: Partial<SessionRuleSet>; by: Actor },
): Promise<SessionRuleSet> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const row = await tx.em.findOne(tx.SessionRules, { workspaceId });
    const before = shown(row ?? NONE);
    const after = { ...NONE, ...row, ...change };
    const { requiresSecondFactor, sessionMinutes, idleMinutes } = after;
    const values = { requiresSecondFactor, sessionMinutes, idleMinutes, updatedAt: new Date() };
    if (row === null) await tx.em.insert(tx.SessionRules, { workspaceId, ...values });
    else await tx.em.nativeUpdate(tx.SessionRules, { workspaceId }, values);
    const subject = { subjectType: 'workspace', subjectId: workspaceId };
    const detail = { before, after: shown(after) };
    await audit(tx, by, { workspaceId, action: 'change_session_rules', ...subject, detail });
    return { requiresSecondFactor, sessionMinutes, idleMinutes };
  });
}

const shown = ({ requiresSecondFactor, sessionMinutes, idleMinutes }: SessionRuleSet) => ({
  requires_second_factor: requiresSecondFactor,
  session_minutes: sessionMinutes,
  idle_minutes: idleMinutes,
});
