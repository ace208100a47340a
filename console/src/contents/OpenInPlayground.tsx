import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import type { RequestRow } from '../api/shapes.ts';
import { pageAt } from '../parts/pageAt.ts';
import { playgroundWith } from '../parts/playable.ts';
import type { Conversation } from '../playground/conversation.ts';
import { useKept } from '../playground/useHistory.ts';
import { replayOf } from './replay.ts';
import { useContent } from './useContent.ts';

/** Opens the model of a request, and where its content is kept, the whole conversation with its parameters. */
export function OpenInPlayground({ request: { id, model, has_content: hasContent } }: { request: RequestRow }) {
  const { scopes } = useMe();
  const isReadable = hasContent && scopes.includes('contents');
  const content = useContent(id, isReadable);
  const conversations = useKept<Conversation>('chat');
  const navigate = useNavigate();
  const replay = content.data && replayOf(model!, content.data);
  if (!replay)
    return (
      <Button component={Link} {...playgroundWith(model!)} variant="default" loading={isReadable && content.isLoading}>
        Open in playground
      </Button>
    );
  const open = async () => {
    await conversations.keep(replay);
    await navigate(pageAt('/playground', { tool: 'chat', chat: replay.id }));
  };
  return (
    <Button variant="default" onClick={() => void open()}>
      Open in playground
    </Button>
  );
}
