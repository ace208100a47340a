/** Embeddings, overrides and isolates, which reorder the letters around them: `evil<override>gnp.exe` looks like `evilexe.png`. */
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/g;

/** The members of an answer that are names for people. */
const NAMES = new Set([
  'name',
  'title',
  'filename',
  'agent_name',
  'created_by',
  'workspace_name',
  'user_name',
  'email',
]);

/** Where an answer has things with names. Whatever else it contains, such as drafts, inputs and states, stays exactly as it is. */
const PLACES = new Set(['data', 'members', 'user', 'workspace', 'workspaces', 'projects', 'people']);

/** The answer with its names in plain order: without characters that make one name look like another. */
export function withPlainNames<T>(answer: T): T {
  if (Array.isArray(answer)) return answer.map(withPlainNames) as T;
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([member, value]: [string, unknown]) => {
      if (typeof value === 'string') return [member, NAMES.has(member) ? value.replace(REORDERING, '') : value];
      return [member, PLACES.has(member) ? withPlainNames(value) : value];
    }),
  ) as T;
}
