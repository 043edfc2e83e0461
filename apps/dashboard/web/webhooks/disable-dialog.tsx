import { Text } from '@mantine/core';
import { ConfirmDialog } from '../components/confirm-dialog.js';
import { OperatorsLine } from '../components/operators-line.js';
import { useChange } from '../components/use-change.js';
import { disableEndpoint } from './queries.js';
import type { OneEndpointProps } from './types-dialog.js';

export function DisableDialog({ endpoint, onClose }: OneEndpointProps) {
  const change = useChange(disableEndpoint);
  return (
    <ConfirmDialog
      title="Disable endpoint"
      action="Disable"
      onClose={onClose}
      onConfirm={() => change.mutate(endpoint.id, { onSuccess: onClose })}
      isPending={change.isPending}
      error={change.error}
    >
      <Text>
        <bdi>{endpoint.url}</bdi> gets no events from now on, and its {endpoint.pending.toLocaleString('en')} pending
        deliveries fail. Events of the time until it is enabled again are not sent to it later.
      </Text>
      <OperatorsLine words={`webhooks disable ${endpoint.id}`} />
    </ConfirmDialog>
  );
}
