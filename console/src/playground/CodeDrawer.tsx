import { Text } from '@mantine/core';
import { CodeIcon } from '@radix-ui/react-icons';
import { CodeSnippets, type Snippet } from '../parts/CodeSnippets.tsx';
import { HeadSheet } from './frame.tsx';

interface Code {
  snippets: () => Snippet[];
  label: string;
}

/** The same call as code, behind a button of the head. `snippets` are made when it opens. */
export const CodeDrawer = (code: Code) => (
  <HeadSheet icon={<CodeIcon />} name="Code" position="right" size="min(44rem, 100%)">
    {() => <Snippets {...code} />}
  </HeadSheet>
);

const Snippets = ({ snippets, label }: Code) => (
  <>
    <Text size="sm" c="dimmed" mb="sm">
      The same call from your own code. Put your key into the environment variable API_KEY.
    </Text>
    <CodeSnippets snippets={snippets()} label={label} />
  </>
);
