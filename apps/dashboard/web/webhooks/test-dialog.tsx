import { Button, Group, Loader, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Dialog } from '../components/dialog.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Facts } from '../components/facts.js';
import { HttpMessage } from '../components/http-message.js';
import { answerOf, remedyOf } from '../components/remedies.js';
import { useChange } from '../components/use-change.js';
import { sendTest } from './queries.js';
import type { OneEndpointProps } from './types-dialog.js';

/** Sends a `ping` when it opens, and shows what was sent and how it was answered. */
export function TestDialog({ endpoint, onClose }: OneEndpointProps) {
  const { mutate, isPending, error, data } = useChange(sendTest);
  useEffect(() => mutate(endpoint.id), [mutate, endpoint.id]);
  return (
    <Dialog title="Send test" onClose={onClose} size="lg">
      {isPending && <Loader role="status" aria-label="Sending" />}
      <ErrorAlert error={error} title="The test was not sent" />
      {data !== undefined && (
        <>
          <Facts
            facts={{
              Answer: answerOf(data.status, data.error),
              ...(data.ms !== null && { Duration: `${data.ms.toLocaleString('en')} ms` }),
            }}
          />
          <Text size="sm" mt="xs">
            {remedyOf(data.status, data.error)}
          </Text>
          <HttpMessage headers={data.headers} body={data.body} />
        </>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => mutate(endpoint.id)} loading={isPending}>
          Send again
        </Button>
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Dialog>
  );
}
