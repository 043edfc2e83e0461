import { Anchor, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RequestAnswer } from '../../answers/requests.js';
import { serverQuery } from '../api/server-query.js';
import { CodeLine } from '../components/code-samples.js';
import { DataTable, Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded } from '../components/error-alert.js';
import { Thing } from '../components/id.js';
import { Facts, PageTitle, Panel } from '../components/page-title.js';
import { REQUEST_COLUMNS } from './page.js';

const route = getRouteApi('/requests/$id');

const requestQuery = (id: string) => serverQuery<RequestAnswer>('requests', `/api/requests/${encodeURIComponent(id)}`);

export function RequestPage() {
  const { id } = route.useParams();
  const found = useQuery(requestQuery(id));
  return (
    <>
      <PageTitle name={found.data?.request?.route ?? 'Request'} id={id} />
      <Loaded query={found}>
        {({ request, around }) =>
          request === null ? (
            <Empty isFiltered>
              The latest 1,000 requests that were refused or failed are kept. One that succeeded is not among them.
            </Empty>
          ) : (
            <Stack>
              <Refusal request={request} />
              <Panel title="Requests of the same key before and after it">
                <DataTable
                  label="Requests"
                  columns={REQUEST_COLUMNS}
                  rows={around}
                  idOf={({ request_id }) => request_id}
                />
              </Panel>
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}

function Refusal({ request }: { readonly request: NonNullable<RequestAnswer['request']> }) {
  const { status, code, problems, remedy, docs, curl } = request;
  return (
    <>
      <Panel title="What was wrong">
        <Facts
          facts={{
            Answer: code === null ? status : `${status} ${code}`,
            Key: <Thing id={request.key_id} name={request.key_name} />,
            Time: <DateTime at={request.at} />,
          }}
        />
        {problems.length > 0 && (
          <List size="sm" my="sm" aria-label="Rules">
            {problems.map(({ field, rule }) => (
              <List.Item key={`${field} ${rule}`}>
                <b>{field}</b> {rule}
              </List.Item>
            ))}
          </List>
        )}
        <Text mt="sm">
          {remedy} <Anchor href={docs}>Documentation of errors</Anchor>
        </Text>
      </Panel>
      {curl !== null && (
        <Panel title="Repeat it">
          <Text size="sm" mb="xs">
            The values of the request were not kept. Put in your own, and the secret of the key.
          </Text>
          <CodeLine text={curl} what="the line" />
        </Panel>
      )}
    </>
  );
}
