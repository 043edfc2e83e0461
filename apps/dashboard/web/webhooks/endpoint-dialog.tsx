import { Button, Checkbox, Group, Loader, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CodeSamplesAnswer, EventType } from '../../answers/parts.js';
import type { ListedEndpointAnswer } from '../../answers/webhooks.js';
import { useChange } from '../api/server-query.js';
import { Choice } from '../components/choice.js';
import { CodeSamples } from '../components/code-samples.js';
import { Dialog } from '../components/dialog.js';
import { ErrorAlert, fieldError } from '../components/error-alert.js';
import { FormDialog } from '../components/form-dialog.js';
import { counted, duration } from '../components/formats.js';
import { answerOf, HttpMessage } from '../components/http-message.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts } from '../components/page-title.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { EVENT_TYPES } from '../event-types.js';
import {
  addEndpoint,
  disableEndpoint,
  OVERLAP_NAMES,
  type Overlap,
  rotateSecret,
  sendTest,
  setTypes,
} from './queries.js';

/** Sends a `ping` when it opens, and shows what was sent and how it was answered. */
function TestDialog({ endpoint, onClose }: OneEndpointProps) {
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
              ...(data.ms !== null && { Duration: `${duration(data.ms)}` }),
            }}
          />
          <Text size="sm" mt="xs">
            {data.remedy}
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

interface RotateDialogProps extends OneEndpointProps {
  readonly onSecret: (secret: string) => void;
}

function RotateDialog({ endpoint, onClose, onSecret }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotation = useChange(rotateSecret);
  return (
    <FormDialog
      title="Rotate secret"
      action="Rotate secret"
      onClose={onClose}
      onSubmit={() => rotation.mutate({ id: endpoint.id, overlap }, { onSuccess: ({ secret }) => onSecret(secret) })}
      change={rotation}
    >
      <Text size="sm">
        A new secret signs what is sent to <bdi>{endpoint.url}</bdi>. While the old one signs too, a receiver may check
        with either.
      </Text>
      <Choice label="Old secret signs for" names={OVERLAP_NAMES} value={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}

function DisableDialog({ endpoint, onClose }: OneEndpointProps) {
  const change = useChange(disableEndpoint);
  return (
    <FormDialog
      title="Disable endpoint"
      action="Disable"
      onClose={onClose}
      onSubmit={() => change.mutate(endpoint.id, { onSuccess: onClose })}
      change={change}
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

interface AddEndpointDialogProps {
  readonly onClose: () => void;
  readonly onSecret: (secret: string, samples: CodeSamplesAnswer) => void;
}

function AddEndpointDialog({ onClose, onSecret }: AddEndpointDialogProps) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState<readonly EventType[]>(EVENT_TYPES);
  const addition = useChange(addEndpoint);
  const add = () => {
    if (types.length === 0) return;
    addition.mutate(
      { url, types: chosenTypes(types) },
      { onSuccess: ({ secret, samples }) => onSecret(secret, samples) },
    );
  };
  return (
    <FormDialog
      title="Add endpoint"
      action="Add endpoint"
      onClose={onClose}
      onSubmit={add}
      change={addition}
      fields={['url', 'types']}
    >
      <TextInput
        label="URL"
        description="Where your backend receives events: a public https address. It gets those that happen from now on."
        placeholder="https://hooks.example.com/creator-protection"
        type="url"
        required
        error={fieldError(addition.error, 'url')}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <EventTypeChoice value={types} onChange={setTypes} refusal={fieldError(addition.error, 'types')} />
    </FormDialog>
  );
}

export interface OneEndpointProps {
  readonly endpoint: ListedEndpointAnswer;
  readonly onClose: () => void;
}

function TypesDialog({ endpoint, onClose }: OneEndpointProps) {
  const [types, choose] = useState<readonly EventType[]>(endpoint.types ?? EVENT_TYPES);
  const change = useChange(setTypes);
  const save = () => {
    if (types.length > 0) change.mutate({ id: endpoint.id, types: chosenTypes(types) }, { onSuccess: onClose });
  };
  return (
    <FormDialog title="Event types" action="Save" onClose={onClose} onSubmit={save} change={change} fields={['types']}>
      <EventTypeChoice value={types} onChange={choose} refusal={fieldError(change.error, 'types')} />
    </FormDialog>
  );
}

interface EventTypeChoiceProps {
  readonly value: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
  readonly refusal: string | undefined;
}

/** Choosing everything means all types, including later ones. */
export const chosenTypes = (chosen: readonly EventType[]): EventType[] | null =>
  chosen.length === EVENT_TYPES.length ? null : [...chosen];

export function EventTypeChoice({ value, onChange, refusal }: EventTypeChoiceProps) {
  return (
    <Checkbox.Group
      label="Event types"
      description="With all of them, the endpoint also gets types that are added later."
      value={[...value]}
      onChange={(chosen) => onChange(EVENT_TYPES.filter((type) => chosen.includes(type)))}
      error={value.length === 0 ? 'Choose at least one.' : refusal}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
        {EVENT_TYPES.map((type) => (
          <Checkbox key={type} value={type} label={type} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

export type OpenedEndpointDialog =
  | { readonly dialog: 'add' }
  | { readonly dialog: 'test' | 'rotate' | 'types' | 'disable'; readonly endpoint: ListedEndpointAnswer }
  | { readonly dialog: 'secret'; readonly secret: string; readonly samples?: CodeSamplesAnswer };

export interface EndpointDialogProps {
  readonly opened: OpenedEndpointDialog;
  readonly onChange: (opened: OpenedEndpointDialog | undefined) => void;
}

/** All dialogs of the page, loaded when the first one opens. */
export function EndpointDialog({ opened, onChange }: EndpointDialogProps) {
  const onClose = () => onChange(undefined);
  const onSecret = (secret: string, samples?: CodeSamplesAnswer) =>
    onChange({ dialog: 'secret', secret, ...(samples && { samples }) });
  switch (opened.dialog) {
    case 'add':
      return <AddEndpointDialog onClose={onClose} onSecret={onSecret} />;
    case 'test':
      return <TestDialog endpoint={opened.endpoint} onClose={onClose} />;
    case 'rotate':
      return <RotateDialog endpoint={opened.endpoint} onClose={onClose} onSecret={onSecret} />;
    case 'types':
      return <TypesDialog endpoint={opened.endpoint} onClose={onClose} />;
    case 'disable':
      return <DisableDialog endpoint={opened.endpoint} onClose={onClose} />;
    case 'secret':
      return (
        <SecretDialog
          title="Secret created"
          help="Your receiver checks signatures with it."
          secret={opened.secret}
          onStored={onClose}
        >
          {opened.samples && (
            <>
              <Text size="sm" mb="xs">
                To try it on your machine, set WEBHOOK_SECRET, start the receiver, and send it a signed event.
              </Text>
              <CodeSamples {...opened.samples} />
            </>
          )}
        </SecretDialog>
      );
  }
}
