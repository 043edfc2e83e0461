import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ListedKeyAnswer } from '../../answers/keys.js';
import { columnsOf, figure, UntilBound } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Notice } from '../components/error-alert.js';
import { number } from '../components/formats.js';
import { LinkTo, Thing } from '../components/id.js';
import { RowMenu } from '../components/menu.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { KeyStatus, LastUse, Secret, useKeyActions } from './key-actions.js';
import { keyName, keysQuery, PRESET_NAMES } from './queries.js';

interface ReplacementProps {
  readonly old: ListedKeyAnswer;
  readonly replacement: ListedKeyAnswer;
  readonly onRevoke: () => void;
  readonly onEnd: () => void;
}

/** Shown after "Replace". The old key works until a person revokes it. */
function Replacement({ old, replacement, onRevoke, onEnd }: ReplacementProps) {
  const isUsed = replacement.last_used_at !== null;
  const isDone = old.status !== 'active';
  return (
    <Notice title={isDone ? `${keyName(old)} is replaced` : `Replacing ${keyName(old)}`}>
      <Text size="sm" role="status">
        {isDone && `The old key is revoked. ${keyName(replacement)} works.`}
        {!isDone && isUsed && `The new key, ${keyName(replacement)}, is in use. The old one can be revoked now.`}
        {!isDone &&
          !isUsed &&
          `Waiting for the first use of the new key, ${keyName(replacement)}. Both keys work until the old one is revoked.`}
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

function Calls({
  of: key,
  count,
  by,
}: {
  readonly of: string;
  readonly count: number;
  readonly by: 'minute' | 'hour';
}) {
  return (
    <LinkTo to="/requests" search={{ key, by }}>
      {number(count)}
    </LinkTo>
  );
}

const SHOWN = columnsOf<ListedKeyAnswer>({
  Name: { line: 1, show: (key) => <Thing id={key.id} name={key.name ?? 'No name'} /> },
  Secret: { width: 9, show: (key) => <Secret apiKey={key} /> },
  Permissions: { width: 8, show: (key) => PRESET_NAMES[key.preset] },
  'Last used': { width: 7, line: 3, show: (key) => <LastUse apiKey={key} /> },
  '24 hours': figure((key) => <Calls of={key.id} count={key.calls_24h} by="minute" />, 5),
  '7 days': figure((key) => <Calls of={key.id} count={key.calls_7d} by="hour" />, 5),
  Expires: { width: 7, show: (key) => (key.expires_at === null ? 'Never' : <DateTime at={key.expires_at} />) },
  Status: { width: 9, line: 1, show: (key) => <KeyStatus apiKey={key} /> },
});

const route = getRouteApi('/keys');

export function KeysPage() {
  const { after, replaced, replacement } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(keysQuery(after));
  const { mayManage, mayAct, actionsOf, create, revoke, dialog } = useKeyActions();
  const actions = columnsOf<ListedKeyAnswer>({
    Actions: { width: 3, show: (key) => <RowMenu of={key.name ?? key.id} actions={actionsOf(key)} /> },
  });
  const find = (id: string | undefined) => keys.data?.data.find((key) => key.id === id);
  const [old, successor] = [find(replaced), find(replacement)];

  return (
    <>
      <PageTitle
        name="API keys"
        help="Your backend sends one of these keys with each request to the API. A secret is shown only when it is made: keep it where your backend reads its secrets, and never in a browser or an app."
      >
        {mayManage && <Button onClick={create}>Create key</Button>}
      </PageTitle>
      {mayManage && old !== undefined && successor !== undefined && (
        <Replacement
          old={old}
          replacement={successor}
          onRevoke={revoke(old)}
          onEnd={() => void navigate({ search: {} })}
        />
      )}
      <PagedTable
        query={keys}
        label="API keys"
        columns={mayAct ? [...SHOWN, ...actions] : SHOWN}
        nothing={<UntilBound>Create a key to call the API.</UntilBound>}
      />
      {dialog}
    </>
  );
}
