import type { Services } from '../../support/open-service.js';

/** Counts what the service records, but for its seals: those come when the clock says so, regardless of the test. */
export const countRecorded = ({ log }: Services): { readonly events: number } => {
  const recorded = { events: 0 };
  const append = log.append.bind(log);
  log.append = async (stream, expected, events) => {
    const appended = await append(stream, expected, events);
    if (!stream.startsWith('seal-')) recorded.events += events.length;
    return appended;
  };
  return recorded;
};
