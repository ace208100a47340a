const CONVERSATIONS =
  'Send the conversation as `input` of POST /v1/responses, or keep it in a session of POST /v1/runs.';

/** Resources of OpenAI's API that do not exist here, and what does their work. Some of their paths end like other routes of ours. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  organization:
    'Usage is at GET /platform/v1/usage and, of runs, GET /v1/usage; keys at GET /platform/v1/keys; the audit at GET /platform/v1/audit_log.',
  chatkit: `ChatKit is not served. ${CONVERSATIONS}`,
  assistants: 'Assistants are not served. Agents are at GET /v1/agents, and POST /v1/runs runs one.',
  threads: `Threads are not served. ${CONVERSATIONS}`,
  conversations: `Conversations are not served. ${CONVERSATIONS}`,
  containers: 'Containers are not served. Files of sessions are at GET /v1/sessions/{session_id}/files.',
  evals: 'Evals are not served. Agents have theirs at POST /v1/publisher/agents/{agent_id}/evaluation-runs.',
  vector_stores: 'Vector stores are not served. Files are at GET /v1/files.',
};

/** What exists here instead of the resource that a path names; null for other paths. */
export function elsewhere(path: string): string | null {
  const [, name = ''] = /^(?:\/textapi)?(?:\/v1)?\/([a-z_]+)(?:\/|$)/.exec(path) ?? [];
  return Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name]! : null;
}
