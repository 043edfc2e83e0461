import type { MongoClientOptions } from 'mongodb';

/** What waits for the store: a request needs an answer soon, a rebuild or a copy has to succeed. */
export type Work = 'requests' | 'background';

type Timeouts = Pick<
  MongoClientOptions,
  'serverSelectionTimeoutMS' | 'connectTimeoutMS' | 'waitQueueTimeoutMS' | 'socketTimeoutMS' | 'maxPoolSize'
>;

interface Limits {
  readonly timeouts: Timeouts;
  /** Waits before the second attempt, the third and so on, in milliseconds. */
  readonly waits: readonly number[];
  /** Whether a command without an answer in time is sent again. */
  readonly retriesTimeouts: boolean;
}

export const LIMITS: Readonly<Record<Work, Limits>> = {
  requests: {
    // A request may wait for several of these, and its client must still be connected when it is answered.
    timeouts: {
      serverSelectionTimeoutMS: 2_000,
      connectTimeoutMS: 2_000,
      waitQueueTimeoutMS: 5_000,
      socketTimeoutMS: 5_000,
      maxPoolSize: 50,
    },
    waits: [50, 250],
    retriesTimeouts: false,
  },
  background: {
    // A batch of 500 documents, or an index over a large collection, is slow on a busy server.
    timeouts: {
      serverSelectionTimeoutMS: 10_000,
      connectTimeoutMS: 10_000,
      waitQueueTimeoutMS: 120_000,
      socketTimeoutMS: 120_000,
      maxPoolSize: 10,
    },
    waits: [50, 250, 1_000, 5_000],
    retriesTimeouts: true,
  },
};
