import { Code, Group, Stack, Text } from '@mantine/core';
import type { CodeSamplesAnswer } from '../../answers/parts.js';
import { Copy } from './id.js';

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
export function CodeLine({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block flex={1} miw={0} dir="auto">
        {text}
      </Code>
      <Copy value={text} what={what} />
    </Group>
  );
}
