/** They end a process in order; the last one when the terminal in which it was started is closed (D113). */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

// Without a listener Node opens an inspector, through which any program of this user can run code in the process.
process.on('SIGUSR1', () => undefined);
