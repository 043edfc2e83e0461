import { Button, Group, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { copyText } from './toast.js';

export interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly help: string;
  readonly onStored: () => void;
  readonly children?: ReactNode;
}

/** Shows a secret, this once. It stays until the person says that it is stored: Escape does not close it. */
export function SecretDialog({ title, secret, help, onStored, children }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onStored} mustBeAnswered size="lg">
      <Text size="sm" mb="sm">
        {help} It is shown this once.
      </Text>
      <TextInput
        label="Secret"
        value={secret}
        readOnly
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        mb="md"
      />
      {children}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => copyText(secret)}>
          Copy
        </Button>
        <Button onClick={onStored}>I have stored it</Button>
      </Group>
    </Dialog>
  );
}
