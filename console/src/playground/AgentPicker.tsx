import { Select, type ComboboxItem, type OptionsFilter } from '@mantine/core';
import { CheckIcon } from '@radix-ui/react-icons';
import { AgentIcon } from '../agents/AgentIcon.tsx';
import { hasWords } from '../parts/hasWords.ts';
import type { components } from '../api/openapi.d.ts';

type Agent = components['schemas']['Agent'];

/** Chooses an agent by its name or id. */
export function AgentPicker({
  agents,
  value,
  onChange,
}: {
  agents: Agent[];
  value: Agent;
  onChange: (id: string) => void;
}) {
  return (
    <Select
      label="Agent"
      searchable
      allowDeselect={false}
      leftSection={<AgentIcon id={value.id} url={value.icon_url} size={18} />}
      data={agents.map(({ id, name }) => ({ value: id, label: name }))}
      value={value.id}
      maxDropdownHeight={420}
      nothingFoundMessage="No agent matches"
      filter={byNameOrId}
      renderOption={({ option, checked }) => (
        <div className="model-option">
          <span className="model-option-name">
            {option.label}
            {checked && <CheckIcon aria-hidden />}
          </span>
          <span className="model-option-facts">{option.value}</span>
        </div>
      )}
      onChange={(id) => id && onChange(id)}
    />
  );
}

const byNameOrId: OptionsFilter = ({ options, search }) => {
  const all = options as ComboboxItem[];
  // The chosen agent in the field is no search.
  if (all.some(({ label }) => label === search)) return all;
  return all.filter(({ label, value }) => hasWords(`${label} ${value}`, search));
};
