import { Badge, Button, Code, Group } from '@mantine/core';
import type { ListedKeyAnswer } from '../../src/keys/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime, dayOf } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Name } from '../components/name.js';
import { PRESET_NAMES, STATUS_NAMES } from './queries.js';

export interface KeyActions {
  /** Undefined where the person may not. */
  readonly revoke?: (key: ListedKeyAnswer) => void;
  readonly replace?: (key: ListedKeyAnswer) => void;
}

const COLORS = { active: 'green', expired: 'orange', revoked: 'red', earlier_binding: 'gray' } as const;

function LastUse({ apiKey }: { readonly apiKey: ListedKeyAnswer }) {
  const { last_used_at: at, uses_recorded_since: since, created_at: createdAt } = apiKey;
  if (at !== null) return <DateTime at={at} />;
  // Whether it was used before uses were recorded, nobody knows.
  return <>{since !== null && createdAt < since ? `Not since ${dayOf(since)}` : 'Never'}</>;
}

const SHOWN = columnsOf<ListedKeyAnswer>({
  Name: (key) => (
    <>
      <Name>{key.name ?? 'No name'}</Name>
      <Id value={key.id} />
    </>
  ),
  Permissions: (key) => PRESET_NAMES[key.preset],
  Scopes: (key) => (
    <Group gap={4}>
      {key.scopes.map((scope) => (
        <Code key={scope}>{scope}</Code>
      ))}
    </Group>
  ),
  Created: (key) => <DateTime at={key.created_at} />,
  'Last used': (key) => <LastUse apiKey={key} />,
  '24 hours': (key) => (
    <LinkTo to="/requests" search={{ key: key.id, by: 'minute' }} size="sm">
      {key.calls_24h.toLocaleString('en')}
    </LinkTo>
  ),
  '7 days': (key) => (
    <LinkTo to="/requests" search={{ key: key.id }} size="sm">
      {key.calls_7d.toLocaleString('en')}
    </LinkTo>
  ),
  Expires: (key) => (key.expires_at === null ? 'Never' : <DateTime at={key.expires_at} />),
  Status: (key) => (
    <Badge color={COLORS[key.status]} variant="dot" tt="none">
      {STATUS_NAMES[key.status]}
    </Badge>
  ),
});

const actionsOf = ({ revoke, replace }: KeyActions) =>
  columnsOf<ListedKeyAnswer>({
    Actions: (key) =>
      key.status === 'active' && (
        <Group gap="xs">
          {replace !== undefined && (
            <Button size="compact-sm" variant="default" onClick={() => replace(key)}>
              Replace
            </Button>
          )}
          {revoke !== undefined && (
            <Button size="compact-sm" variant="default" onClick={() => revoke(key)}>
              Revoke
            </Button>
          )}
        </Group>
      ),
  });

export const keyColumns = (actions: KeyActions) =>
  actions.revoke === undefined && actions.replace === undefined ? SHOWN : [...SHOWN, ...actionsOf(actions)];
