import { NumberInput, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import type { Configuration, DraftPart } from './configuration.ts';

type Compaction = NonNullable<Configuration['compaction']>;

// Model calls of a run without a maximum of its own.
const USUAL_STEPS = 32;

const MODES: { value: Compaction['mode']; label: string }[] = [
  { value: 'summarize', label: 'Summarize' },
  { value: 'truncate', label: 'Leave out' },
  { value: 'off', label: 'Keep all' },
];

/** What becomes of earlier turns when a run's conversation nears the model's context. */
export function CompactionSettings({ draft, errorOf, onChange }: DraftPart) {
  const rule = draft.compaction ?? null;
  const change = (part: Partial<Compaction>) => rule && onChange({ compaction: { ...rule, ...part } });
  const amount = (name: 'compact_threshold' | 'keep_turns', value: number | string) =>
    change({ [name]: value === '' ? null : Number(value) });
  const isLong = (draft.max_steps ?? USUAL_STEPS) > USUAL_STEPS;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: rule === null || rule.mode === 'off' ? 1 : 3 }}>
        <Select
          label="Earlier turns of a long run"
          description="Near the context’s end"
          placeholder={isLong ? 'Summarize' : 'Keep all'}
          clearable
          data={MODES}
          value={rule?.mode ?? null}
          error={errorOf('compaction') ?? errorOf('compaction.mode')}
          onChange={(mode) => onChange({ compaction: mode === null ? null : { ...rule, mode } })}
        />
        {rule !== null && rule.mode !== 'off' && (
          <>
            <NumberInput
              label="Token threshold"
              description="Of one model call"
              placeholder="4/5 of the context"
              min={1000}
              thousandSeparator=","
              value={rule.compact_threshold ?? ''}
              error={errorOf('compaction.compact_threshold')}
              onChange={(value) => amount('compact_threshold', value)}
            />
            <NumberInput
              label="Turns to keep"
              description="The last ones, as they are"
              placeholder="3"
              min={1}
              max={100}
              value={rule.keep_turns ?? ''}
              error={errorOf('compaction.keep_turns')}
              onChange={(value) => amount('keep_turns', value)}
            />
          </>
        )}
      </SimpleGrid>
      {rule?.mode === 'summarize' && (
        <Textarea
          label="What a summary keeps"
          description="Beside the task, what was done and what is left"
          placeholder="All order numbers and their states"
          autosize
          maxRows={6}
          maxLength={4000}
          value={rule.instructions ?? ''}
          error={errorOf('compaction.instructions')}
          onChange={(event) => change({ instructions: event.currentTarget.value || null })}
        />
      )}
    </Stack>
  );
}
