import { Code, Group, Stack, Text } from '@mantine/core';
import type { CodeSamplesAnswer } from '../../src/answers.js';
import { Copy } from './copy.js';

/** The same in a terminal and in a program. */
export function CodeSamples({ curl, typescript }: CodeSamplesAnswer) {
  return (
    <Stack gap="xs">
      <Text size="sm">In a terminal:</Text>
      <CodeLine text={curl} what="the line" />
      <Text size="sm">In TypeScript:</Text>
      <CodeLine text={typescript} what="the program" />
    </Stack>
  );
}

/** It wraps, so that it needs no scroll bar. */
function CodeLine({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block flex={1} miw={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <Copy value={text} what={what} />
    </Group>
  );
}
