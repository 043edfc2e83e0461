import { Text } from '@mantine/core';
import { useEffect } from 'react';

/** Where a login from the dialog "Session ended" returns to, in its own window. */
export const SIGNED_IN_PATH = '/dashboard/signed-in';
export const SIGNED_IN = 'dashboard-signed-in';

export function SignedIn() {
  useEffect(() => {
    new BroadcastChannel(SIGNED_IN).postMessage('signed in');
    window.close();
  }, []);
  return <Text p="md">You are signed in. Close this window and go on in the other one.</Text>;
}
