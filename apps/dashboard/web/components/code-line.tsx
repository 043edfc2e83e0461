import { Code, Group } from '@mantine/core';
import { Copy } from './copy.js';

/** A line to copy into a terminal. It wraps, so that it needs no scroll bar. */
export function CodeLine({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block flex={1} miw={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <Copy value={text} what={what} />
    </Group>
  );
}
