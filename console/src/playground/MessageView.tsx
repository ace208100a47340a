import { Button, Group, Textarea } from '@mantine/core';
import { Pencil1Icon, UpdateIcon } from '@radix-ui/react-icons';
import { memo, useState } from 'react';
import { CopyButton } from '../parts/CopyButton.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { Markdown } from '../parts/Markdown.tsx';
import { CallFigures } from './CallFigures.tsx';
import type { Message } from './conversation.ts';

interface View {
  message: Message;
  isRunning: boolean;
  /** Absent while a question or an answer cannot be sent again. */
  onEdit?: (content: string) => void;
  onAgain?: () => void;
}

/** One message. Questions and results of tools are shown as they were typed, answers as Markdown. */
export const MessageView = memo(
  (view: View) => {
    if (view.message.role === 'user') return <Question {...view} />;
    return view.message.role === 'tool' ? <ToolResult message={view.message} /> : <Answer {...view} />;
  },
  (one, other) =>
    one.message === other.message &&
    one.isRunning === other.isRunning &&
    Boolean(one.onEdit) === Boolean(other.onEdit) &&
    Boolean(one.onAgain) === Boolean(other.onAgain),
);
MessageView.displayName = 'MessageView';

function Question({ message: { content, images = [] }, onEdit }: View) {
  const [draft, setDraft] = useState<string | null>(null);
  if (draft !== null && onEdit)
    return (
      <EditedQuestion
        draft={draft}
        onDraft={setDraft}
        onSend={() => {
          setDraft(null);
          onEdit(draft);
        }}
      />
    );
  return (
    <article className="message message-user" aria-label="You">
      <div className="message-bubble">
        {images.map((url, at) => (
          <img key={at} className="message-image" src={url} alt={`Attached image ${at + 1}`} />
        ))}
        {content && <p className="message-text">{content}</p>}
      </div>
      <div className="message-actions">
        {content && <CopyButton value={content} name="Copy" />}
        {onEdit && (
          <IconAction tip="Edit and send again" onClick={() => setDraft(content)}>
            <Pencil1Icon />
          </IconAction>
        )}
      </div>
    </article>
  );
}

function EditedQuestion({
  draft,
  onDraft,
  onSend,
}: {
  draft: string;
  onDraft: (draft: string | null) => void;
  onSend: () => void;
}) {
  const canSend = draft.trim() !== '';
  return (
    <form
      className="message message-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <Textarea
        aria-label="Edited message"
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus
        autoFocus
        value={draft}
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDraft(null);
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSend) onSend();
        }}
      />
      <Group gap="xs" justify="flex-end" mt="xs">
        <Button size="xs" variant="default" onClick={() => onDraft(null)}>
          Cancel
        </Button>
        <Button size="xs" type="submit" disabled={!canSend}>
          Send
        </Button>
      </Group>
    </form>
  );
}

function Answer({ message, isRunning, onAgain }: View) {
  const { content, reasoning, toolCalls = [], figures, finishReason } = message;
  const isSilent = content === '' && toolCalls.length === 0;
  return (
    <article className="message" aria-label="Answer" aria-busy={isRunning}>
      {reasoning && (
        <details className="reasoning">
          <summary>Reasoning</summary>
          <p className="message-text">{reasoning}</p>
        </details>
      )}
      {content && <Markdown text={content} />}
      {isSilent && (isRunning ? <Waiting /> : <p className="message-note">No text.</p>)}
      {toolCalls.map(({ id, name, arguments: text }) => (
        <pre key={id} className="code" tabIndex={0} role="group" aria-label={`Call of ${name}`}>
          {name}({text})
        </pre>
      ))}
      {finishReason === 'length' && (
        <p className="message-note">Cut at the maximum of tokens. Raise Max tokens for a longer answer.</p>
      )}
      {figures && (
        <div className="answer-foot">
          <CallFigures figures={figures} isText />
          <div className="message-actions">
            {content && <CopyButton value={content} name="Copy the answer" />}
            {onAgain && (
              <IconAction tip="Regenerate" onClick={onAgain}>
                <UpdateIcon />
              </IconAction>
            )}
          </div>
        </div>
      )}
    </article>
  );
}

const Waiting = () => (
  <p className="waiting">
    <span className="for-readers">Waiting for the first token</span>
  </p>
);

function ToolResult({ message }: { message: Message }) {
  return (
    <article className="message" aria-label="Result of a tool">
      <pre className="code" tabIndex={0} role="group" aria-label="Result of the tool">
        → {message.content}
      </pre>
    </article>
  );
}
