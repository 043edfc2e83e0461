import { Badge } from '@mantine/core';

const COLORS = { good: 'green.7', wait: 'orange.6', bad: 'red.7', off: 'gray.6' } as const;

const TEXT = { tt: 'none', fw: 400, fz: 'inherit', lh: 'inherit', h: 'auto', miw: 'max-content' } as const;

export type Tone = keyof typeof COLORS;

export interface StatusProps {
  readonly tone: Tone;
  readonly children: string;
  /** Why it is so. */
  readonly tip?: string | undefined;
}

/** How a status looks everywhere: a word, and a dot whose color only supports it. */
export function Status({ tone, children, tip }: StatusProps) {
  return (
    <Badge variant="dot" {...TEXT} px={0} bd={0} bg="transparent" color={COLORS[tone]} data-tip={tip}>
      {children}
    </Badge>
  );
}
