import { Modal } from '@mantine/core';
import { type ComponentPropsWithRef, type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { keepFocus } from './keep-focus.js';

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

/** Open while it is rendered. Afterwards the focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  role = 'dialog',
  mustBeAnswered = false,
  size = 'md',
  children,
}: DialogProps) {
  useEffect(keepFocus, []);
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

/** The dialog that a page shows, if any: a component that is loaded when it first opens. */
export function useDialog() {
  const [dialog, open] = useState<ReactNode>(null);
  /** Returns what opens it. */
  const opening =
    <Props extends Pick<DialogProps, 'onClose'>>(Opened: ComponentType<Props>, props: Omit<Props, 'onClose'>) =>
    () =>
      open(<Opened {...(props as Props)} onClose={() => open(null)} />);
  return { opening, dialog: <Suspense>{dialog}</Suspense> };
}
