import './voice.css';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../api/me.ts';
import { usdText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CodeDrawer } from '../playground/CodeDrawer.tsx';
import { Workbench } from '../playground/frame.tsx';
import { HistoryDrawer } from '../playground/HistoryDrawer.tsx';
import { modelNamed, useModelsOf } from '../playground/models.ts';
import { useKept } from '../playground/useHistory.ts';
import { LevelMeter } from './LevelMeter.tsx';
import { useSessionCost } from './useSessionCost.ts';
import { useVoiceSession } from './useVoiceSession.ts';
import { FailureAlert, stateInWords, VoiceButtons, VoiceMessage } from './VoiceControls.tsx';
import { keptConversation, type VoiceConversation } from './voiceHistory.ts';
import { VoiceLog } from './VoiceLog.tsx';
import { STANDARD, type VoiceOrder } from './voiceOrder.ts';
import { VoiceSettings } from './VoiceSettings.tsx';
import { voiceSnippets } from './voiceSnippets.ts';
import type { VoiceState } from './voiceSession.ts';

const EMPTY = {
  conversation: 'Start and say something. The model answers aloud, and you can interrupt it.',
  transcription: 'Start and speak. Your words appear here as text.',
};

/** A spoken conversation with a model: the realtime socket, used as any page can use it. */
export default function VoiceTool() {
  const { features } = useMe();
  const [search, setSearch] = useSearchState();
  const [settings, setSettings] = useState<VoiceOrder>(STANDARD);
  const models = useModelsOf('realtime');
  const model = modelNamed(models, settings.model || (search.model ?? '')) ?? models?.[0];
  const order = { ...settings, model: model?.id ?? '' };
  const { session, state, start } = useVoiceSession(order);
  const { items, remove, opened, open } = useVoiceHistory(state, order.model);
  const { phase, failure, warning, entries } = state;
  const isRunning = phase === 'connecting' || phase === 'open';
  const begin = (withMicrophone: boolean) => {
    open(null);
    start(withMicrophone);
  };
  const change = (next: VoiceOrder) => {
    setSettings(next);
    if (next.model !== order.model) setSearch({ model: undefined });
  };
  return (
    <Workbench
      name="Settings"
      settings={<VoiceSettings order={order} models={models} isRunning={isRunning} onChange={change} />}
    >
      <HistoryDrawer
        items={items}
        noun="conversations"
        current={opened?.id ?? ''}
        factsOf={({ model: name, costUsd }) => `${name} · ${usdText(costUsd)}`}
        onOpen={open}
        onRemove={({ id }) => void remove(id)}
      />
      <CodeDrawer label="This conversation in" snippets={() => voiceSnippets(features.api_url, order)} />
      <div className="voice-main">
        <VoiceStatus state={state} levels={() => session?.levels() ?? SILENT} />
        <VoiceLog entries={opened && !isRunning ? opened.entries : entries} empty={EMPTY[order.mode]} />
      </div>
      <div className="voice-foot">
        {failure && <FailureAlert failure={failure} onType={() => begin(false)} />}
        {warning && phase === 'open' && (
          <p role="alert" className="voice-warning">
            {warning}
          </p>
        )}
        {order.mode === 'conversation' && <VoiceMessage session={session} state={state} />}
        <VoiceButtons session={session} state={state} canStart={model !== undefined} onStart={begin} />
      </div>
    </Workbench>
  );
}

/** Keeps each conversation when it ends, and shows an earlier one. */
function useVoiceHistory(state: VoiceState, model: string) {
  const { items, keep, remove } = useKept<VoiceConversation>('voice');
  const [opened, open] = useState<VoiceConversation | null>(null);
  const latest = useRef({ state, model, keep });
  latest.current = { state, model, keep };
  const { phase } = state;
  useEffect(() => {
    const { state: ended, model: by, keep: keeps } = latest.current;
    if (phase === 'ended' && ended.entries.length > 0) void keeps(keptConversation(ended, by));
  }, [phase]);
  return { items, opened, open, remove };
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
          <dt>Total</dt>
          <dd>
            <Money usd={Math.max(totalUsd ?? 0, state.answersUsd)} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
