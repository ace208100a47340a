import { NumberInput, SegmentedControl, Select, Stack, Switch, Text, Textarea } from '@mantine/core';
import { Panel } from '../parts/Panel.tsx';
import { useVoices } from '../playground/calls.tsx';
import { DEMONSTRATION_TOOL } from './demonstrationTool.ts';
import type { VoiceOrder } from './voiceOrder.ts';

interface Settings<Changed> {
  order: VoiceOrder;
  models: string[];
  isRunning: boolean;
  onChange: (order: Changed) => void;
}

/** Settings of a conversation. Voice, instructions and the tool also apply to a running one. */
export function VoiceSettings({ order, models, isRunning, onChange }: Settings<VoiceOrder>) {
  const change = (part: Partial<VoiceOrder>) => onChange({ ...order, ...part });
  return (
    <Panel title="Settings">
      <Stack gap="sm">
        <SegmentedControl
          aria-label="What to do"
          fullWidth
          disabled={isRunning}
          data={[
            { value: 'conversation', label: 'Talk' },
            { value: 'transcription', label: 'Only transcribe' },
          ]}
          value={order.mode}
          onChange={(mode) => change({ mode })}
        />
        {order.mode === 'conversation' && (
          <AnswerSettings order={order} models={models} isRunning={isRunning} onChange={change} />
        )}
        <NumberInput
          label="Spend at most, US dollars"
          description="For one conversation"
          min={0.01}
          max={100}
          step={0.1}
          disabled={isRunning}
          value={order.spendLimitUsd}
          onChange={(usd) => change({ spendLimitUsd: Number(usd) || 0.01 })}
        />
        <Text size="sm" c="dimmed">
          A conversation lasts at most 30 minutes.
        </Text>
      </Stack>
    </Panel>
  );
}

/** How the model answers. */
function AnswerSettings({ order, models, isRunning, onChange: change }: Settings<Partial<VoiceOrder>>) {
  const voices = useVoices();
  return (
    <>
      <Select
        label="Model"
        data={models}
        value={order.model || null}
        allowDeselect={false}
        disabled={isRunning}
        onChange={(model) => change({ model: model ?? '' })}
      />
      <Select
        label="Voice"
        data={voices}
        value={order.voice}
        allowDeselect={false}
        onChange={(voice) => change({ voice: voice ?? 'alloy' })}
      />
      <Textarea
        label="Instructions"
        autosize
        minRows={2}
        maxRows={10}
        value={order.instructions}
        onChange={(event) => change({ instructions: event.currentTarget.value })}
      />
      <Switch
        label={`Tool ${DEMONSTRATION_TOOL.name}`}
        description="The model may ask this page for the time"
        checked={order.hasTool}
        onChange={(event) => change({ hasTool: event.currentTarget.checked })}
      />
    </>
  );
}
