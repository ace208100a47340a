import { defineEntity, p } from '@mikro-orm/core';
import type { HttpToolSettings } from './agentJson.ts';
import type { SealedSecret } from './webhook.ts';

/** The secrets that sign the calls of an agent's HTTP tools, sealed for the worker. */
export const AgentToolSecret = defineEntity({
  name: 'AgentToolSecret',
  tableName: 'agent_tool_secrets',
  properties: {
    agentId: p.text().primary(),
    workspaceId: p.text().index(),
    /** The current one first. */
    secrets: p.json().$type<SealedSecret[]>(),
    rotatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** What a test of an HTTP tool has sent and received. */
export interface HttpToolTestResult {
  request: { headers: Record<string, string>; body: string };
  /** Null: there was no answer. */
  response: { status: number; content_type: string | null; body: string; is_truncated: boolean } | null;
  progress: { message: string; percentage: number | null }[];
  /** What the model would read. */
  result: { text: string; is_error: boolean };
  duration_ms: number;
}

/** A test of an HTTP tool, which a worker carries out. */
export const HttpToolTest = defineEntity({
  name: 'HttpToolTest',
  tableName: 'http_tool_tests',
  indexes: [{ name: 'http_tool_tests_workspace_index', properties: ['workspaceId', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    agentId: p.text(),
    /** `<namespace>/<slug>` */
    agent: p.text(),
    tool: p.json().$type<HttpToolSettings>(),
    arguments: p.json().$type<Record<string, unknown>>(),
    result: p.json().$type<HttpToolTestResult>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
