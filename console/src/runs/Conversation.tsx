import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Readable } from '../parts/Readable.tsx';
import { FileId } from './FileId.tsx';

type Part = { type?: string; text?: string; file_id?: string };

/** A message of a conversation, or a call of a tool and its result. */
export type Turn = {
  type: string;
  role?: string;
  name?: string;
  content?: string | Part[];
  arguments?: string;
  output?: string;
};

const TURN_TYPES = ['message', 'function_call', 'function_call_output'];

/** The conversation in an input; undefined for the input of one message. */
export function turnsIn(input: unknown): Turn[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const turns = (input as Turn[]).filter(({ type }) => TURN_TYPES.includes(type));
  return turns.length > 0 ? turns : undefined;
}

// Most readers want the last question.
const SHOWN = 8;

/** A conversation with its roles: at first its end. */
export function Conversation({ turns }: { turns: Turn[] }) {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, turns.length - SHOWN);
  return (
    <Stack gap="sm">
      {hidden > 0 && (
        <Button variant="default" size="xs" mr="auto" onClick={() => setWhole(true)}>
          Show {hidden} earlier {hidden === 1 ? 'message' : 'messages'}
        </Button>
      )}
      <ol className="conversation" aria-label="Conversation">
        {turns.slice(hidden).map((turn, at) => (
          <li key={hidden + at} data-role={turn.role ?? 'tool'}>
            <TurnText turn={turn} />
          </li>
        ))}
      </ol>
    </Stack>
  );
}

function TurnText({ turn: { type, role = '', name, content = '', arguments: args, output } }: { turn: Turn }) {
  if (type === 'function_call') return <Readable title={`Call of ${name}`} text={args || '{}'} isShort />;
  if (type === 'function_call_output') return <Readable title="Result" text={output ?? ''} isShort />;
  const title = (ROLES[role] ?? role) + (name ? ` (${name})` : '');
  const parts = typeof content === 'string' ? [{ text: content } as Part] : content;
  return parts.map((part, at) =>
    part.file_id ? (
      <FileId key={at} id={part.file_id} />
    ) : (
      <Readable key={at} title={title} text={part.text ?? ''} isMarkdown={role === 'assistant'} isShort />
    ),
  );
}

const ROLES: Record<string, string> = { system: 'System', developer: 'System', user: 'User', assistant: 'Assistant' };
