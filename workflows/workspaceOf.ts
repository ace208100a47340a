import type { WorkflowInfo } from '@temporalio/workflow';
import { RUN_SEARCH_ATTRIBUTES, workspaceAttribute } from '../contracts/start.ts';

/** The workspace of a workflow as search attributes of its children, whose histories go with the workspace's erasure. */
export function workspaceOf({ typedSearchAttributes: attributes }: WorkflowInfo) {
  const id = attributes.get({ name: RUN_SEARCH_ATTRIBUTES.workspace, type: 'KEYWORD' });
  return id === undefined ? [] : [workspaceAttribute(id)];
}
