import { Text } from '@mantine/core';
import { FormDialog } from '../components/form-dialog.js';
import { OperatorsLine } from '../components/operators-line.js';
import { useChange } from '../components/use-change.js';
import { disableEndpoint } from './queries.js';
import type { OneEndpointProps } from './types-dialog.js';

export function DisableDialog({ endpoint, onClose }: OneEndpointProps) {
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
        <bdi>{endpoint.url}</bdi> gets no events from now on, and its {endpoint.pending.toLocaleString('en')} pending
        deliveries fail. Events of the time until it is enabled again are not sent to it later.
      </Text>
      <OperatorsLine words={`webhooks disable ${endpoint.id}`} />
    </FormDialog>
  );
}
