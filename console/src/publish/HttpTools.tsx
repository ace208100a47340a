import { Button, Group, Text } from '@mantine/core';
import { Pencil1Icon, PlayIcon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { IconAction } from '../parts/IconAction.tsx';
import type { DraftPart, HttpTool } from './configuration.ts';
import { EditHttpTool } from './HttpToolForm.tsx';
import { TestHttpTool } from './HttpToolTest.tsx';
import { ToolSecret } from './ToolSecret.tsx';

const TOOLS_MAX = 16;

/** What is open: the form of the tool at a place (of a new one after the last), or a test of it. */
type Opened = { at: number; as: 'form' | 'test' };

/** The publisher's own code as tools: their list, their secret, and a test of each. */
export function HttpTools({
  draft,
  errorOf,
  onChange,
  agentId,
  onSave,
}: DraftPart & { agentId: string; onSave: () => Promise<unknown> }) {
  const [opened, setOpened] = useState<Opened>();
  const tools = draft.http_tools ?? [];
  const ofRows = tools.map((_, at) => errorOf(`http_tools.${at}`));
  const whole = ofRows.some(Boolean) ? undefined : errorOf('http_tools');
  const close = () => setOpened(undefined);
  const shown = opened && tools[opened.at];
  return (
    <fieldset className="plain-fieldset">
      <legend>HTTP tools</legend>
      <Text size="xs" c="dimmed">
        Your own code at an HTTPS address. Each call is signed, and callers see the host.
      </Text>
      {tools.length > 0 && (
        <ul className="http-tools" aria-label="HTTP tools">
          {tools.map((tool, at) => (
            <Row
              key={`${at} ${tool.name}`}
              tool={tool}
              error={ofRows[at]}
              onOpen={(as) => setOpened({ at, as })}
              onRemove={() => onChange({ http_tools: tools.filter((one) => one !== tool) })}
            />
          ))}
        </ul>
      )}
      <Group mt="xs" gap="xs" justify="space-between">
        <Button
          variant="default"
          disabled={tools.length >= TOOLS_MAX}
          onClick={() => setOpened({ at: tools.length, as: 'form' })}
        >
          Add HTTP tool
        </Button>
        {tools.length > 0 && <ToolSecret agentId={agentId} isMissed={whole !== undefined} />}
      </Group>
      {/* A dialog's form is not a part of the draft's. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <EditHttpTool
          key={`form ${opened?.at}`}
          from={shown}
          taken={tools.filter((one) => one !== shown).map(({ name }) => name)}
          isOpen={opened?.as === 'form'}
          onClose={close}
          onDone={(tool) => {
            onChange({ http_tools: shown ? tools.map((one) => (one === shown ? tool : one)) : [...tools, tool] });
            close();
          }}
        />
        {shown && (
          <TestHttpTool
            key={`test ${opened.at}`}
            agentId={agentId}
            tool={shown}
            isOpen={opened.as === 'test'}
            onSave={onSave}
            onClose={close}
          />
        )}
      </div>
    </fieldset>
  );
}

function Row({
  tool,
  error,
  onOpen,
  onRemove,
}: {
  tool: HttpTool;
  error: string | undefined;
  onOpen: (as: Opened['as']) => void;
  onRemove: () => void;
}) {
  const { name, description, url } = tool;
  return (
    <li className="http-tool">
      <div>
        <span className="id">{name}</span> <span className="http-tool-url">{withoutProtocol(url)}</span>
        <span className="http-tool-about">{description}</span>
        {error && <span className="text-bad">{error}</span>}
      </div>
      <Group gap={0} wrap="nowrap">
        <IconAction tip="Test" name={`Test ${name}`} onClick={() => onOpen('test')}>
          <PlayIcon aria-hidden />
        </IconAction>
        <IconAction tip="Edit" name={`Edit ${name}`} onClick={() => onOpen('form')}>
          <Pencil1Icon aria-hidden />
        </IconAction>
        <IconAction tip="Remove" name={`Remove ${name}`} onClick={onRemove}>
          <TrashIcon aria-hidden />
        </IconAction>
      </Group>
    </li>
  );
}

const withoutProtocol = (url: string): string => url.replace(/^https:\/\//, '');
