import { Text } from '@mantine/core';

const DAY = { dateStyle: 'medium' } as const;
const TIME = { timeStyle: 'medium' } as const;
const UTC = { timeZone: 'UTC' } as const;

const local = new Intl.DateTimeFormat('en-GB', { ...DAY, ...TIME });
const localDay = new Intl.DateTimeFormat('en-GB', DAY);
const utc = new Intl.DateTimeFormat('en-GB', { ...DAY, ...TIME, ...UTC });
const utcDay = new Intl.DateTimeFormat('en-GB', { ...DAY, ...UTC });
const utcTime = new Intl.DateTimeFormat('en-GB', { ...TIME, ...UTC });

export const dayOf = (at: number): string => localDay.format(at);

const inUtc = (at: number): string => (localDay.format(at) === utcDay.format(at) ? utcTime : utc).format(at);

/** A time where the reader is, and in UTC. Nothing for `null`. */
export function DateTime({ at }: { readonly at: number | null }) {
  if (at === null) return null;
  return (
    <time dateTime={new Date(at).toISOString()}>
      {local.format(at)}
      <Text component="span" display="block" size="xs" c="dimmed">
        {inUtc(at)} UTC
      </Text>
    </time>
  );
}
