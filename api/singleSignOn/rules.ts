import type { z } from 'zod';
import { changeSessionRules, readSessionRules, type SessionRuleSet } from '../../db/singleSignOn/sessionRules.ts';
import { conflict } from '../../base/errors/requestErrors.ts';
import { STRONG_METHODS } from '../../db/accounts/consoleSession.ts';
import { actorOf, type Handler } from '../context.ts';
import { requireLive } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import type { SessionRulesAnswer, SessionRulesBody } from './schema.ts';

/** `GET /console/v1/session-rules`: what the workspace asks of its members' sessions. */
export function retrieveRules({ db, config }: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await readSessionRules(db.read(ctx.state.key.workspaceId)), config.sessionLimits);
  };
}

/**
 * `PATCH /console/v1/session-rules`: changes what is sent. Throws 409 `no_second_factor` when an owner without one would require it: they
 * would lock themselves out.
 */
export function changeRules({ db, config }: Services): Handler<z.output<typeof SessionRulesBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const { requires_second_factor: requires, session_minutes, idle_minutes } = ctx.state.input;
    const { method, ssoWorkspaceId, twoFactorEnabled } = ctx.state.member!;
    const isStrong = ssoWorkspaceId !== null || (method === null ? twoFactorEnabled : STRONG_METHODS.includes(method));
    if (requires === true && !isStrong)
      throw conflict('no_second_factor', 'Turn on two-factor authentication for yourself first, then sign in with it.');
    const change: Partial<SessionRuleSet> = {
      ...(requires !== undefined && { requiresSecondFactor: requires }),
      ...(session_minutes !== undefined && { sessionMinutes: session_minutes }),
      ...(idle_minutes !== undefined && { idleMinutes: idle_minutes }),
    };
    const changed = await changeSessionRules(db.write(ctx.state.key.workspaceId), { change, by: actorOf(ctx) });
    ctx.body = present(changed, config.sessionLimits);
  };
}

const present = (
  rules: SessionRuleSet,
  limits: Services['config']['sessionLimits'],
): z.infer<typeof SessionRulesAnswer> => ({
  object: 'session_rules',
  requires_second_factor: rules.requiresSecondFactor,
  session_minutes: rules.sessionMinutes,
  idle_minutes: rules.idleMinutes,
  installation: { session_minutes: limits.minutes, idle_minutes: limits.idleMinutes },
});
