import type { z } from 'zod';
import { listMemberships } from '../../db/accounts/members.ts';
import type { Handler } from '../context.ts';
import type { ApiConfig } from '../config.ts';
import type { Services } from '../services.ts';
import { logoUrlOf } from '../workspaces/logoUrl.ts';
import type { Me } from './accountAnswers.ts';

/** `GET /console/v1/me`: the signed-in person, their role, and the installation's features. */
export function describeMe({ db, config, mailer }: Services): Handler {
  return async (ctx) => {
    const member = ctx.state.member!;
    const memberships = await listMemberships(db.everywhere, member.userId);
    const open = memberships.filter(
      ({ workspaceId }) => member.ssoWorkspaceId === null || workspaceId === member.ssoWorkspaceId,
    );
    const workspaces = open.map(({ workspaceId, name, role, logoFileId }) => ({
      id: workspaceId,
      name,
      role,
      logo_url: logoUrlOf(logoFileId, config.publicUrl),
    }));
    const found = workspaces.find(({ id }) => id === member.liveWorkspaceId);
    const { name, logo_url } = found ?? { name: member.workspaceName, logo_url: null };
    ctx.body = {
      user: {
        id: member.userId,
        name: member.name,
        email: member.email,
        email_verified: member.emailVerified,
        two_factor_enabled: member.twoFactorEnabled,
      },
      workspace: { id: member.liveWorkspaceId, name, logo_url },
      selected: member.key.workspaceId,
      mode: member.key.isTest ? 'test' : 'live',
      role: member.role,
      scopes: [...member.key.scopes],
      project_ids: member.key.seesProjects && [...member.key.seesProjects],
      is_operator: member.isOperator,
      session: { method: member.method, is_of_provider: member.ssoWorkspaceId !== null, lacks: member.lacks },
      workspaces,
      features: {
        payments:
          member.key.isTest || config.stripe?.apiUrl !== undefined ? 'test' : config.stripe === null ? 'off' : 'stripe',
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
