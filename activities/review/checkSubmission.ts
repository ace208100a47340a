import {
  checkConfiguration,
  costFindings,
  type Finding,
  type AgentConfiguration,
} from '../../db/agents/configuration.ts';
import { markReviewStarted, readSubmission, recordFindings } from '../../db/agents/submission.ts';
import { readKnown } from '../../db/agents/submit.ts';
import { AGENT_TOOL_NAMES } from '../../tools/names.ts';
import { POLICY_RULES } from './policy.ts';
import { PROBES } from './probes.ts';
import type { ReviewDependencies } from './dependencies.ts';

/** How many findings block, and how many trials follow. */
export type SubmissionCheck = { blocking: number; examples: number; probes: number };

/** Checks what a configuration itself shows: that it is complete, its prices, its icon, and what its instructions ask for. */
export function createCheckSubmission({ db: { pool }, platformCosts }: ReviewDependencies) {
  return async ({ deploymentId }: { deploymentId: string }): Promise<SubmissionCheck> => {
    await markReviewStarted(pool, deploymentId);
    const { configuration, publisherWorkspaceId, subsidised } = await readSubmission(pool, deploymentId);
    const workspace = { workspaceId: publisherWorkspaceId, tools: AGENT_TOOL_NAMES };
    const known = await readKnown(pool, workspace, configuration);
    const findings = [
      ...checkConfiguration(configuration, known),
      ...(subsidised ? [] : costFindings(configuration, platformCosts)),
      ...scanTexts(configuration),
      ...advice(configuration),
    ];
    const blocking = await recordFindings(pool, { deploymentId, check: 'configuration', findings });
    return { blocking, examples: configuration.example_prompts.length, probes: PROBES.length };
  };
}

function scanTexts({ name, instructions, description, example_prompts: prompts }: AgentConfiguration): Finding[] {
  const texts = [
    { path: '/name', text: name },
    { path: '/instructions', text: instructions },
    { path: '/description', text: description },
    ...prompts.map((text, at) => ({ path: `/example_prompts/${at}`, text })),
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
