import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, type Duration, HOUR, SECOND } from '#kernel';
import { FakeClock, InMemoryDocumentStore } from '#testing';
import { Leases } from './leases.js';

const TTL = 6 * SECOND;
/** How often a holder renews, and how often another one asks. */
const RENEWED_EVERY = TTL / 4;
const ASKED_EVERY = SECOND / 2;
const YEAR = 365 * DAY;

const START = 1_767_225_600_000;

/** Processes with separate wall clocks, and one store. Each step takes `ASKED_EVERY`. */
class Processes {
  private readonly store = new InMemoryDocumentStore();
  private readonly clocks: readonly FakeClock[];
  readonly leases: readonly Leases[];

  constructor(wrongBy: readonly Duration[]) {
    this.clocks = wrongBy.map((by) => new FakeClock(START + by));
    this.leases = this.clocks.map((clock, n) => new Leases(this.store, clock, `host-${n}/1/1/`));
  }

  jump(process: number, by: Duration): void {
    this.clocks[process]?.jump(by);
  }

  pass(time: Duration): void {
    for (const clock of this.clocks) clock.advance(time);
  }
}

const wrongBy = fc.constantFrom(-YEAR, -HOUR, -3 * SECOND, 0, 3 * SECOND, HOUR, YEAR);
const jumps = fc.array(fc.record({ step: fc.nat(60), process: fc.nat(2), by: wrongBy }), { maxLength: 6 });

describe('with wrong wall clocks in any of three processes (D93), a lease', () => {
  it('is never taken from a holder that renews it, and is taken soon after the last renewal of one that does not', () =>
    fc.assert(
      fc.asyncProperty(fc.tuple(wrongBy, wrongBy, wrongBy), jumps, async (wrong, jumping) => {
        const processes = new Processes(wrong);
        const [holder, ...others] = processes.leases;
        const first = await holder?.acquire('runner', TTL);
        const othersTake = async () =>
          (await Promise.all(others.map((leases) => leases.acquire('runner', TTL)))).some(Boolean);
        const step = async (n: number) => {
          for (const { step: at, process, by } of jumping) if (at === n) processes.jump(process, by);
          processes.pass(ASKED_EVERY);
          return othersTake();
        };
        const lived = 40;
        for (let n = 0; n < lived; n++) {
          if ((n * ASKED_EVERY) % RENEWED_EVERY === 0) {
            expect((await holder?.acquire('runner', TTL))?.fence).toBe(first?.fence);
          }
          expect(await step(n)).toBe(false);
        }
        // The holder's machine is lost.
        let waited = 0;
        while (!(await step(lived + waited / ASKED_EVERY))) waited += ASKED_EVERY;
        expect(waited).toBeLessThanOrEqual(TTL + ASKED_EVERY);
      }),
      { numRuns: 60 },
    ));
});
