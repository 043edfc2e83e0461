import { Code, Text } from '@mantine/core';
import { useSession } from '../api/session.js';

/** For operators: the command of their tool that does the same. */
export function OperatorsLine({ words }: { readonly words: string }) {
  const { role } = useSession();
  if (role !== 'operator') return null;
  return (
    <Text size="sm" mt="sm">
      With the operators' tool: <Code>npm run -s cli -- {words}</Code>
    </Text>
  );
}
