import Sequencer from '@jest/test-sequencer';

/** Small files that take long: Jest begins with large files if it has no durations of an earlier run. The longest first. */
const LONG = [
  'crash/kill',
  'crash/fleet',
  'crash/take-over',
  'crash/client',
  'e2e/limits/dashboard-reads',
  'e2e/operation/round-trips',
  'e2e/limits/any-size-and-text',
  'crash/stop',
  'crash/two-processes',
  'crash/idle',
  'crash/erasure',
];

const rankOf = ({ path }) => {
  const rank = LONG.findIndex((name) => path.endsWith(`/test/${name}.spec.ts`));
  return rank === -1 ? LONG.length : rank;
};

/** Begins with what takes longest, so that no worker is idle while one runs the last long file. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
