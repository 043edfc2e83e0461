import { Stack, Text } from '@mantine/core';
import type { CodeSamplesAnswer } from '../api/types.gen.js';
import { CodeLine } from './code-line.js';

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
