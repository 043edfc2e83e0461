import { userInfo } from 'node:os';
import { type CommandContext, ConsistencyToken, newEventId } from '#kernel';

/** Commands of the tool are recorded with the operator's name. What they change determines the workspace. */
export const operatorContext = (): CommandContext => ({
  actor: operatorActor(),
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
});

/** D113: containers often run as a user id without a name, which the system then fails to look up. */
export const operatorActor = (lookUp: () => { readonly username: string } = userInfo): string =>
  `operator:${nameFrom(lookUp) || `uid-${process.geteuid?.()}`}`;

const nameFrom = (lookUp: () => { readonly username: string }): string | undefined => {
  try {
    return lookUp().username;
  } catch {
    return undefined;
  }
};
