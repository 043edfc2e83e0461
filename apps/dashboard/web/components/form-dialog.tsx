import { Button, Group, Stack } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { ErrorAlert } from './error-alert.js';

export interface FormDialogProps {
  readonly title: string;
  /** What the button says that sends the form. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  /** What the form sends. */
  readonly change: Pick<UseMutationResult, 'isPending' | 'error'>;
  /** Asks before something that cannot be undone. */
  readonly isFinal?: boolean;
  readonly children: ReactNode;
}

/** What was typed stays where a send fails. */
export function FormDialog({ title, action, onClose, onSubmit, change, isFinal, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} role={isFinal ? 'alertdialog' : 'dialog'}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>{children}</Stack>
        <ErrorAlert error={change.error} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose} data-autofocus={isFinal || undefined}>
            Cancel
          </Button>
          <Button type="submit" {...(isFinal && { color: 'red' })} loading={change.isPending}>
            {action}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
