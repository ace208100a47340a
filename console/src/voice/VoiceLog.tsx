import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Money } from '../parts/Money.tsx';
import type { Entry, Message, ToolCall } from './entries.ts';

const NAMES = { user: 'You', assistant: 'Model' };

/** Both sides' words, as they arrive. Text is never rendered as markup. */
export function VoiceLog({ entries, empty }: { entries: Entry[]; empty: string }) {
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [entries]);
  return (
    <div className="messages" role="log" aria-label="Conversation" tabIndex={0} ref={log}>
      {entries.length === 0 && <Text c="dimmed">{empty}</Text>}
      {entries.map((entry) =>
        entry.kind === 'message' ? (
          <MessageView key={entry.id} message={entry} />
        ) : (
          <CallView key={entry.id} call={entry} />
        ),
      )}
    </div>
  );
}

function MessageView({ message: { role, text, isPending, heardMs, costUsd } }: { message: Message }) {
  return (
    <div className={`message message-${role}`}>
      <Text size="sm" fw={600}>
        {NAMES[role]}
      </Text>
      <pre className="written">
        {text || (isPending ? '…' : heardMs === undefined ? '(nothing was understood)' : '')}
      </pre>
      {heardMs !== undefined && (
        <Text size="sm" c="dimmed">
          Stopped after {(heardMs / 1_000).toFixed(1)} s. The rest was not heard and is not part of the conversation.
        </Text>
      )}
      {costUsd !== undefined && (
        <Text size="sm" c="dimmed">
          Cost <Money usd={costUsd} />
        </Text>
      )}
    </div>
  );
}

function CallView({ call: { name, arguments: given, output } }: { call: ToolCall }) {
  return (
    <div className="message">
      <Text size="sm" fw={600}>
        Tool call
      </Text>
      <pre className="code" tabIndex={0} aria-label={`Call of ${name} and its answer`} role="group">
        {name}({given}){output !== null && `\n→ ${output}`}
      </pre>
    </div>
  );
}
