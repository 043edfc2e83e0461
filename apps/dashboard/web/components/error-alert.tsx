import { Alert, List, Text } from '@mantine/core';
import { ApiError } from '../api/errors.js';
import { Copy } from './copy.js';

/** What went wrong, and the request id with which support finds it in the log. */
export function ErrorAlert({
  error,
  title = 'This did not work',
}: {
  readonly error: Error | null;
  readonly title?: string;
}) {
  if (error === null) return null;
  const refusal = error instanceof ApiError ? error : null;
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
