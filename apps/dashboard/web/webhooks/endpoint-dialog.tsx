import { Button, Checkbox, Group, Loader, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { EventType } from '../../answers/parts.js';
import type { ListedEndpointAnswer } from '../../answers/webhooks.js';
import { useChange } from '../api/server-query.js';
import { useSession } from '../api/session.js';
import { Choice } from '../components/choice.js';
import { CodeSamples } from '../components/code-samples.js';
import { Dialog } from '../components/dialog.js';
import { ErrorAlert } from '../components/error-alert.js';
import { FormDialog } from '../components/form-dialog.js';
import { counted, duration, endpointName } from '../components/formats.js';
import { answerOf, HttpMessage } from '../components/http-message.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts } from '../components/page-title.js';
import { SecretDialog } from '../components/secret-dialog.js';
import {
  addEndpoint,
  disableEndpoint,
  OVERLAP_NAMES,
  type Overlap,
  rotateSecret,
  sendTest,
  setTypes,
} from './queries.js';

interface CloseProps {
  readonly onClose: () => void;
}

interface OneEndpointProps extends CloseProps {
  readonly endpoint: ListedEndpointAnswer;
}

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
          <Facts facts={{ Answer: answerOf(data.status, data.error), Duration: duration(data.ms) }} />
          <Text size="sm" mt="xs">
            {data.remedy}
          </Text>
          <HttpMessage headers={data.headers} body={data.body} startsRaw />
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

const SECRET = { title: 'Secret created', help: 'Your receiver checks signatures with it.' };

export function RotateDialog({ endpoint, onClose }: OneEndpointProps) {
  const [overlap, setOverlap] = useState<Overlap>('24h');
  return (
    <FormDialog
      title="Rotate secret"
      action="Rotate secret"
      send={() => rotateSecret(endpoint.id, overlap)}
      next={({ secret }) => <SecretDialog {...SECRET} secret={secret} onStored={onClose} />}
      onClose={onClose}
    >
      <Text size="sm">
        A new secret signs what is sent to <bdi>{endpoint.url}</bdi>. While the old one signs too, a receiver may check
        with either.
      </Text>
      <Choice label="Old secret signs for" names={OVERLAP_NAMES} value={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}

export function DisableDialog({ endpoint, onClose }: OneEndpointProps) {
  return (
    <FormDialog
      title="Disable endpoint"
      action="Disable"
      send={() => disableEndpoint(endpoint.id)}
      said={`${endpointName(endpoint.url)} is disabled`}
      onClose={onClose}
      isFinal
    >
      <Text>
        <bdi>{endpoint.url}</bdi> gets no events from now on
        {endpoint.pending > 0 &&
          `, and its ${counted(endpoint.pending, 'pending delivery', 'pending deliveries')} will fail`}
        . Events that occur while it is disabled are never sent to it.
      </Text>
      <OperatorsLine words={`webhooks disable ${endpoint.id}`} />
    </FormDialog>
  );
}

export function AddEndpointDialog({ onClose }: CloseProps) {
  const [url, setUrl] = useState('');
  const { event_types: all } = useSession();
  const [types, setTypes] = useState(all);
  return (
    <FormDialog
      title="Add endpoint"
      action="Add endpoint"
      send={() => addEndpoint({ url, types: chosenOf(types, all) })}
      next={({ secret, samples }) => (
        <SecretDialog {...SECRET} secret={secret} onStored={onClose}>
          <Text size="sm" mb="xs">
            To try it on your machine, set WEBHOOK_SECRET, start the receiver, and send it a signed event.
          </Text>
          <CodeSamples {...samples} />
        </SecretDialog>
      )}
      onClose={onClose}
      fields={['url', 'types']}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="URL"
            description="Where your backend receives events: a public https address. It gets those that happen from now on."
            placeholder="https://hooks.example.com/creator-protection"
            type="url"
            required
            error={errorOf('url')}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            data-autofocus
          />
          <EventTypeChoice value={types} onChange={setTypes} refusal={errorOf('types')} />
        </>
      )}
    </FormDialog>
  );
}

export function TypesDialog({ endpoint, onClose }: OneEndpointProps) {
  const { event_types: all } = useSession();
  const [types, choose] = useState(endpoint.types ?? all);
  return (
    <FormDialog
      title="Event types"
      action="Save"
      send={() => setTypes(endpoint.id, chosenOf(types, all))}
      said={`The event types of ${endpointName(endpoint.url)} are changed`}
      onClose={onClose}
      fields={['types']}
    >
      {(errorOf) => <EventTypeChoice value={types} onChange={choose} refusal={errorOf('types')} />}
    </FormDialog>
  );
}

interface EventTypeChoiceProps {
  readonly value: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
  readonly refusal: string | undefined;
}

/** Choosing everything means all types, including later ones. */
const chosenOf = (chosen: readonly EventType[], all: readonly EventType[]) =>
  chosen.length === all.length ? null : chosen;

function EventTypeChoice({ value, onChange, refusal }: EventTypeChoiceProps) {
  const { event_types: all } = useSession();
  return (
    <Checkbox.Group
      label="Event types"
      description="With all of them, the endpoint also gets types that are added later."
      value={[...value]}
      onChange={(chosen) => onChange(all.filter((type) => chosen.includes(type)))}
      error={value.length === 0 ? 'Choose at least one.' : refusal}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
        {all.map((type) => (
          <Checkbox key={type} value={type} label={type} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
