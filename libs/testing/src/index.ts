export { eventually, Gate, settled, TIMEOUT_FACTOR, turnsDuring } from './eventually.js';
export { FakeClock } from './fake-clock.js';
export { FakeSearch } from './fake-search.js';
export { FakeSender } from './fake-sender.js';
export { at, folded, given, type Past } from './given.js';
export { RecordingLogger } from './recording-logger.js';
export { InMemoryDocumentStore } from './stores/memory-document-store.js';
export { InMemoryEventLog } from './stores/memory-event-log.js';
export { InMemoryKeyStore, KeysInMemory } from './stores/memory-key-store.js';
