import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change on the server. What the page shows is asked for again after it. */
export function useChange<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => void client.invalidateQueries(),
  });
}
