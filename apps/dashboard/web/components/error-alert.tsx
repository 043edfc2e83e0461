import { Alert, type AlertProps, List, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.js';
import { Copy } from './id.js';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** How many lines it probably has. */
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the answer of a query. A later failure keeps the last answer in sight. */
export function Loaded<Data>({ query, rows = 3, children }: LoadedProps<Data>) {
  const { data, error, isPending } = query;
  return (
    <>
      <ErrorAlert error={error} title="This could not be loaded" />
      {isPending && (
        <Stack gap={16} py="sm" role="status" aria-label="Loading">
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same.
            <Skeleton key={row} height={24} />
          ))}
        </Stack>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

export function Notice(props: AlertProps) {
  return <Alert mb="md" {...props} role="note" />;
}

/** Finds the reason why a refusal names a field of the form. */
export const fieldError = (error: Error | null, name: string): string | undefined =>
  error instanceof ApiError ? error.details.find(({ field }) => field === name)?.message : undefined;

interface ErrorAlertProps {
  readonly error: Error | null;
  readonly title?: string;
  /** Fields that show their errors themselves. */
  readonly fields?: readonly string[];
}

export function ErrorAlert({ error, title = 'This did not work', fields = [] }: ErrorAlertProps) {
  if (error === null) return null;
  const refusal = error instanceof ApiError ? error : null;
  const isShown = ({ field }: { readonly field?: string }) => field !== undefined && fields.includes(field);
  if (refusal !== null && refusal.details.length > 0 && refusal.details.every(isShown)) return null;
  return (
    <Alert role="alert" color="red" title={title} my="sm">
      <Text size="sm">{error.message}</Text>
      {refusal !== null && refusal.details.length > 0 && (
        <List size="sm">
          {refusal.details.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>{field === undefined ? message : `${field}: ${message}`}</List.Item>
          ))}
        </List>
      )}
      {refusal?.requestId && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Request id: {refusal.requestId} <Copy value={refusal.requestId} what="the request id" />
        </Text>
      )}
    </Alert>
  );
}
