import type { EventLog } from '#kernel';

/** A log of the adapter under test, empty or at least without anything from this test. */
export interface OpenedEventLog {
  readonly log: EventLog;
  /** Another log on the same events, for adapters whose events outlive them. Closed by `close`. */
  readonly reopen?: () => Promise<EventLog>;
  /** Breaks what connects the log with its server, for adapters that have one. */
  readonly loseConnections?: () => void;
  /** Closes everything that was opened and removes what it left. */
  close(): Promise<void>;
}

/** The opened log of the current test. */
export type Opened = () => OpenedEventLog;
