import { Text } from '@mantine/core';
import { DateTime } from './date-time.js';

export interface SearchedUntilProps {
  readonly what: string;
  /** Epoch milliseconds; null if the search is complete. */
  readonly until: number | null;
}

/** Below a list that was looked through in part, because few of its items match. */
export function SearchedUntil({ what, until }: SearchedUntilProps) {
  if (until === null) return null;
  return (
    <Text size="sm" component="div">
      With these filters, only {what} since this time were searched; the next page goes on:
      <DateTime at={until} />
    </Text>
  );
}
