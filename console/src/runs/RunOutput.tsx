import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FilePreview } from '../files/FilePreview.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Readable, ReadableData } from '../parts/Readable.tsx';
import { countOf } from '../parts/totals.tsx';
import { isOver } from './RunStatus.tsx';
import type { Progress, Run } from './runEvents.ts';

const TEXTS_MAX = 10;

/**
 * What the run has made so far: texts as Markdown, data as tables or JSON, files as previews. Nothing of it runs as markup. Of a long run
 * the last texts, until more are asked for.
 */
export function RunOutput({ run, progress }: { run: Run; progress: Progress }) {
  const texts = textsOf(run, progress);
  const [isAll, setAll] = useState(false);
  const hidden = isAll ? 0 : Math.max(0, texts.length - TEXTS_MAX);
  return (
    <Panel title="Output">
      <Stack gap="md">
        {hidden > 0 && (
          <Button variant="default" size="xs" className="output-more" onClick={() => setAll(true)}>
            Show {countOf(hidden, 'earlier text')}
          </Button>
        )}
        {texts.slice(hidden).map((text, at) => (
          <Readable
            key={hidden + at}
            title={texts.length > 1 ? `Text ${hidden + at + 1}` : 'Text'}
            text={text}
            isMarkdown
          />
        ))}
        <OutputItems items={run.output} />
        {texts.length === 0 && run.output.length === 0 && (
          <Text size="sm" c="dimmed">
            {isOver(run.status) ? 'No output.' : 'No output yet.'}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

/** Files and data of an output. */
export function OutputItems({ items }: { items: Run['output'] }) {
  return items.map((item, at) => {
    if (item.type === 'output_data') return <ReadableData key={at} title="Data" value={item.data} />;
    if (item.type !== 'output_file') return null;
    const { file_id: id, filename, media_type: mediaType, size_bytes: sizeBytes } = item;
    return <FilePreview key={id} id={id} name={filename} mediaType={mediaType} sizeBytes={sizeBytes} showsPicture />;
  });
}

/** The texts of the run; while it is open, those of its events. */
function textsOf(run: Run, progress: Progress): string[] {
  const texts = run.output.filter((item) => item.type === 'output_text');
  const shown = (texts.length > 0 ? texts : progress.texts).map(({ text }) => text);
  // A step that continues a text extends the last one.
  const live = progress.texts.at(-1)?.text;
  if (shown.length > 0 && live?.startsWith(shown.at(-1)!)) shown[shown.length - 1] = live;
  return shown;
}
