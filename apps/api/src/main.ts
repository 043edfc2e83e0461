import { run } from '../../service/src/run.js';

await run(async (setup) => {
  // Loaded after the configuration was validated.
  const { createApi } = await import('./api.js');
  const { listen } = await createApi(setup);
  const api = await listen(setup.config);
  setup.logger.info({ url: api.url }, 'api ready');
  return api;
});
