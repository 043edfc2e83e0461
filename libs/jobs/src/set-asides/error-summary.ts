import { DomainError, InvalidAppend, PersonalDataUnreadable } from '#kernel';

const MAX_LENGTH = 300;
const SAFE_TO_QUOTE = [DomainError, InvalidAppend, PersonalDataUnreadable];

/** Without its message, which may quote personal data; only messages of our own classes are known to quote nothing. */
export const errorSummary = (error: unknown): string => {
  if (!(error instanceof Error)) return 'a value that is no error was thrown';
  if (SAFE_TO_QUOTE.some((safe) => error instanceof safe)) return shortened(`${error.name}: ${error.message}`);
  const throwSite = throwSiteOf(error);
  return shortened(throwSite === undefined ? error.name : `${error.name} ${throwSite}`);
};

const shortened = (text: string): string => text.slice(0, MAX_LENGTH);

/** The first line of the stack, `at <function> (<file>:<line>)`, without folders. */
const throwSiteOf = ({ stack = '', message }: Error): string | undefined => {
  const after = stack.indexOf(message) + message.length;
  const [, line] = /\n\s+(at [^\n]+)/.exec(stack.slice(after)) ?? [];
  return line?.replace(/(?:file:\/\/)?\/[^():]*\//g, '');
};
