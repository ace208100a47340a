import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { get, patch, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { LOGO_PATH } from './logoUrl.ts';
import { workspaceDocs } from './workspaceDocs.ts';
import { WorkspaceChangeBody } from './workspaceSchema.ts';
import { changeWorkspace, retrieveLogo, retrieveWorkspace } from './workspaces.ts';

/** The routes of the key's own workspace. Those who manage keys name it. */
export function workspaceRoutes(services: Services, keyed: Keyed): Route[] {
  const own = '/platform/v1/workspace';
  const change = keyed(scope('manage'), wholeWorkspace, body(parseWith(WorkspaceChangeBody, 'body')));
  return [
    get(own, keyed(), retrieveWorkspace(services), workspaceDocs.retrieve),
    patch(own, change, changeWorkspace(services), workspaceDocs.change),
  ];
}

/** The logo's route, which needs no key: an `<img>` sends none. */
export const logoRoutes = (services: Services): Route[] => [
  get(`${LOGO_PATH}/:logo_id`, [], retrieveLogo(services), workspaceDocs.logo),
];
