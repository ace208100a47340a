import { Box, Tabs } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';

export interface Snippet {
  label: string;
  code: string;
}

/** The same call in several languages, each with a copy button. */
export function CodeSnippets({ snippets, label = 'Example in' }: { snippets: Snippet[]; label?: string }) {
  return (
    <Tabs defaultValue={snippets[0]!.label} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {snippets.map((snippet) => (
          <Tabs.Tab key={snippet.label} value={snippet.label}>
            {snippet.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Panel key={snippet.label} value={snippet.label} pt="xs">
          <Code code={snippet.code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** A block of code with a button that copies it. */
export function Code({ code, label = 'Code' }: { code: string; label?: string }) {
  return (
    <Box pos="relative">
      <pre className="code" tabIndex={0} role="group" aria-label={label}>
        <code>{code}</code>
      </pre>
      <Box pos="absolute" top={6} right={0} className="code-copy">
        <CopyButton value={code} name="Copy the code" />
      </Box>
    </Box>
  );
}
