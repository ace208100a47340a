import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CodeIcon } from '@radix-ui/react-icons';
import { CodeSnippets, type Snippet } from '../parts/CodeSnippets.tsx';
import { HeadAction, Sheet, ToolActions } from './frame.tsx';

/** The same call as code, behind a button of the head. `snippets` are made when it opens. */
export function CodeDrawer({ snippets, label }: { snippets: () => Snippet[]; label: string }) {
  const [isOpen, drawer] = useDisclosure();
  return (
    <>
      <ToolActions>
        <HeadAction icon={<CodeIcon />} name="Code" onClick={drawer.open} />
      </ToolActions>
      <Sheet title="Code" isOpen={isOpen} onClose={drawer.close} position="right" size="min(44rem, 100%)">
        <Text size="sm" c="dimmed" mb="sm">
          The call as it stands here. The key comes from the environment variable API_KEY.
        </Text>
        {isOpen && <CodeSnippets snippets={snippets()} label={label} />}
      </Sheet>
    </>
  );
}
