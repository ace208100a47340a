import type { z } from 'zod';
import { listMemberships } from '../../db/accounts/members.ts';
import type { Handler } from '../context.ts';
import type { ApiConfig } from '../config.ts';
import type { Services } from '../services.ts';
import type { Me } from './accountAnswers.ts';

/** `GET /console/v1/me`: the signed-in person, their role, and the installation's features. */
export function describeMe({ db, config, mailer }: Services): Handler {
  return async (ctx) => {
    const member = ctx.state.member!;
    const memberships = await listMemberships(db.everywhere, member.userId);
    ctx.body = {
      user: {
        id: member.userId,
        name: member.name,
        email: member.email,
        email_verified: member.emailVerified,
        two_factor_enabled: member.twoFactorEnabled,
      },
      workspace: { id: member.liveWorkspaceId, name: member.workspaceName },
      mode: member.key.isTest ? 'test' : 'live',
      role: member.role,
      scopes: [...member.key.scopes],
      is_operator: member.isOperator,
      workspaces: memberships.map(({ workspaceId, name, role }) => ({ id: workspaceId, name, role })),
      features: {
        payments: member.key.isTest
          ? 'test'
          : config.stripe === null
            ? 'off'
            : config.stripe.apiUrl === undefined
              ? 'stripe'
              : 'test',
        mail: mailer.kind,
        temporal_ui_url: member.isOperator ? temporalPageOf(config.temporal) : null,
        api_url: config.publicUrl,
      },
    } satisfies z.infer<typeof Me.schema>;
  };
}

/** Temporal's page of our namespace; its workflows are below `/workflows`. */
const temporalPageOf = ({ uiUrl, namespace }: ApiConfig['temporal']): string | null =>
  uiUrl && `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}`;
