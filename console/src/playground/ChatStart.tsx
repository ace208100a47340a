import { ChatBubbleIcon } from '@radix-ui/react-icons';
import { Title } from '@mantine/core';
import { drawings } from '../parts/drawings.tsx';
import type { Conversation } from './conversation.ts';
import { HistoryList } from './HistoryDrawer.tsx';

const QUESTIONS = [
  'Explain prompt caching in three bullet points.',
  'Compare TCP and UDP in a table.',
  'Write a Python function that checks an IBAN, with a test.',
  'Draft a short release note for a rate limit change.',
];
const RECENT = 4;

/** Before the first question: examples that are sent by one click, and the last conversations. */
export function ChatStart({
  items = [],
  canSend,
  onAsk,
  onOpen,
  onRemove,
}: {
  items: Conversation[] | undefined;
  canSend: boolean;
  onAsk: (question: string) => void;
  onOpen: (conversation: Conversation) => void;
  onRemove: (conversation: Conversation) => void;
}) {
  return (
    <div className="chat-start">
      {drawings.talk}
      <Title order={2}>Ask a model</Title>
      <p className="chat-start-note">Calls here are real: each is paid from the balance and shows its cost.</p>
      <ul className="examples" aria-label="Examples">
        {QUESTIONS.map((question) => (
          <li key={question}>
            <button type="button" className="example" disabled={!canSend} onClick={() => onAsk(question)}>
              <ChatBubbleIcon aria-hidden />
              {question}
            </button>
          </li>
        ))}
      </ul>
      {items.length > 0 && (
        <div className="chat-start-recent">
          <h3 className="chat-start-heading">Recent</h3>
          <HistoryList
            items={items.slice(0, RECENT)}
            current=""
            factsOf={modelsOf}
            onOpen={onOpen}
            onRemove={onRemove}
          />
        </div>
      )}
    </div>
  );
}

export const modelsOf = ({ threads }: Conversation): string => threads.map(({ model }) => model).join(' and ');
