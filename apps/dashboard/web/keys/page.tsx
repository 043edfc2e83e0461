import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useMay } from '../api/session.js';
import { Empty } from '../components/empty.js';
import { OneOnly } from '../components/one-only.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { keyColumns } from './key-columns.js';
import type { OpenedKeyDialog } from './key-dialog.js';
import { keysQuery } from './queries.js';
import { Replacement } from './replacement.js';

export const keysPage = createLazyRoute('/keys')({ component: KeysPage });
const route = getRouteApi('/keys');

const KeyDialog = lazy(async () => ({ default: (await import('./key-dialog.js')).KeyDialog }));

function KeysPage() {
  const mayManage = useMay('manage_keys');
  const mayRevoke = useMay('revoke_keys');
  const { after, key: only, replaced, replacement } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(keysQuery({ after, key: only }));
  const [opened, setOpened] = useState<OpenedKeyDialog>();
  const columns = useMemo(
    () =>
      keyColumns({
        ...(mayRevoke && { revoke: (key) => setOpened({ dialog: 'revoke', key }) }),
        ...(mayManage && { replace: (key) => setOpened({ dialog: 'replace', key }) }),
      }),
    [mayManage, mayRevoke],
  );
  const find = (id: string | undefined) => keys.data?.data.find((key) => key.id === id);
  const [old, successor] = [find(replaced), find(replacement)];

  return (
    <>
      <PageTitle
        name="API keys"
        help="Your backend sends one of these keys with each request to the API. A secret is shown only when it is made: keep it where your backend reads its secrets, and never in a browser or an app."
      >
        {mayManage && <Button onClick={() => setOpened({ dialog: 'create' })}>Create key</Button>}
      </PageTitle>
      {mayManage && old !== undefined && successor !== undefined && (
        <Replacement
          old={old}
          replacement={successor}
          onRevoke={() => setOpened({ dialog: 'revoke', key: old })}
          onEnd={() => void navigate({ search: {} })}
        />
      )}
      <OneOnly id={only} onClear={() => void navigate({ search: {} })} />
      <PagedTable
        query={keys}
        label="API keys"
        columns={columns}
        idOf={({ id }) => id}
        empty={only === undefined ? <Empty>Create a key to call the API.</Empty> : <Empty isFiltered />}
        after={after}
        onGo={(cursor) => void navigate({ search: { after: cursor } })}
      />
      <Suspense>{opened !== undefined && <KeyDialog opened={opened} onChange={setOpened} />}</Suspense>
    </>
  );
}
