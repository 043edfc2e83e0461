import { Modal } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';

export interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** An alertdialog asks before something that cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog';
  /** A dialog that only its own button closes. */
  readonly mustBeAnswered?: boolean;
  readonly size?: 'md' | 'lg' | 'xl';
  readonly children: ReactNode;
}

export function Dialog({
  title,
  opened,
  onClose,
  role = 'dialog',
  mustBeAnswered = false,
  size = 'md',
  children,
}: DialogProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnEscape={!mustBeAnswered}
      closeOnClickOutside={false}
      size={size}
    >
      <Modal.Overlay />
      <Modal.Content renderRoot={(props: ComponentPropsWithRef<'section'>) => <section {...props} role={role} />}>
        <Modal.Header renderRoot={(props: ComponentPropsWithRef<'div'>) => <div {...props} />}>
          <Modal.Title component="h2">{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
