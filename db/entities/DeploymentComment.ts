import { defineEntity, p } from '@mikro-orm/core';

/**
 * What publisher and operator tell each other about a submission.
 */
export const DeploymentComment = defineEntity({
  name: 'DeploymentComment',
  tableName: 'deployment_comments',
  checks: [{ name: 'deployment_comments_author_check', expression: "author in ('publisher', 'operator')" }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    deploymentId: p.text().index(),
    author: p.text(),
    message: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
