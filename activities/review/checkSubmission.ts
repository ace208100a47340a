import {
  checkConfiguration,
  costFindings,
  freeFindings,
  type Finding,
  type AgentConfiguration,
} from '../../db/agents/configuration.ts';
import { hostOf } from '../../db/agents/httpTools.ts';
import { evaluationFindings } from '../../db/evaluations/evidence.ts';
import { resolveAgent } from '../../db/agents/publicAgents.ts';
import { markReviewStarted, readSubmission, recordFindings } from '../../db/publishing/review/submission.ts';
import { readKnown } from '../../db/publishing/submit.ts';
import type { TestReview } from '../../contracts/test.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import type { ReviewDependencies } from '../dependencies.ts';
import { POLICY_RULES } from './policyRules.ts';
import { PROBES } from './probes.ts';

/** The number of blocking findings, and of the following trials; a test workspace has none of these, because a rule decides. */
type SubmissionCheck = { blocking: number; examples: number; probes: number; testReview?: TestReview };

/** Static checks of a configuration: completeness, prices, icon, and forbidden instructions. */
export function createCheckSubmission({ db: { everywhere, write }, models, orders }: ReviewDependencies) {
  const toolLoopback = orders.config.webhookLoopback;
  return async ({ deploymentId }: { deploymentId: string }): Promise<SubmissionCheck> => {
    await markReviewStarted(everywhere, deploymentId);
    const submission = await readSubmission(everywhere, deploymentId);
    const { agentId, configuration, publisherWorkspaceId, subsidised, testReview } = submission;
    const known = await write(publisherWorkspaceId).transaction((tx) =>
      readKnown(tx, { tools: AGENT_TOOL_NAMES, models, toolLoopback }, configuration, agentId),
    );
    const findings = [
      ...checkConfiguration(configuration, known),
      ...(subsidised ? [] : costFindings(configuration, models.costsOf(configuration))),
      ...scanTexts(configuration),
      ...freeFindings(configuration, models.isFree(configuration, publisherWorkspaceId)),
      ...advice(configuration),
      ...httpToolFindings(configuration),
      ...(await evaluationFindings(everywhere, submission)),
      ...(await hiddenAgents(everywhere, configuration, publisherWorkspaceId)),
    ];
    const blocking = await recordFindings(everywhere, { deploymentId, check: 'configuration', findings });
    if (testReview !== null) return { blocking, examples: 0, probes: 0, testReview };
    return { blocking, examples: configuration.example_prompts.length, probes: PROBES.length };
  };
}

function scanTexts(configuration: AgentConfiguration): Finding[] {
  const { name, instructions, description, example_prompts: prompts, http_tools: tools } = configuration;
  const texts = [
    { path: '/name', text: name },
    { path: '/instructions', text: instructions },
    { path: '/description', text: description },
    ...prompts.map((text, at) => ({ path: `/example_prompts/${at}`, text })),
    ...(tools ?? []).map(({ description: text }, at) => ({ path: `/http_tools/${at}/description`, text })),
  ];
  return texts.flatMap(({ path, text }) =>
    POLICY_RULES.filter(({ pattern }) => pattern.test(text)).map(({ code, severity, message }) => ({
      severity,
      code,
      path,
      message,
    })),
  );
}

/** The publisher's own code, which a reviewer has to judge: what it is for, and where the callers' data goes. */
const httpToolFindings = ({ http_tools: tools }: AgentConfiguration): Finding[] =>
  (tools ?? []).map((tool, at) => ({
    severity: 'advisory',
    code: 'http_tool',
    path: `/http_tools/${at}`,
    message:
      `sends to ${hostOf(tool)} what the model puts into ${argumentsIn(tool.input_schema)}. Check the host, the description and the ` +
      'schema: callers’ data leaves the platform here.',
  }));

function argumentsIn({ properties }: Record<string, unknown>): string {
  const names = Object.keys(properties ?? {});
  return names.length === 0 ? 'its arguments' : names.map((name) => `“${name}”`).join(', ');
}

/** Agents to call that other workspaces cannot run. */
async function hiddenAgents(
  everywhere: ReviewDependencies['db']['everywhere'],
  { agents }: AgentConfiguration,
  workspaceId: string,
): Promise<Finding[]> {
  const isHidden = async (agent: string) =>
    !(await resolveAgent(everywhere, { agent, version: null, visibility: 'public', workspaceId }));
  const hidden = await Promise.all((agents ?? []).map(isHidden));
  const message = 'is not public: only runs of your own workspace can call it';
  return hidden.flatMap((isOne, at) =>
    isOne ? [{ severity: 'advisory', code: 'agent_not_public', path: `/agents/${at}`, message }] : [],
  );
}

function advice({ icon_file_id: icon, description }: AgentConfiguration): Finding[] {
  return [
    ...(icon === null
      ? [
          {
            severity: 'advisory' as const,
            code: 'no_icon',
            path: '/icon_file_id',
            message: 'An icon helps to find it.',
          },
        ]
      : []),
    ...(description.length < 20
      ? [{ severity: 'advisory' as const, code: 'short_description', path: '/description', message: 'Says little.' }]
      : []),
  ];
}
