import { Badge } from '@mantine/core';
import { useConnectionWatch } from '../api/connection-watch.js';

export function LiveStatus() {
  const reachable = useConnectionWatch();
  return (
    <Badge component="output" role="status" color={reachable ? 'green' : 'orange'} variant="dot" tt="none">
      {reachable ? 'Live' : 'Reconnecting'}
    </Badge>
  );
}
