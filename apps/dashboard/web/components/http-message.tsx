import { Code, Text } from '@mantine/core';

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
}

export function HttpMessage({ headers, body }: HttpMessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Text size="sm" fw={500} mt="sm">
        Headers
      </Text>
      <Code block>{lines.join('\n')}</Code>
      <Text size="sm" fw={500} mt="sm">
        Body
      </Text>
      <Code block dir="auto">
        {body}
      </Code>
    </>
  );
}
