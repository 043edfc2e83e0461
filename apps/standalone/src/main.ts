import { run } from '../../service/src/run.js';

await run(async (setup) => {
  // Loaded when the configuration has been found right.
  const { startStandalone } = await import('./standalone.js');
  const standalone = await startStandalone(setup);
  setup.logger.info({ url: standalone.url }, 'standalone ready');
  return standalone;
});
