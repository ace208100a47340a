import { z } from 'zod';

const TOOLS_MAX = 64;
const CALL_AGENT = 'call_agent';
const ASK_USER = 'ask_user';

/** What a version leaves to its caller: questions as forms, and the tools that its caller approves. */
export const callerSettings = {
  question_forms: z
    .boolean()
    .optional()
    .describe('`ask_user` may ask with a form (choices, fields), a default answer and a deadline.'),
  requires_approval: z
    .array(z.string().min(1).max(200))
    .max(TOOLS_MAX)
    .nullish()
    .describe(
      'Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`.',
    ),
};

interface Approvals {
  tools: string[];
  plugins: { plugin_id: string }[];
  agents?: string[] | null | undefined;
  http_tools?: { name: string }[] | null | undefined;
  requires_approval?: string[] | null | undefined;
}

/** The errors of `requires_approval`, by the place of each. What a plugin offers is only known when it is opened. */
export function faultsOfApprovals({
  requires_approval: names,
  tools,
  plugins,
  agents,
  http_tools: own,
}: Approvals): [number, string][] {
  const isKnown = (name: string) =>
    (tools.includes(name) && name !== ASK_USER) ||
    (name === CALL_AGENT && Boolean(agents?.length)) ||
    own?.some((tool) => tool.name === name) ||
    plugins.some(({ plugin_id: id }) => name.startsWith(`${id}__`));
  return (names ?? []).flatMap((name, at, all): [number, string][] => {
    if (all.indexOf(name) < at) return [[at, 'is named twice']];
    return isKnown(name) ? [] : [[at, `the agent has no tool '${name}' that can be approved`]];
  });
}

/** Whether a run of this version asks its caller before it uses the tool. */
export const needsApproval = (
  { requires_approval: names }: Pick<Approvals, 'requires_approval'>,
  tool: string,
): boolean => names?.includes(tool) ?? false;
