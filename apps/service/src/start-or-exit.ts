/** Starts what a process is for. What prevents it is said in one line, which names the variable of a port that is taken. */
export const startOrExit = async <Started>(
  start: () => Promise<Started>,
  ports: Readonly<Record<string, number | undefined>>,
): Promise<Started> => {
  try {
    return await start();
  } catch (error) {
    process.stderr.write(`Could not start: ${reasonOf(error, ports)}\n`);
    process.exit(1);
  }
};

const reasonOf = (error: unknown, ports: Readonly<Record<string, number | undefined>>): string => {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error && error.code === 'EADDRINUSE' && 'port' in error)) return error.message;
  const { port } = error;
  const [variable = 'PORT'] = Object.keys(ports).filter((name) => ports[name] === port);
  return `port ${port} is taken by another program (EADDRINUSE). Stop it, or set ${variable} to a free port.`;
};
