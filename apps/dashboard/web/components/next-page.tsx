import { Button, Group } from '@mantine/core';

export interface NextPageProps {
  /** The cursor in the page's address, undefined on the first page. */
  readonly after: string | undefined;
  readonly next: string | null;
  readonly onGo: (after: string | undefined) => void;
}

/** The pages of a list that the server cuts. The cursor is in the address, so Back goes to the page before. */
export function NextPage({ after, next, onGo }: NextPageProps) {
  if (after === undefined && next === null) return null;
  return (
    <Group justify="center" mt="md">
      {after !== undefined && (
        <Button variant="default" onClick={() => onGo(undefined)}>
          First page
        </Button>
      )}
      {next !== null && (
        <Button variant="default" onClick={() => onGo(next)}>
          Next page
        </Button>
      )}
    </Group>
  );
}
