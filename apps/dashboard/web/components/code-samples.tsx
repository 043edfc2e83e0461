import { Box, Code, Group, Text } from '@mantine/core';
import type { CodeSamplesAnswer } from '../../answers/parts.js';
import { Copy } from './id.js';

export function CodeSamples({ curl, typescript, python }: CodeSamplesAnswer) {
  const samples = { 'a terminal': curl, TypeScript: typescript, ...(python !== undefined && { Python: python }) };
  return Object.entries(samples).map(([place, text]) => (
    <Box key={place} mb="xs">
      <Text size="sm">In {place}:</Text>
      <CodeLine text={text} what={`what to enter in ${place}`} />
    </Box>
  ));
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
