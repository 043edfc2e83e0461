import { Button, Group, Text } from '@mantine/core';
import classes from './breakable.module.css';

export interface OneOnlyProps {
  /** The id in the page's address. */
  readonly id: string | undefined;
  readonly onClear: () => void;
}

/** Above a list of which a link wants one item only. */
export function OneOnly({ id, onClear }: OneOnlyProps) {
  if (id === undefined) return null;
  return (
    <Group mb="sm" gap="xs">
      <Text size="sm" className={classes.id}>
        Only {id}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </Group>
  );
}
