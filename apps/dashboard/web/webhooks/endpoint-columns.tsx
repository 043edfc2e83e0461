import { Badge, Button, Group, Text } from '@mantine/core';
import type { ListedEndpointAnswer } from '../api/types.gen.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Name } from '../components/name.js';

export type EndpointAction = 'test' | 'rotate' | 'types' | 'disable' | 'enable';

const { display } = columnsOf<ListedEndpointAnswer>();
const STATUS = {
  active: ['Active', 'green'],
  disabled: ['Disabled', 'red'],
  earlier_binding: ['Earlier binding', 'gray'],
} as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

const REASONS: Readonly<Record<string, string>> = {
  operator: 'by hand',
  failing: 'it failed for five days',
};

/** `2 days`, `5 hours`: how long until then. */
const timeUntil = (at: number, now: number): string => {
  const hours = Math.max(0, Math.round((at - now) / (DAY_MS / 24)));
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
};

const shown = [
  display({
    id: 'URL',
    header: 'URL',
    cell: ({ row: { original } }) => (
      <>
        <Name>{original.url}</Name>
        <Id value={original.id} />
        <Text size="xs" c="dimmed">
          {original.types === null ? 'All event types' : original.types.join(', ')}
        </Text>
      </>
    ),
  }),
  display({
    id: 'Status',
    header: 'Status',
    cell: ({ row: { original } }) => (
      <>
        <Badge color={STATUS[original.status][1]} variant="dot" tt="none">
          {STATUS[original.status][0]}
        </Badge>
        {original.disabled_reason !== null && (
          <Text size="xs" c="dimmed">
            {REASONS[original.disabled_reason] ?? original.disabled_reason}
          </Text>
        )}
      </>
    ),
  }),
  display({
    id: 'Success rate',
    header: 'Success rate',
    cell: ({ row: { original } }) =>
      original.success_rate === null ? (
        '–'
      ) : (
        <LinkTo to="/deliveries" search={{ endpoint: original.id }} size="sm">
          {Math.floor(original.success_rate * 1_000) / 10} %
        </LinkTo>
      ),
  }),
  display({
    id: 'Latency',
    header: 'Latency',
    cell: ({ row: { original } }) =>
      original.latency_ms === null ? '–' : `${Math.round(original.latency_ms).toLocaleString('en')} ms`,
  }),
  display({
    id: 'Pending',
    header: 'Pending',
    cell: ({ row: { original } }) => (
      <LinkTo to="/deliveries" search={{ endpoint: original.id, status: 'pending' }} size="sm">
        {original.pending.toLocaleString('en')}
      </LinkTo>
    ),
  }),
  display({
    id: 'Last failure',
    header: 'Last failure',
    cell: ({ row: { original } }) =>
      original.last_failure_at === null ? '–' : <DateTime at={original.last_failure_at} />,
  }),
  display({
    id: 'Disabled in',
    header: 'Disabled in',
    cell: ({ row: { original } }) =>
      original.disables_at === null ? (
        '–'
      ) : (
        <Text size="sm" c="var(--mantine-color-error)" component="div">
          <div>{timeUntil(original.disables_at, Date.now())}</div>
          <DateTime at={original.disables_at} />
        </Text>
      ),
  }),
];

const NAMES: Readonly<Record<EndpointAction, string>> = {
  test: 'Send test',
  rotate: 'Rotate secret',
  types: 'Event types',
  disable: 'Disable',
  enable: 'Enable',
};

const possible = (status: ListedEndpointAnswer['status']): readonly EndpointAction[] => {
  if (status === 'disabled') return ['enable'];
  if (status === 'earlier_binding') return ['disable'];
  return ['test', 'rotate', 'types', 'disable'];
};

export const endpointColumns = (
  allowed: readonly EndpointAction[],
  onAction: (action: EndpointAction, endpoint: ListedEndpointAnswer) => void,
) => {
  if (allowed.length === 0) return shown;
  const actions = display({
    id: 'Actions',
    header: '',
    cell: ({ row: { original } }) => (
      <Group gap={4}>
        {possible(original.status)
          .filter((action) => allowed.includes(action))
          .map((action) => (
            <Button key={action} size="compact-xs" variant="default" onClick={() => onAction(action, original)}>
              {NAMES[action]}
            </Button>
          ))}
      </Group>
    ),
  });
  return [...shown, actions];
};
