import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeLine } from './code-samples.js';

export const WITHHELD = {
  erased: 'The personal data in it was erased.',
  ended: 'The membership of its creator has ended.',
  missing: 'The creator is not seen on the platform at the moment, so that what it says is withheld.',
  unreadable: 'The key that decrypts it is missing at the moment. Ask the operator.',
} as const;

/** An answer in a few characters: `500`, or the class of the error. */
export const answerOf = (status: number | null, error: string | null): string =>
  status === null ? (error ?? '').replaceAll('_', ' ') : `${status}`;

export interface HttpMessageProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly startsRaw?: boolean;
}

export function HttpMessage({ headers, body, startsRaw }: HttpMessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Text size="sm" fw={500} mt="sm">
        Headers
      </Text>
      <CodeLine text={lines.join('\n')} what="the headers" />
      <Text size="sm" fw={500} mt="sm">
        Body
      </Text>
      <Bytes text={body} {...(startsRaw && { startsRaw })} />
    </>
  );
}

const formatted = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** JSON that people can read, and its bytes on request: a signature is of those. */
export function Bytes({ text, startsRaw = false }: { readonly text: string; readonly startsRaw?: boolean }) {
  const [isRaw, setIsRaw] = useState(startsRaw);
  return (
    <>
      <Switch label="As it was sent" checked={isRaw} onChange={() => setIsRaw(!isRaw)} size="xs" mb={4} data-no-print />
      <CodeLine text={isRaw ? text : formatted(text)} what="the body" />
    </>
  );
}
