import { Code, Text } from '@mantine/core';
import classes from './http-message.module.css';

export interface HttpMessageProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request as it was sent. */
export function HttpMessage({ headers, body }: HttpMessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Text size="sm" fw={500} mt="sm">
        Headers
      </Text>
      <Code block className={classes.text}>
        {lines.join('\n')}
      </Code>
      <Text size="sm" fw={500} mt="sm">
        Body
      </Text>
      <Code block className={classes.text} dir="auto">
        {body}
      </Code>
    </>
  );
}
