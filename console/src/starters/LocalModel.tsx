import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Amounts } from '../catalog/Amounts.tsx';
import { Fact } from '../parts/Fact.tsx';
import { countText } from '../parts/figures.tsx';
import type { AgentModel } from '../api/shapes.ts';
import { Panel } from '../parts/Panel.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { countOf } from '../parts/totals.tsx';
import type { LocalEngine } from './shapes.ts';
import { isBusy } from './useStarters.ts';

const GIGA = 1e9;
const gigabytes = (bytes: number): string => `${(bytes / GIGA).toFixed(1)} GB`;
const megabytes = (bytes: number): string => countText(Math.round(bytes / 1e6));

/** A language model on this machine: what it needs is said before it is fetched, with progress. */
export function LocalModel({ engine, agents }: { engine: LocalEngine; agents: AgentModel }) {
  const [isForAgents, setForAgents] = useState(agents.is_rehearsed);
  const params = { path: { engine: engine.name } };
  const at = '/console/v1/catalog/engines/{engine}/fetch';
  const stale = [['catalog'], ['audit']];
  const fetchIt = useChange(() => answerOf(api.POST(at, { params, body: { use_for_agents: isForAgents } })), { stale });
  const cancel = useChange(() => answerOf(api.DELETE(at, { params })), { stale, done: 'The fetch has ended' });
  const isInUse = agents.model === engine.model;
  const isThere = engine.state === 'ready' || engine.state === 'fetched';
  return (
    <Panel
      title={`On this machine: ${engine.title}`}
      description="For trials: it chooses tools well for its size, is slow, and can be wrong. Beside it the small model stays."
    >
      <Needs of={engine} />
      <State of={engine} />
      <Group gap="sm" mt="md">
        {!isBusy(engine) && !isInUse && (
          <>
            <Button
              variant="default"
              loading={fetchIt.isPending}
              disabled={engine.state === 'unreachable'}
              onClick={() => fetchIt.mutate(undefined)}
            >
              {isThere
                ? 'Load it'
                : engine.state === 'failed'
                  ? 'Fetch again'
                  : `Fetch ${gigabytes(engine.disk_bytes)}`}
            </Button>
            <Checkbox
              label="Agents use it once it is there"
              checked={isForAgents}
              onChange={(event) => setForAgents(event.currentTarget.checked)}
            />
          </>
        )}
        {engine.state === 'fetching' && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            Cancel
          </Button>
        )}
        {isInUse && <Status tone="good" word="Agents use it" />}
      </Group>
    </Panel>
  );
}

function Needs({ of: engine }: { of: LocalEngine }) {
  const { disk_bytes, disk_bytes_while_fetched, memory_bytes, measured, machine, licence, usd_per_million } = engine;
  return (
    <dl className="facts starters-facts">
      <Fact name="Disk">
        {gigabytes(disk_bytes)}, and {gigabytes(disk_bytes_while_fetched)} while it is fetched
        <Free bytes={machine?.disk_available_bytes} needed={disk_bytes_while_fetched} />
      </Fact>
      <Fact name="Memory">
        {gigabytes(memory_bytes)}
        <Free bytes={machine?.memory_available_bytes} needed={memory_bytes} />
      </Fact>
      <Fact name="Speed">
        {countText(measured.tokens_per_second)} tokens a second, {countText(measured.seconds_per_task)} s for a question
        with tools, on {measured.on}
        {machine && (
          <span className="starters-here">
            Here: {countText(machine.threads)} {machine.threads === 1 ? 'thread' : 'threads'} of{' '}
            {countOf(machine.cores, 'core')}
          </span>
        )}
      </Fact>
      <Fact name="Price">
        <Amounts of={usd_per_million} />
      </Fact>
      <Fact name="Licence">{licence}</Fact>
    </dl>
  );
}

/** What is free of it on the machine of the model's process. */
function Free({ bytes, needed }: { bytes: number | undefined; needed: number }) {
  if (bytes === undefined) return null;
  const text = `${gigabytes(bytes)} free here`;
  return (
    <span className="starters-here">{bytes < needed ? <Status tone="bad" word={`${text}: too little`} /> : text}</span>
  );
}

const WORDS: Record<LocalEngine['state'], { tone: Tone; word: string } | null> = {
  absent: null,
  fetching: { tone: 'busy', word: 'Being fetched' },
  fetched: { tone: 'quiet', word: 'Fetched: the first call loads it' },
  loading: { tone: 'busy', word: 'Being loaded' },
  ready: { tone: 'good', word: 'Ready' },
  failed: { tone: 'bad', word: 'Not fetched' },
  unreachable: { tone: 'bad', word: 'The process of the embedded models does not answer' },
};

function State({ of: { state, message, bytes, whole_bytes: whole, percentage } }: { of: LocalEngine }) {
  const words = WORDS[state];
  return (
    <div className="starters-state" role="status">
      {words && <Status {...words} />}
      {state === 'fetching' && (
        <>
          <span className="meter starters-meter" aria-hidden>
            <span style={{ width: `${percentage}%` }} />
          </span>
          <span className="number">
            {percentage}%, {megabytes(bytes)} of {megabytes(whole)} MB
          </span>
        </>
      )}
      {(state === 'failed' || state === 'unreachable') && message && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
    </div>
  );
}
