import { Button, Group, Text } from '@mantine/core';
import type { ListedKeyAnswer } from '../../src/keys/answers.js';
import { Notice } from '../components/notice.js';

export interface ReplacementProps {
  readonly old: ListedKeyAnswer;
  readonly replacement: ListedKeyAnswer;
  readonly onRevoke: () => void;
  readonly onEnd: () => void;
}

/** After "Replace": the old key keeps working until the new one is in use, and is revoked by hand then. */
export function Replacement({ old, replacement, onRevoke, onEnd }: ReplacementProps) {
  const isUsed = replacement.last_used_at !== null;
  const isDone = old.status !== 'active';
  return (
    <Notice title={isDone ? 'The key is replaced' : 'Replacing a key'}>
      <Text size="sm" role="status">
        {isDone && 'The old key is revoked, the new one works.'}
        {!isDone && isUsed && 'The new key is in use. The old one can be revoked now.'}
        {!isDone && !isUsed && 'Waiting for the first use of the new key. Both keys work until the old one is revoked.'}
      </Text>
      <Group mt="sm" gap="xs">
        {!isDone && isUsed && (
          <Button size="compact-sm" onClick={onRevoke}>
            Revoke the old key
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onEnd}>
          {isDone ? 'Close' : 'Keep both'}
        </Button>
      </Group>
    </Notice>
  );
}
