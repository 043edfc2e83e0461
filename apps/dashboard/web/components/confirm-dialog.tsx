import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { ErrorAlert } from './error-alert.js';

export interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ action, onConfirm, isPending, error, children, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog role="alertdialog" {...dialog}>
      {children}
      <ErrorAlert error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={dialog.onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={onConfirm} loading={isPending}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
