import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../api/server-query.js';
import { Dialog } from './dialog.js';
import { ErrorAlert, fieldError } from './error-alert.js';
import { say } from './toast.js';

export interface FormDialogProps<Answer> {
  readonly title: string;
  readonly action: string;
  readonly send: () => Promise<Answer>;
  readonly onClose: () => void;
  /** Said when it is done, and then the dialog closes. */
  readonly said?: string;
  readonly onSuccess?: (answer: Answer) => void;
  /** Takes the place of the dialog when it is done. */
  readonly next?: (answer: Answer) => ReactNode;
  /** Something has to be loaded first. */
  readonly isWaiting?: boolean;
  /** Cannot be undone: the button is red, and the focus is on "Cancel". */
  readonly isFinal?: boolean;
  readonly role?: 'dialog' | 'alertdialog';
  /** Fields that show their errors themselves. */
  readonly fields?: readonly string[];
  readonly children: ReactNode | ((errorOf: (field: string) => string | undefined) => ReactNode);
}

/** Sends what its fields say. Keeps the input when the request fails. */
export function FormDialog<Answer>(props: FormDialogProps<Answer>) {
  const { title, action, onClose, said, onSuccess, next, isFinal, fields, children } = props;
  const { mutate, isPending, error, data } = useChange(props.send);
  if (next !== undefined && data !== undefined) return next(data);
  const done = (answer: Answer) => {
    if (said !== undefined) say(said);
    onSuccess?.(answer);
    if (next === undefined) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} role={props.role ?? (isFinal ? 'alertdialog' : 'dialog')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutate(undefined, { onSuccess: done });
        }}
      >
        <Stack>{typeof children === 'function' ? children((field) => fieldError(error, field)) : children}</Stack>
        <ErrorAlert error={error} {...(fields && { fields })} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose} data-autofocus={isFinal || undefined}>
            Cancel
          </Button>
          <Button type="submit" {...(isFinal && { color: 'red' })} loading={isPending || props.isWaiting === true}>
            {action}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
