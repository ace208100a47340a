import { FileInput, SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { CATEGORIES } from '../agents/names.ts';
import { showFailure } from '../api/hooks.ts';
import { uploadFile } from '../files/uploadFile.ts';
import type { DraftPart } from './configuration.ts';

/** The first step: the agent's instructions, and how callers see it. */
export function WhatStep({ draft, errorOf, onChange }: DraftPart) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          value={draft.name}
          error={errorOf('name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TagsInput
          label="Categories"
          placeholder={draft.categories.length === 0 ? 'Choose, or type and press Enter' : undefined}
          data={CATEGORIES}
          value={draft.categories}
          error={errorOf('categories')}
          onChange={(categories) => onChange({ categories })}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        description="Shown in the catalogue, in Markdown. The card has its first sentences"
        autosize
        minRows={2}
        maxRows={12}
        value={draft.description}
        error={errorOf('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Textarea
        label="Instructions"
        description="The system prompt. Callers do not see it"
        autosize
        minRows={6}
        maxRows={30}
        value={draft.instructions}
        error={errorOf('instructions')}
        onChange={(event) => onChange({ instructions: event.currentTarget.value })}
      />
      <Textarea
        label="Example prompts"
        description="One per line, as JSON if there is a JSON schema of the input. The review tries each"
        autosize
        minRows={2}
        maxRows={10}
        value={draft.example_prompts.join('\n')}
        error={errorOf('example_prompts')}
        onChange={(event) => onChange({ example_prompts: linesOf(event.currentTarget.value) })}
      />
      <FileInput
        label="Icon"
        description="An image of up to 1 MiB. Without one, it is drawn from the name"
        placeholder={draft.icon_file_id ? 'Replace the image' : 'Choose an image'}
        accept="image/*"
        error={errorOf('icon_file_id')}
        onChange={(file) => void uploadIcon(file, onChange)}
      />
    </Stack>
  );
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

async function uploadIcon(file: File | null, onChange: DraftPart['onChange']): Promise<void> {
  if (!file) return;
  try {
    onChange({ icon_file_id: await uploadFile(file, 'agent_icon') });
  } catch (thrown) {
    showFailure(thrown);
  }
}
