import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { pageAt } from '../parts/pageAt.ts';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import { usdInput } from '../parts/figures.tsx';
import { AskedQuestion } from './AskedQuestion.tsx';
import type { RequiredAction, Run } from './runEvents.ts';
import { ToolApproval } from './ToolApproval.tsx';

/** All that a run waits for: questions, calls of tools to approve, more money, or something a plugin needs. */
export function RunActions({ run }: { run: Run }) {
  const actions = run.required_actions.length > 0 ? run.required_actions : [run.required_action!];
  return actions.map((action, at) => (
    <RunAction
      key={action.step_id ?? action.type}
      run={run}
      action={action}
      place={actions.length > 1 ? ` (${at + 1} of ${actions.length})` : ''}
    />
  ));
}

/** `place` distinguishes it from others that wait with it. */
function RunAction({ run, action, place }: { run: Run; action: RequiredAction; place: string }) {
  switch (action.type) {
    case 'raise_limit':
      return <RaiseLimit run={run} />;
    case 'plugin_secret':
    case 'plugin_sign_in':
      return <PluginNeed type={action.type} plugin={String(action.plugin)} secret={action.secret} />;
    case 'tool_approval':
      return <ToolApproval run={run} action={action} place={place} />;
    case 'text':
    case 'form':
      return <AskedQuestion run={run} action={action} place={place} />;
    default:
      return action.type satisfies never;
  }
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

function RaiseLimit({ run }: { run: Run }) {
  const answer = useChange((body: object) => sendJson(`/v1/runs/${run.id}/input`, body), {
    stale: [['runs', run.id]],
    onError: () => {},
  });
  const [usd, setUsd] = useState<number | string>(usdInput(run.max_cost_usd * 2));
  return (
    <Panel title="Spend limit reached" description="The run is waiting. Raise its limit to go on.">
      <Form error={answer.error} onSubmit={() => answer.mutate({ type: 'raise_limit', max_cost_usd: Number(usd) })}>
        <div className="setting">
          <NumberInput
            label="New spend limit"
            data-param="max_cost_usd"
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
        </div>
        <Text size="sm" c="dimmed" mt="xs">
          Up to the limit of the agent.
        </Text>
      </Form>
    </Panel>
  );
}
