import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { continueSession, loginAddress } from '../api/session.js';
import { Dialog } from '../components/dialog.js';
import { SIGNED_IN, SIGNED_IN_PATH } from './signed-in.js';

/** Opens the login in another window, so that this one keeps its input. */
const signInAgain = (): void => {
  const address = loginAddress(SIGNED_IN_PATH);
  const other = window.open(address, 'dashboard-sign-in');
  if (other === null) window.location.assign(loginAddress(window.location.pathname + window.location.search));
};

export function SessionEnded() {
  const client = useQueryClient();
  useEffect(() => {
    const goOn = (): void => void continueSession(client).catch(() => undefined);
    const channel = new BroadcastChannel(SIGNED_IN);
    channel.addEventListener('message', goOn);
    window.addEventListener('focus', goOn);
    return () => {
      channel.close();
      window.removeEventListener('focus', goOn);
    };
  }, [client]);
  return (
    <Dialog title="Session ended" onClose={() => undefined} mustBeAnswered>
      <Text mb="md">Sign in again to go on. What you typed on this page stays.</Text>
      <Button onClick={signInAgain}>Sign in again</Button>
    </Dialog>
  );
}
