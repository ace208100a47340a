import './voice.css';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useModels } from '../api/models.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { usdText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { LevelMeter } from './LevelMeter.tsx';
import { useSessionCost } from './useSessionCost.ts';
import { useVoiceSession } from './useVoiceSession.ts';
import { FailureAlert, stateInWords, VoiceButtons, VoiceMessage } from './VoiceControls.tsx';
import { VoiceLog } from './VoiceLog.tsx';
import { STANDARD, type VoiceOrder } from './voiceOrder.ts';
import { VoiceSettings } from './VoiceSettings.tsx';
import { voiceSnippets } from './voiceSnippets.ts';
import type { VoiceState } from './voiceSession.ts';

const EMPTY = {
  conversation: 'Start, and say something: the model answers aloud. You can interrupt it.',
  transcription: 'Start, and speak: what you say is written here.',
};

/** A spoken conversation with a model: the realtime socket, used as any page can use it. */
export default function VoiceTool() {
  const { features } = useMe();
  const [settings, setSettings] = useState<VoiceOrder>(STANDARD);
  const models = (useModels().data?.data ?? []).filter(({ kind }) => kind === 'realtime');
  const model = models.find(({ id }) => id === settings.model) ?? models[0];
  const order = { ...settings, model: model?.id ?? '' };
  const { session, state, start } = useVoiceSession(order);
  const { phase, failure, warning, entries } = state;
  const minuteUsd = Number(model?.pricing.audio_minute ?? 0);
  return (
    <div className="playground">
      <Stack gap="lg">
        <Panel
          title="Voice"
          description={`Sound that you send costs ${usdText(minuteUsd)} a minute; a muted microphone sends none.`}
        >
          <Stack>
            {failure && <FailureAlert failure={failure} onType={() => start(false)} />}
            <VoiceStatus state={state} levels={() => session?.levels() ?? SILENT} />
            <VoiceButtons session={session} state={state} canStart={model !== undefined} onStart={start} />
            <VoiceLog entries={entries} empty={EMPTY[order.mode]} />
            {warning && phase === 'open' && (
              <Text role="alert" size="sm" className="text-bad">
                {warning}
              </Text>
            )}
            {order.mode === 'conversation' && <VoiceMessage session={session} state={state} />}
          </Stack>
        </Panel>
        <Panel title="Code">
          <CodeSnippets snippets={voiceSnippets(features.api_url, order)} label="This conversation in" />
        </Panel>
      </Stack>
      <VoiceSettings
        order={order}
        models={models.map(({ id }) => id)}
        isRunning={phase === 'connecting' || phase === 'open'}
        onChange={setSettings}
      />
    </div>
  );
}

const SILENT = { microphone: 0, speaker: 0 };

function VoiceStatus({ state, levels }: { state: VoiceState; levels: () => { microphone: number; speaker: number } }) {
  const totalUsd = useSessionCost(state);
  return (
    <div className="voice-status">
      <p className="voice-state" data-state={stateInWords(state)} role="status">
        {stateInWords(state)}
      </p>
      <LevelMeter label="Microphone" level={() => levels().microphone} />
      <LevelMeter label="Answer" level={() => levels().speaker} />
      <dl className="voice-cost">
        <div>
          <dt>Answers</dt>
          <dd>
            <Money usd={state.answersUsd} />
          </dd>
        </div>
        <div>
          <dt>Total so far</dt>
          <dd>
            <Money usd={Math.max(totalUsd ?? 0, state.answersUsd)} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
