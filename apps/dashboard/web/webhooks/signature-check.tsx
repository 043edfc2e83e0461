import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../api/server-query.js';
import { ErrorAlert, fieldError } from '../components/error-alert.js';
import { Panel } from '../components/page-title.js';
import { checkSignature } from './queries.js';
import { parseHeaders, sha256Of } from './sent-headers.js';

interface ReceivedRequest {
  readonly endpoint: string;
  readonly headers: string;
  readonly body: string;
}

const check = async ({ endpoint, headers, body }: ReceivedRequest) =>
  checkSignature({ endpoint, headers: parseHeaders(headers), sha256: await sha256Of(body) });

export function SignatureCheck({ endpoint }: Pick<ReceivedRequest, 'endpoint'>) {
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const verdict = useChange(check);
  return (
    <Panel title="Check a signature">
      <Text size="sm" c="dimmed" mb="sm">
        If your receiver refuses signatures, paste a request that it got. The body stays in your browser: only its hash
        is sent.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          verdict.mutate({ endpoint, headers, body });
        }}
      >
        <Stack>
          <Textarea
            label="Headers"
            error={fieldError(verdict.error, 'headers')}
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
      <ErrorAlert error={verdict.error} fields={['headers']} />
      <Text role="status" mt="sm">
        {verdict.data?.message}
      </Text>
    </Panel>
  );
}
