import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CodeSamplesAnswer } from '../../src/answers.js';
import { EVENT_TYPES } from '../components/event-types.js';
import { FormDialog } from '../components/form-dialog.js';
import { useChange } from '../components/use-change.js';
import { chosenTypes, EventTypeChoice } from './event-type-choice.js';
import { addEndpoint } from './queries.js';

export interface AddEndpointDialogProps {
  readonly onClose: () => void;
  readonly onSecret: (secret: string, samples: CodeSamplesAnswer) => void;
}

export function AddEndpointDialog({ onClose, onSecret }: AddEndpointDialogProps) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState(EVENT_TYPES);
  const addition = useChange(addEndpoint);
  const add = () => {
    if (types.length === 0) return;
    addition.mutate(
      { url, types: chosenTypes(types) },
      { onSuccess: ({ secret, samples }) => onSecret(secret, samples) },
    );
  };
  return (
    <FormDialog title="Add endpoint" action="Add endpoint" onClose={onClose} onSubmit={add} change={addition}>
      <TextInput
        label="URL"
        description="Where your backend receives events: a public https address. It gets those that happen from now on."
        placeholder="https://hooks.example.com/creator-protection"
        type="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <EventTypeChoice value={types} onChange={setTypes} />
    </FormDialog>
  );
}
