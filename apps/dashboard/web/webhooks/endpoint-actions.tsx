import { Text } from '@mantine/core';
import type { ListedEndpointAnswer } from '../../answers/webhooks.js';
import { lazyPart } from '../api/part.js';
import { useChange } from '../api/server-query.js';
import { useMay } from '../api/session.js';
import { useDialog } from '../components/dialog.js';
import { ErrorAlert } from '../components/error-alert.js';
import { DAY_MS, duration, exactTime, percent, words } from '../components/formats.js';
import { LinkTo } from '../components/id.js';
import { useNow } from '../components/now.js';
import { Status } from '../components/status.js';
import { say } from '../components/toast.js';
import { enableEndpoint } from './queries.js';

interface OfEndpoint {
  readonly endpoint: ListedEndpointAnswer;
}

const REASONS: Readonly<Record<string, string>> = { operator: 'Disabled by hand', failing: 'It failed for five days' };

export const disabledReason = ({ disabled_reason: reason }: ListedEndpointAnswer): string | undefined =>
  reason === null ? undefined : (REASONS[reason] ?? words(reason));

export function EndpointStatus({ endpoint }: OfEndpoint) {
  switch (endpoint.status) {
    case 'active':
      return endpoint.is_failing ? <Status tone="bad">Failing</Status> : <Status tone="good">Healthy</Status>;
    case 'disabled':
      return (
        <Status tone="off" tip={disabledReason(endpoint)}>
          Disabled
        </Status>
      );
    case 'earlier_binding':
      return <Status tone="off">Earlier binding</Status>;
  }
}

export function SuccessRate({ endpoint: { id, success_rate: rate } }: OfEndpoint) {
  if (rate === null) return '–';
  return (
    <LinkTo to="/deliveries" search={{ endpoint: id, from: `${Date.now() - 7 * DAY_MS}` }}>
      {percent(rate)}
    </LinkTo>
  );
}

export function DisabledIn({ at }: { readonly at: number | null }) {
  const now = useNow();
  if (at === null) return '–';
  return (
    <Text span inherit c="var(--mantine-color-error)" data-tip={exactTime(at)}>
      {duration(Math.max(0, at - now))}
    </Text>
  );
}

type Actions = Readonly<Record<string, () => void>>;

const AddEndpointDialog = lazyPart(async () => (await import('./endpoint-dialog.js')).AddEndpointDialog);
const TestDialog = lazyPart(async () => (await import('./endpoint-dialog.js')).TestDialog);
const RotateDialog = lazyPart(async () => (await import('./endpoint-dialog.js')).RotateDialog);
const TypesDialog = lazyPart(async () => (await import('./endpoint-dialog.js')).TypesDialog);
const DisableDialog = lazyPart(async () => (await import('./endpoint-dialog.js')).DisableDialog);

/** Returns the actions that the person may take, and the dialog that is open. */
export function useEndpointActions() {
  const mayManage = useMay('manage_endpoints');
  const mayDisable = useMay('disable_endpoints');
  const { mutate: enable, error } = useChange(enableEndpoint);
  const { dialog: opened, opening } = useDialog();
  const actionsOf = (endpoint: ListedEndpointAnswer): Actions => {
    if (endpoint.status === 'disabled') {
      const again = () => enable(endpoint.id, { onSuccess: () => say('The endpoint is enabled') });
      return { ...(mayManage && { Enable: again }) };
    }
    return {
      ...(mayManage &&
        endpoint.status === 'active' && {
          'Send test': opening(TestDialog, { endpoint }),
          'Rotate secret': opening(RotateDialog, { endpoint }),
          'Event types': opening(TypesDialog, { endpoint }),
        }),
      ...(mayDisable && { Disable: opening(DisableDialog, { endpoint }) }),
    };
  };
  const dialog = (
    <>
      <ErrorAlert error={error} title="The endpoint was not enabled" />
      {opened}
    </>
  );
  return { mayManage, mayAct: mayManage || mayDisable, actionsOf, add: opening(AddEndpointDialog, {}), dialog };
}
