import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable, Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded } from '../components/error-alert.js';
import { Actor, LinkTo } from '../components/id.js';
import { ActionButtons } from '../components/menu.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts, PageTitle, Panel } from '../components/page-title.js';
import { KeyStatus, LastUse, Secret, useKeyActions } from './key-actions.js';
import { keyQuery, PRESET_NAMES, ROUTE_COLUMNS } from './queries.js';

const route = getRouteApi('/keys/$id');

export function KeyPage() {
  const { id } = route.useParams();
  const key = useQuery(keyQuery(id));
  const { actionsOf, dialog } = useKeyActions();
  return (
    <>
      <PageTitle name={key.data?.name ?? 'API key'} id={id}>
        {key.data && <ActionButtons actions={actionsOf(key.data)} />}
      </PageTitle>
      {dialog}
      <Loaded query={key}>
        {(shown) => (
          <Stack>
            <Facts
              facts={{
                Status: <KeyStatus apiKey={shown} />,
                Secret: <Secret apiKey={shown} />,
                Permissions: PRESET_NAMES[shown.preset],
                Scopes: shown.scopes.join(', '),
                Created: <DateTime at={shown.created_at} />,
                'Created by': <Actor value={shown.created_by.actor} name={shown.created_by.actor_name} />,
                Expires: shown.expires_at === null ? 'Never' : <DateTime at={shown.expires_at} />,
                'Last used': <LastUse apiKey={shown} />,
              }}
            />
            <Panel title="Calls of 7 days by route">
              <DataTable
                label="Calls of 7 days"
                columns={ROUTE_COLUMNS}
                rows={shown.calls}
                empty={<Empty>Send a request with the key; it is counted here.</Empty>}
              />
              <LinkTo to="/requests" search={{ key: id }} size="sm">
                Its calls by time, and its refused requests
              </LinkTo>
            </Panel>
            <OperatorsLine words={`keys revoke ${id}`} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
