import { withSecretFiles } from '#configuration';
import { invalidRequest } from '#kernel';
import { asPath } from '../arguments.js';

const FROM_ENVIRONMENT = /^env:(\w+)$/;
const URL = /^[a-z][a-z0-9+.-]*:\/\//i;
const WITH_CREDENTIALS = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;

/**
 * A path or URL that a command names: as it is, or `env:<NAME>` for the value of that variable or of the file in
 * `<NAME>_FILE`. D95: a URL with a password is refused as an argument, because other users of the machine see the
 * arguments.
 */
export const secretLocation = (field: string, given: string, environment: NodeJS.ProcessEnv): string => {
  const location = locationIn(field, given, environment);
  return URL.test(location) ? location : asPath(location);
};

const locationIn = (field: string, location: string, environment: NodeJS.ProcessEnv): string => {
  const [, name] = FROM_ENVIRONMENT.exec(location) ?? [];
  if (name === undefined) {
    if (!WITH_CREDENTIALS.test(location)) return location;
    const message =
      'must not be a URL with a password: put it in a variable, and write env: and the name of the variable';
    throw invalidRequest({ field, message });
  }
  const value = withSecretFiles(environment).environment[name];
  if (value === undefined) throw invalidRequest({ field, message: `${name} is not set` });
  return value;
};
