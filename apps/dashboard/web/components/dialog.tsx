import { Modal } from '@mantine/core';
import { type ComponentPropsWithRef, type ReactNode, useEffect } from 'react';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** An alertdialog asks before something that cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog';
  /** A dialog that only its own button closes. */
  readonly mustBeAnswered?: boolean;
  readonly size?: 'md' | 'lg';
  readonly children: ReactNode;
}

const returnFocus = (): (() => void) => {
  const before = document.activeElement;
  return () => {
    if (before instanceof HTMLElement) before.focus();
  };
};

/** Is open as long as it is there. Afterwards the focus is where it was. */
export function Dialog({
  title,
  onClose,
  role = 'dialog',
  mustBeAnswered = false,
  size = 'md',
  children,
}: DialogProps) {
  useEffect(returnFocus, []);
  return (
    <Modal.Root opened onClose={onClose} closeOnEscape={!mustBeAnswered} closeOnClickOutside={false} size={size}>
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
