import { FileInput, MultiSelect, SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { send } from '../api/client.ts';
import { showFailure } from '../api/hooks.ts';
import type { Configuration, DraftPart } from './configuration.ts';
import { ModelSettings } from './ModelSettings.tsx';
import { Prices } from './Prices.tsx';

export type FieldErrors = { path: string; message: string }[];

const TOOLS = [
  'list_files',
  'read_file',
  'write_file',
  'write_table',
  'draw_chart',
  'search_files',
  'fetch_url',
  'run_code',
  'return_data',
  'ask_user',
];

/** The draft as a form. The server's findings are shown at their fields; a finding within a list is shown at the list. */
export function DraftForm({
  draft,
  errors,
  onChange: replace,
}: {
  draft: Configuration;
  errors: FieldErrors;
  onChange: (draft: Configuration) => void;
}) {
  const onChange = (part: Partial<Configuration>) => replace({ ...draft, ...part });
  const errorOf = (place: string) =>
    errors
      .filter(({ path }) => path === place || path.startsWith(`${place}.`))
      .map(({ message }) => message)
      .join('; ') || undefined;
  const part: DraftPart = { draft, errorOf, onChange };
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        value={draft.name}
        error={errorOf('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        description="What callers read in the catalogue"
        autosize
        minRows={2}
        value={draft.description}
        error={errorOf('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Textarea
        label="Instructions"
        description="What the model is told; callers do not see it"
        autosize
        minRows={5}
        maxRows={30}
        value={draft.instructions}
        error={errorOf('instructions')}
        onChange={(event) => onChange({ instructions: event.currentTarget.value })}
      />
      <Lists {...part} />
      <Textarea
        label="Example prompts"
        description="One a line, as JSON where there is a schema of the input; each is tried in the review"
        autosize
        minRows={2}
        value={draft.example_prompts.join('\n')}
        error={errorOf('example_prompts')}
        onChange={(event) => onChange({ example_prompts: linesOf(event.currentTarget.value) })}
      />
      <ModelSettings {...part} />
      <Prices {...part} />
    </Stack>
  );
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

function Lists({ draft, errorOf, onChange }: DraftPart) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        label="Tools"
        data={[...new Set([...TOOLS, ...draft.tools])]}
        value={draft.tools}
        error={errorOf('tools')}
        onChange={(tools) => onChange({ tools })}
      />
      <TagsInput
        label="Categories"
        description="Lowercase words, Enter after each"
        value={draft.categories}
        error={errorOf('categories')}
        onChange={(categories) => onChange({ categories })}
      />
      <TagsInput
        label="Plugins"
        description="plugin@version, Enter after each"
        value={draft.plugins.map(({ plugin_id: id, version }) => `${id}@${version}`)}
        error={errorOf('plugins')}
        onChange={(names) => onChange({ plugins: names.map(pluginOf) })}
      />
      <FileInput
        label="Icon"
        description={draft.icon_file_id ? `Set: ${draft.icon_file_id}` : 'A picture, at most 1 MiB'}
        placeholder="Choose a picture"
        accept="image/*"
        error={errorOf('icon_file_id')}
        onChange={(file) => void uploadIcon(file, onChange)}
      />
    </SimpleGrid>
  );
}

function pluginOf(name: string) {
  const [id = '', version = ''] = name.split('@');
  return { plugin_id: id, version };
}

async function uploadIcon(file: File | null, onChange: DraftPart['onChange']): Promise<void> {
  if (!file) return;
  const form = new FormData();
  form.set('purpose', 'agent_icon');
  form.set('file', file);
  try {
    const { id } = (await (await send('/v1/files', { method: 'POST', body: form })).json()) as { id: string };
    onChange({ icon_file_id: id });
  } catch (thrown) {
    showFailure(thrown);
  }
}
