import { Alert, type AlertProps } from '@mantine/core';

/** Something to know. Errors are in an `ErrorAlert`. */
export function Notice(props: AlertProps) {
  return <Alert mb="md" {...props} role="note" />;
}
