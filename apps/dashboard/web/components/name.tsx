import classes from './breakable.module.css';

/** A text that a person chose: of any length, in any direction. */
export function Name({ children }: { readonly children: string }) {
  return <bdi className={classes.name}>{children}</bdi>;
}
