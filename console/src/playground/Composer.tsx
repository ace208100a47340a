import { ActionIcon, CloseButton, FileButton, Textarea, Tooltip } from '@mantine/core';
import { ArrowUpIcon, ImageIcon, StopIcon } from '@radix-ui/react-icons';
import { useEffect, useState } from 'react';
import { IMAGE_TYPES, useImages } from './useImages.ts';

const HINT = 'Enter to send, Shift + Enter for a new line';
const WAITING = 'Sent as soon as the models are loaded';

interface Question {
  initial?: string;
  isRunning: boolean;
  canSend: boolean;
  /** It only waits for what is being loaded. */
  canSendSoon: boolean;
  onSend: (text: string, images: string[]) => void;
}

/** Where the question is written: Enter sends it, Shift and Enter begin a line. One sent before it can be goes as soon as it can. */
export function Composer({
  initial,
  isRunning,
  canSend,
  canSendSoon,
  takesImages,
  onSend,
  onStop,
}: Question & {
  takesImages: boolean;
  onStop: () => void;
}) {
  const { text, setText, isWaiting, isReady, images, setImages, problem, attach, send } = useQuestion({
    initial,
    canSend,
    canSendSoon,
    isRunning,
    onSend: (question, attached) => onSend(question, takesImages ? attached : []),
  });
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {images.length > 0 && <Attached images={images} onChange={setImages} />}
      <Textarea
        aria-label="Message"
        placeholder="Ask something…"
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={10}
        className="composer-text"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onPaste={({ clipboardData: { files } }) => {
          if (takesImages && files.length > 0) void attach([...files]);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="composer-foot">
        {takesImages && <AttachButton onAttach={attach} />}
        <span className="composer-hint">
          {problem ? <span role="alert">{problem}</span> : isWaiting ? WAITING : HINT}
        </span>
        {isRunning ? (
          <ActionIcon size="lg" radius="xl" variant="default" aria-label="Stop" onClick={onStop}>
            <StopIcon />
          </ActionIcon>
        ) : (
          <ActionIcon size="lg" radius="xl" type="submit" aria-label="Send" disabled={!isReady}>
            <ArrowUpIcon width={18} height={18} />
          </ActionIcon>
        )}
      </div>
    </form>
  );
}

function useQuestion({ initial = '', canSend, canSendSoon, isRunning, onSend }: Question) {
  const [text, setText] = useState(initial);
  const [isWaiting, setWaiting] = useState(false);
  const attached = useImages();
  const hasQuestion = text.trim() !== '' || attached.images.length > 0;
  const isReady = canSend && !isRunning && hasQuestion;

  const send = () => {
    setWaiting(canSendSoon && hasQuestion);
    if (!isReady) return;
    onSend(text, attached.images);
    setText('');
    attached.setImages([]);
  };
  useEffect(() => {
    if (isWaiting && canSend) send();
  });
  const change = (changed: string) => {
    setText(changed);
    setWaiting(false);
  };
  return { text, setText: change, isWaiting, isReady, send, ...attached };
}

function AttachButton({ onAttach }: { onAttach: (files: File[]) => Promise<void> }) {
  return (
    <FileButton accept={IMAGE_TYPES.join(',')} multiple onChange={(files) => void onAttach(files)}>
      {(props) => (
        <Tooltip label="Attach an image">
          <ActionIcon {...props} variant="subtle" color="gray" size="lg" aria-label="Attach an image">
            <ImageIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}

function Attached({ images, onChange }: { images: string[]; onChange: (images: string[]) => void }) {
  return (
    <ul className="attached" aria-label="Attached images">
      {images.map((url, at) => (
        <li key={at}>
          <img src={url} alt={`Image ${at + 1}`} />
          <CloseButton
            size="sm"
            className="attached-close"
            aria-label={`Remove image ${at + 1}`}
            onClick={() => onChange(images.filter((_, other) => other !== at))}
          />
        </li>
      ))}
    </ul>
  );
}
