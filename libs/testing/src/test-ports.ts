import { FakePlatform } from '../../creators/src/platform.fixtures.js';
import { FakeBilling } from './fake-billing.js';
import { FakeClock } from './fake-clock.js';
import { FakeDirectory } from './fake-directory.js';
import { FakeEngine } from './fake-engine.js';
import { FakeImpersonations } from './fake-impersonations.js';
import { FakeLeaks } from './fake-leaks.js';
import { FakeSearch } from './fake-search.js';
import { FakeSender } from './fake-sender.js';
import { InMemoryDocumentStore } from './stores/memory-document-store.js';
import { InMemoryEventLog } from './stores/memory-event-log.js';

/** The stores and the outside systems of one test. */
export class TestPorts {
  readonly clock = new FakeClock();
  readonly log = new InMemoryEventLog();
  readonly documents = new InMemoryDocumentStore();
  readonly platform = new FakePlatform();
  readonly engine = new FakeEngine();
  readonly leaks = new FakeLeaks();
  readonly impostors = new FakeImpersonations();
  readonly directory = new FakeDirectory();
  readonly billing = new FakeBilling();
  readonly search = new FakeSearch();
  readonly sender = new FakeSender();
}
