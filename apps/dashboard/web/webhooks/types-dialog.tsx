import { useState } from 'react';
import type { ListedEndpointAnswer } from '../../src/webhooks/answers.js';
import { EVENT_TYPES, type EventType } from '../components/event-types.js';
import { FormDialog } from '../components/form-dialog.js';
import { useChange } from '../components/use-change.js';
import { chosenTypes, EventTypeChoice } from './event-type-choice.js';
import { setTypes } from './queries.js';

export interface OneEndpointProps {
  readonly endpoint: ListedEndpointAnswer;
  readonly onClose: () => void;
}

export function TypesDialog({ endpoint, onClose }: OneEndpointProps) {
  const [types, choose] = useState<readonly EventType[]>(endpoint.types ?? EVENT_TYPES);
  const change = useChange(setTypes);
  const save = () => {
    if (types.length > 0) change.mutate({ id: endpoint.id, types: chosenTypes(types) }, { onSuccess: onClose });
  };
  return (
    <FormDialog title="Event types" action="Save" onClose={onClose} onSubmit={save} change={change}>
      <EventTypeChoice value={types} onChange={choose} />
    </FormDialog>
  );
}
