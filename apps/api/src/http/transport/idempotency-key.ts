import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidRequest, isBoundedText, textProblem } from '#kernel';

export const MAX_IDEMPOTENCY_KEY_LENGTH = 120;

const HEADER = 'idempotency-key';

/** The one `Idempotency-Key` of the request (D45). An invisible one may repeat an earlier request (D98). */
export const IdempotencyKey = createParamDecorator((_: unknown, host: ExecutionContext): string =>
  idempotencyKeyOf(host.switchToHttp().getRequest<FastifyRequest>().raw),
);

export const idempotencyKeyOf = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string => {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER);
  const [sent] = values;
  const refuse = (message: string) => invalidRequest({ field: 'Idempotency-Key', message });
  if (sent === undefined || values.length > 1) throw refuse('must be sent exactly once');
  const key = asText(sent);
  const problem = textProblem(key, MAX_IDEMPOTENCY_KEY_LENGTH);
  const mayBeRepeat = key !== '' && isBoundedText(key, MAX_IDEMPOTENCY_KEY_LENGTH);
  if (problem !== undefined && !mayBeRepeat) throw refuse(problem);
  return key;
};

/** Node reads each byte of a header as a character. Decodes UTF-8, so that characters are counted (D7). */
const asText = (header: string): string => {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
};
