import type { LinkedCreator, Synchronized } from '#creators';
import type { CommandContext } from '#kernel';

/** A port and no command, because neither context may import the other; the service's module joins them. */
export abstract class ImpersonationWalk {
  abstract walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized>;
}
