import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMay } from '../api/session.js';
import type { ApiKey, IssuedKey } from '../api/types.js';
import { DataTable } from '../components/data-table.js';
import { Empty } from '../components/empty.js';
import { Loaded } from '../components/loaded.js';
import { NextPage } from '../components/next-page.js';
import { PageTitle } from '../components/page-title.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { keyColumns } from './key-columns.js';
import { keysQuery } from './queries.js';
import { ReplaceKeyDialog } from './replace-key-dialog.js';
import { Replacement } from './replacement.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';

export const keysPage = createLazyRoute('/keys')({ component: KeysPage });
const route = getRouteApi('/keys');

type Opened =
  | { readonly dialog: 'none' | 'create' }
  | { readonly dialog: 'revoke' | 'replace'; readonly key: ApiKey }
  | { readonly dialog: 'secret'; readonly secret: string };
const NONE: Opened = { dialog: 'none' };

function KeysPage() {
  const mayManage = useMay('manage_keys');
  const mayRevoke = useMay('revoke_keys');
  const { after, replaced, replacement } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(keysQuery(after));
  const [opened, setOpened] = useState<Opened>(NONE);
  const close = () => setOpened(NONE);
  const showSecret = ({ secret }: IssuedKey) => setOpened({ dialog: 'secret', secret });
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
      <Loaded query={keys}>
        {({ data, next_cursor: next }) => (
          <>
            {data.length === 0 && <Empty>Create a key to call the API.</Empty>}
            {data.length > 0 && <DataTable label="API keys" columns={columns} rows={data} idOf={({ id }) => id} />}
            <NextPage after={after} next={next} onGo={(cursor) => void navigate({ search: { after: cursor } })} />
          </>
        )}
      </Loaded>
      <CreateKeyDialog opened={opened.dialog === 'create'} onClose={close} onCreated={showSecret} />
      <SecretDialog
        title="Key created"
        help="Send it in the header Authorization, after “Bearer ”."
        secret={opened.dialog === 'secret' ? opened.secret : undefined}
        onStored={close}
      />
      {opened.dialog === 'revoke' && <RevokeKeyDialog apiKey={opened.key} onClose={close} />}
      {opened.dialog === 'replace' && (
        <ReplaceKeyDialog
          apiKey={opened.key}
          onClose={close}
          onCreated={(key) => {
            showSecret(key);
            void navigate({ search: { replaced: opened.key.id, replacement: key.id } });
          }}
        />
      )}
    </>
  );
}
