import { InvalidConfiguration, readConfig } from './config.js';

export const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.problems;
  }
};
