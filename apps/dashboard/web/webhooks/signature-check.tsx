import { Button, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { EndpointsAnswer } from '../../src/webhooks/answers.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Panel } from '../components/panel.js';
import { useChange } from '../components/use-change.js';
import { checkSignature } from './queries.js';
import { parseHeaders, sha256Of } from './sent-headers.js';

interface ReceivedRequest {
  readonly endpoint: string;
  readonly headers: string;
  readonly body: string;
}

const check = async ({ endpoint, headers, body }: ReceivedRequest) =>
  checkSignature({ endpoint, headers: parseHeaders(headers), sha256: await sha256Of(body) });

/** For a receiver that refuses signatures: says which of its parts differs. */
export function SignatureCheck({ endpoints }: { readonly endpoints: EndpointsAnswer['data'] }) {
  const [chosen, setChosen] = useState('');
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const verdict = useChange(check);
  const endpoint = endpoints.find(({ id }) => id === chosen) ?? endpoints[0];
  if (endpoint === undefined) return null;
  return (
    <Panel title="Check a signature">
      <Text size="sm" c="dimmed" mb="sm">
        If your receiver refuses signatures, paste a request that it got. The body stays in your browser: only its hash
        is sent.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          verdict.mutate({ endpoint: endpoint.id, headers, body });
        }}
      >
        <Stack>
          {endpoints.length > 1 && (
            <NativeSelect
              label="Endpoint"
              description="The one that the request was sent to"
              data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
              value={endpoint.id}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
          <Textarea
            label="Headers"
            description="As they arrived, one in a line: X-SVC-Event-ID and X-SVC-Signature among them, or those of Standard Webhooks"
            autosize
            minRows={3}
            value={headers}
            onChange={(event) => setHeaders(event.currentTarget.value)}
          />
          <Textarea
            label="Body"
            description="The bytes as they arrived, before anything parsed them"
            autosize
            minRows={3}
            maxRows={12}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          <Button type="submit" loading={verdict.isPending} style={{ alignSelf: 'flex-start' }}>
            Check
          </Button>
        </Stack>
      </form>
      <ErrorAlert error={verdict.error} />
      <Text role="status" mt="sm">
        {verdict.data?.message}
      </Text>
    </Panel>
  );
}
