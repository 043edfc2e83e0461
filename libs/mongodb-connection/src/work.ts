import type { MongoClientOptions } from 'mongodb';

/** For whom the store works: a request has to be answered soon, a rebuild or a copy has to end well. */
export type Work = 'requests' | 'background';

type Timeouts = Pick<
  MongoClientOptions,
  'serverSelectionTimeoutMS' | 'connectTimeoutMS' | 'waitQueueTimeoutMS' | 'socketTimeoutMS' | 'maxPoolSize'
>;

interface Limits {
  readonly timeouts: Timeouts;
  /** Waits before the second attempt, the third and so on, in milliseconds. */
  readonly waits: readonly number[];
  /** Whether a command that was not answered in time is sent again. */
  readonly retriesTimeouts: boolean;
}

export const LIMITS: Readonly<Record<Work, Limits>> = {
  requests: {
    // A request waits for several of these at worst, and has to be answered while its caller is still there.
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
    // A batch of 500 documents, or an index over a large collection, takes its time on a busy server.
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
