import { Button, Group, Stack } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { ErrorAlert } from './error-alert.js';

export interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly change: Pick<UseMutationResult, 'isPending' | 'error'>;
  /** Cannot be undone: the button is red, and the focus is on "Cancel". */
  readonly isFinal?: boolean;
  readonly role?: 'dialog' | 'alertdialog';
  /** Fields that show their errors themselves. */
  readonly fields?: readonly string[];
  readonly children: ReactNode;
}

/** Keeps the input when the request fails. */
export function FormDialog({
  title,
  action,
  onClose,
  onSubmit,
  change,
  isFinal,
  role,
  fields,
  children,
}: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} role={role ?? (isFinal ? 'alertdialog' : 'dialog')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>{children}</Stack>
        <ErrorAlert error={change.error} {...(fields && { fields })} />
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
