import { Badge } from '@mantine/core';
import { useConnectionWatch } from '../api/connection-watch.js';

export function LiveStatus() {
  const reachable = useConnectionWatch();
  const text = reachable ? 'Live' : 'Reconnecting';
  return (
    <Badge
      component="output"
      role="status"
      aria-label={text}
      color={reachable ? 'green' : 'orange'}
      variant="dot"
      tt="none"
    >
      {text}
    </Badge>
  );
}
