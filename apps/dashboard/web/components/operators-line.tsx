import { Code, Text } from '@mantine/core';
import { useSession } from '../api/session.js';

export interface OperatorsLineProps {
  readonly words: string;
  /** Whether the command takes the agency as an option. */
  readonly ofAgency?: boolean;
}

/** For operators: the command of their tool that does the same. */
export function OperatorsLine({ words, ofAgency = false }: OperatorsLineProps) {
  const { role, agency } = useSession();
  if (role !== 'operator') return null;
  return (
    <Text size="sm" mt="sm" style={{ overflowWrap: 'anywhere' }}>
      With the operators' tool:{' '}
      <Code>
        npm run -s cli -- {words}
        {ofAgency && ` --agency ${agency?.id}`}
      </Code>
    </Text>
  );
}
