import { Checkbox, MultiSelect, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { usdText } from '../parts/figures.tsx';
import type { components } from '../api/openapi.d.ts';
import type { DraftPart } from './configuration.ts';
import { CallerSettings, withoutApproval } from './CallerSettings.tsx';
import { HttpTools } from './HttpTools.tsx';
import { ModelSettings } from './ModelSettings.tsx';

const ASK_USER = 'ask_user';

type Tool = components['schemas']['ToolPage']['data'][number];

/** The second step: what the agent works with. */
export function ToolsStep({
  agentId,
  onSave,
  ...part
}: DraftPart & { agentId: string; onSave: () => Promise<unknown> }) {
  const { draft, errorOf, onChange } = part;
  return (
    <Stack gap="lg">
      <Tools {...part} />
      <HttpTools {...part} agentId={agentId} onSave={onSave} />
      {draft.tools.includes('remember') && <MemoryDays {...part} />}
      <Plugins draft={draft} errorOf={errorOf} onChange={onChange} />
      <CallerSettings {...part} />
      <ModelSettings {...part} />
    </Stack>
  );
}

function Tools({ draft, errorOf, onChange }: DraftPart) {
  const tools = useAnswer(['publisher', 'tools'], (signal) => api.GET('/v1/publisher/tools', { signal }), {
    staleTime: Infinity,
  });
  const error = errorOf('tools');
  const unknown = draft.tools.filter((name) => tools.data && !tools.data.data.some((tool) => tool.name === name));
  const set = (name: string, isUsed: boolean) =>
    onChange({
      tools: isUsed ? [...draft.tools, name] : draft.tools.filter((one) => one !== name),
      ...(name === ASK_USER && { question_forms: isUsed }),
      ...(!isUsed && withoutApproval(draft, name)),
    });
  return (
    <fieldset className="plain-fieldset">
      <legend>Tools</legend>
      {error && (
        <Text size="sm" className="text-bad">
          {error}
        </Text>
      )}
      <div className="tool-list">
        {tools.error && !tools.data && <TableFailure error={tools.error} retry={() => void tools.refetch()} />}
        {tools.isLoading && <Skeleton height={220} />}
        {tools.data?.data.map((tool) => (
          <Checkbox
            key={tool.name}
            label={tool.name}
            description={aboutTool(tool)}
            checked={draft.tools.includes(tool.name)}
            onChange={(event) => set(tool.name, event.currentTarget.checked)}
          />
        ))}
        {unknown.map((name) => (
          <Checkbox key={name} checked label={name} description="No longer offered" onChange={() => set(name, false)} />
        ))}
      </div>
    </fieldset>
  );
}

/** The first sentence about a tool, and what it costs. */
function aboutTool({ description, meters }: Tool): string {
  const [sentence = ''] = /^[^]*?[.!?](?=\s|$)/.exec(description) ?? [description];
  const costs = meters.filter(({ platform_cost_usd: usd }) => usd > 0);
  const price = costs.map(({ platform_cost_usd: usd, unit }) => `${usdText(usd)} a ${unit}`).join(', ');
  return price ? `${sentence} Costs ${price}.` : sentence;
}

/** How long the agent remembers. */
function MemoryDays({ draft, errorOf, onChange }: DraftPart) {
  return (
    <NumberInput
      label="Days a memory is kept"
      description="After it was last remembered. Callers see it, and can delete each memory themselves"
      placeholder="Until it is deleted"
      min={1}
      max={3650}
      maw={320}
      value={draft.memory_days ?? ''}
      error={errorOf('memory_days')}
      onChange={(value) => onChange({ memory_days: value === '' ? null : Number(value) })}
    />
  );
}

function Plugins({ draft, errorOf, onChange }: DraftPart) {
  const plugins = useAnswer(['publisher', 'plugins'], (signal) => api.GET('/v1/publisher/plugins', { signal }), {
    staleTime: 60_000,
  });
  const offered = plugins.data?.data ?? [];
  const chosen = draft.plugins.map(({ plugin_id: id, version }) => `${id}@${version}`);
  const options = offered.map(({ plugin_id: id, version, name }) => ({
    value: `${id}@${version}`,
    label: `${name} (${id}@${version})`,
  }));
  if (plugins.data && offered.length === 0 && chosen.length === 0 && !errorOf('plugins')) return null;
  return (
    <MultiSelect
      label="Plugins"
      description="Tool servers that operators have registered"
      placeholder={chosen.length === 0 ? 'None' : undefined}
      searchable
      data={[
        ...options,
        ...chosen
          .filter((one) => !options.some(({ value }) => value === one))
          .map((one) => ({ value: one, label: one })),
      ]}
      value={chosen}
      error={errorOf('plugins')}
      onChange={(names) => onChange({ plugins: names.map(pluginOf) })}
    />
  );
}

function pluginOf(name: string) {
  const [id = '', version = ''] = name.split('@');
  return { plugin_id: id, version };
}
