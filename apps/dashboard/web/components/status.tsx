import classes from './status.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'off';

export interface StatusProps {
  readonly tone: Tone;
  readonly children: string;
  /** Why it is so. */
  readonly tip?: string | undefined;
}

/** How a status looks everywhere: a word, and a dot whose color only supports it. */
export function Status({ tone, children, tip }: StatusProps) {
  return (
    <span className={classes.status} data-tone={tone} data-tip={tip}>
      {children}
    </span>
  );
}
