import { Checkbox, Stack, TagsInput } from '@mantine/core';
import type { Configuration, DraftPart } from './configuration.ts';

const ASK_USER = 'ask_user';
const CALL_AGENT = 'call_agent';

/** What the agent leaves to its caller: questions as forms, and the tools that its caller approves. */
export function CallerSettings({ draft, errorOf, onChange }: DraftPart) {
  const names = approvableOf(draft);
  const chosen = draft.requires_approval ?? [];
  const asks = draft.tools.includes(ASK_USER);
  const hasPlugins = draft.plugins.length > 0;
  if (!asks && names.length === 0 && !hasPlugins && chosen.length === 0) return null;
  return (
    <fieldset className="plain-fieldset">
      <legend>Caller</legend>
      <Stack gap="md" mt="xs">
        {(names.length > 0 || hasPlugins || chosen.length > 0) && (
          <TagsInput
            label="Tools that need approval"
            description={`A run waits until its caller approves, edits or refuses the call${
              hasPlugins ? '. Tools of plugins as plugin__tool' : ''
            }`}
            placeholder={chosen.length === 0 ? 'None' : undefined}
            data={names}
            maxTags={64}
            value={chosen}
            error={errorOf('requires_approval')}
            onChange={(approved) => onChange({ requires_approval: approved })}
          />
        )}
        {asks && (
          <Checkbox
            label="Questions may be forms"
            description="With choices, fields, a default answer and a deadline. Otherwise a question is answered by a text"
            checked={draft.question_forms ?? false}
            onChange={(event) => onChange({ question_forms: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </fieldset>
  );
}

const approvableOf = ({ tools, agents }: Configuration): string[] => [
  ...tools.filter((name) => name !== ASK_USER),
  ...(agents?.length ? [CALL_AGENT] : []),
];

/** A tool that is no longer used needs no approval. */
export const withoutApproval = ({ requires_approval: names }: Configuration, tool: string): Partial<Configuration> =>
  names?.includes(tool) ? { requires_approval: names.filter((name) => name !== tool) } : {};
