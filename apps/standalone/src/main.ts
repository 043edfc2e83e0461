import { run } from '../../service/src/run.js';

await run(async (setup) => {
  // Loaded after the configuration was found valid.
  const { startStandalone } = await import('./standalone.js');
  const standalone = await startStandalone(setup);
  setup.logger.info({ url: standalone.url }, 'standalone ready');
  return standalone;
});
