import { Button, Group, Stack, Text } from '@mantine/core';
import classes from './breakable.module.css';
import { Empty } from './empty.js';

export interface OneOnlyProps {
  /** The id in the page's address. */
  readonly id: string;
  readonly isFound: boolean;
  readonly onClear: () => void;
}

/** Above a list of which a link wants one item only. */
export function OneOnly({ id, isFound, onClear }: OneOnlyProps) {
  const clear = (
    <Button size="compact-sm" variant="default" onClick={onClear}>
      Clear filters
    </Button>
  );
  if (!isFound) {
    return (
      <Stack align="center" gap={0}>
        <Empty isFiltered>{id}</Empty>
        {clear}
      </Stack>
    );
  }
  return (
    <Group mb="sm" gap="xs">
      <Text size="sm" className={classes.id}>
        Only {id}
      </Text>
      {clear}
    </Group>
  );
}
