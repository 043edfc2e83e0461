import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { ErrorAlert } from './error-alert.js';

export interface FormDialogProps {
  readonly title: string;
  /** What the button says that sends the form. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly children: ReactNode;
}

/** What was typed stays where a send fails. */
export function FormDialog({ action, onSubmit, isPending, error, children, ...dialog }: FormDialogProps) {
  return (
    <Dialog {...dialog}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>{children}</Stack>
        <ErrorAlert error={error} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={dialog.onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
