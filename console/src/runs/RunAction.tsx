import { Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Markdown } from '../parts/Markdown.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Panel } from '../parts/Panel.tsx';
import { usdInput } from '../parts/figures.tsx';
import type { Run } from './runEvents.ts';

/** The action that a run waits for: an answer to its question, more money, or something a plugin needs. */
export function RunAction({ run }: { run: Run }) {
  const action = run.required_action!;
  const answer = useChange((body: object) => sendJson(`/v1/runs/${run.id}/input`, body), { stale: [['runs', run.id]] });
  const question = [action.message, action.question, action.text].find((text) => typeof text === 'string');
  if (action.type === 'raise_limit') return <RaiseLimit run={run} answer={answer} />;
  if (action.type === 'plugin_secret' || action.type === 'plugin_sign_in')
    return <PluginNeed type={action.type} plugin={String(action.plugin)} secret={action.secret} />;
  return (
    <Panel title="The agent asks" description="The run is waiting for your answer. Waiting costs nothing.">
      <Stack gap="sm">
        {question && <Markdown text={question} />}
        <AnswerForm isPending={answer.isPending} onAnswer={(text) => answer.mutate({ type: 'text', text })} />
      </Stack>
    </Panel>
  );
}

function PluginNeed({ type, plugin, secret }: { type: string; plugin: string; secret: unknown }) {
  return (
    <Panel title="A plugin needs you" description="The run is waiting. Waiting costs nothing.">
      <Stack gap="sm">
        <Text>
          The plugin <span className="id">{plugin}</span> needs{' '}
          {type === 'plugin_secret' ? (
            <>
              your secret <span className="id">{String(secret)}</span>.
            </>
          ) : (
            'you to sign in.'
          )}
        </Text>
        <Group>
          <Button component={Link} {...pageAt('/plugins', { plugin })}>
            {type === 'plugin_secret' ? 'Set the secret' : 'Sign in'}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

function AnswerForm({ isPending, onAnswer }: { isPending: boolean; onAnswer: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(text);
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="Your answer"
          autosize
          minRows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          required
        />
        <Group>
          <Button type="submit" loading={isPending} disabled={text.trim() === ''}>
            Answer
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RaiseLimit({ run, answer }: { run: Run; answer: { isPending: boolean; mutate: (body: object) => void } }) {
  const [usd, setUsd] = useState<number | string>(usdInput(run.max_cost_usd * 2));
  return (
    <Panel title="Spend limit reached" description="The run is waiting. Raise its limit to go on.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer.mutate({ type: 'raise_limit', max_cost_usd: Number(usd) });
        }}
      >
        <Group align="flex-end">
          <NumberInput
            label="New spend limit"
            value={usd}
            onChange={setUsd}
            min={run.max_cost_usd}
            decimalScale={9}
            step={0.01}
            prefix="$"
            hideControls
          />
          <Button type="submit" loading={answer.isPending}>
            Raise limit
          </Button>
        </Group>
        <Text size="sm" c="dimmed" mt="xs">
          Up to the limit of the agent.
        </Text>
      </form>
    </Panel>
  );
}
