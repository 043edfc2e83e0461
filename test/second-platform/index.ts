import { isCompletelyServed, Listener } from './listener.js';
import { Faults, RecordOfCalls } from './record-of-calls.js';
import { World } from './world.js';

export { CANARY } from './answer.js';

/**
 * A second implementation of contracts/native-platform.openapi.yaml, written from its text alone. Where the contract
 * leaves a choice it takes another one than apps/platform-sandbox; what the contract doesn't allow it refuses and records.
 */
export class SecondPlatform {
  private constructor(
    readonly platform: Listener,
    readonly engine: Listener,
    readonly search: Listener,
    readonly record: RecordOfCalls,
    readonly faults: Faults,
    readonly control: World,
  ) {}

  /** `now` in epoch milliseconds. Three addresses with a token each, two of them below a base path. */
  static async start(now: () => number): Promise<SecondPlatform> {
    if (!isCompletelyServed()) throw new Error('the contract and this platform have different operations');
    const around = { world: new World(now), record: new RecordOfCalls(), faults: new Faults() };
    const platform = new Listener('platform', 'p-token/+=.~', '/native/v2', around);
    const engine = new Listener('engine', 'e-token', '', around);
    const search = new Listener('search', 's-token', '/se%20arch', around);
    await Promise.all([platform, engine, search].map((listener) => listener.listen()));
    return new SecondPlatform(platform, engine, search, around.record, around.faults, around.world);
  }

  async stop(): Promise<void> {
    await Promise.all([this.platform, this.engine, this.search].map((listener) => listener.close()));
  }
}
