import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { BillingAnswer, BillingPageAnswer } from '../../answers/billing.js';
import { post } from '../api/client.js';
import { serverQuery, useChange } from '../api/server-query.js';
import { useMay } from '../api/session.js';
import { columnsOf, DataTable, Empty } from '../components/data-table.js';
import { ErrorAlert, Loaded, Notice } from '../components/error-alert.js';
import { Name } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { Status } from '../components/status.js';

const billingQuery = serverQuery<BillingAnswer>('billing', '/api/billing');

/** A page of the platform that leads back to `returnPath`. */
const openBillingPage = (returnPath: string) =>
  post<BillingPageAnswer>('/api/billing/session', { return_path: returnPath });

const COLUMNS = columnsOf<BillingAnswer['payment_methods'][number]>({
  'Payment method': (row) => <Name>{row.label}</Name>,
  Kind: (row) => row.kind.replaceAll('_', ' '),
  Expires: (row) => row.expires ?? 'Never',
  Default: (row) => row.is_default && <Status tone="good">Default</Status>,
});

export function BillingPage() {
  const isOwner = useMay('billing');
  return (
    <>
      <PageTitle
        name="Billing"
        help="Payment methods and the plan are kept by the platform; this page shows what it says at the moment."
      />
      {isOwner ? <PaymentMethods /> : <Text>Only the owner of the agency sees its billing.</Text>}
    </>
  );
}

function PaymentMethods() {
  const billing = useQuery(billingQuery);
  const opening = useChange(openBillingPage);
  const manage = () =>
    opening.mutate(window.location.pathname + window.location.search, {
      onSuccess: ({ url }) => window.location.assign(url),
    });
  return (
    <Loaded query={billing}>
      {({ offered, plan, subscription_status: subscription, payment_methods: methods }) => (
        <>
          {plan !== null && (
            <Text mb="md">
              Plan: <strong>{plan}</strong>
              {subscription !== null && ` (${subscription.replaceAll('_', ' ')})`}
            </Text>
          )}
          {!offered && (
            <Notice title="Not offered">This platform does not offer payment methods here. Manage them there.</Notice>
          )}
          {offered && (
            <DataTable
              label="Payment methods"
              columns={COLUMNS}
              rows={methods}
              empty={<Empty>Add a payment method on the platform.</Empty>}
            />
          )}
          <ErrorAlert error={opening.error} />
          {offered && (
            <Button mt="md" onClick={manage} loading={opening.isPending}>
              Manage payment methods
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}
