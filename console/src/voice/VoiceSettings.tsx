import { NumberInput, SegmentedControl, Select, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import { usdInput } from '../parts/figures.tsx';
import { Fold } from '../playground/Fold.tsx';
import { ModelPicker } from '../playground/ModelPicker.tsx';
import { modelNamed, priceText, type Model } from '../playground/models.ts';
import { useVoices } from '../playground/useVoices.ts';
import { DEMONSTRATION_TOOL } from './demonstrationTool.ts';
import type { VoiceOrder } from './voiceOrder.ts';

interface Settings<Changed> {
  order: VoiceOrder;
  models: Model[] | undefined;
  isRunning: boolean;
  onChange: (order: Changed) => void;
}

/** Settings of a conversation. Voice, instructions and the tool also apply to a running one. */
export function VoiceSettings({ order, models, isRunning, onChange }: Settings<VoiceOrder>) {
  const change = (part: Partial<VoiceOrder>) => onChange({ ...order, ...part });
  return (
    <div className="folds">
      <Fold title="Mode" isOpen>
        <SegmentedControl
          aria-label="Mode"
          fullWidth
          size="xs"
          disabled={isRunning}
          data={[
            { value: 'conversation', label: 'Talk' },
            { value: 'transcription', label: 'Transcribe only' },
          ]}
          value={order.mode}
          onChange={(mode) => change({ mode })}
        />
      </Fold>
      {order.mode === 'conversation' && (
        <AnswerSettings order={order} models={models} isRunning={isRunning} onChange={change} />
      )}
      <Fold title="Limits" isOpen>
        <SpendLimitField
          usd={order.spendLimitUsd}
          isDisabled={isRunning}
          onChange={(usd) => change({ spendLimitUsd: usd })}
        />
      </Fold>
    </div>
  );
}

/** While it is empty or being typed, the last limit holds, and stands there again when the field is left. */
function SpendLimitField({
  usd,
  isDisabled,
  onChange,
}: {
  usd: number;
  isDisabled: boolean;
  onChange: (usd: number) => void;
}) {
  const [typed, setTyped] = useState<number | string>(usdInput(usd));
  return (
    <NumberInput
      label="Spend limit"
      description="For one conversation, up to 30 minutes."
      prefix="$"
      min={0.01}
      max={100}
      step={0.1}
      decimalScale={2}
      hideControls
      disabled={isDisabled}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (Number(next) >= 0.01 && Number(next) <= 100) onChange(Number(next));
      }}
      onBlur={() => setTyped(usdInput(usd))}
    />
  );
}

/** How the model answers. */
function AnswerSettings({ order, models, isRunning, onChange: change }: Settings<Partial<VoiceOrder>>) {
  const voices = useVoices();
  const model = modelNamed(models, order.model);
  return (
    <>
      <Fold title="Model and voice" isOpen>
        <div>
          <ModelPicker
            models={models}
            value={order.model}
            isLabelled
            isDisabled={isRunning}
            onChange={(id) => change({ model: id })}
          />
          <p className="voice-price">{model && `${priceText(model)} of audio sent. Nothing is sent while muted.`}</p>
        </div>
        <Select
          label="Voice"
          data={voices}
          value={order.voice}
          allowDeselect={false}
          onChange={(voice) => change({ voice: voice ?? 'alloy' })}
        />
      </Fold>
      <Fold title="Instructions" isOpen>
        <Textarea
          aria-label="Instructions"
          autosize
          minRows={3}
          maxRows={10}
          value={order.instructions}
          onChange={(event) => change({ instructions: event.currentTarget.value })}
        />
      </Fold>
      <Fold title="Tools" note={order.hasTool ? '1 set' : undefined}>
        <Switch
          label={DEMONSTRATION_TOOL.name}
          description="Lets the model ask this page for the time."
          checked={order.hasTool}
          onChange={(event) => change({ hasTool: event.currentTarget.checked })}
        />
      </Fold>
    </>
  );
}
