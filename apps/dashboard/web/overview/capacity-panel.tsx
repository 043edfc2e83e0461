import { Progress, Text } from '@mantine/core';
import type { CapacityAnswer } from '../../src/overview/answers.js';
import { Facts } from '../components/facts.js';
import { Panel } from '../components/panel.js';

export function CapacityPanel({ capacity }: { readonly capacity: CapacityAnswer | null }) {
  if (capacity === null) {
    return (
      <Panel title="Capacity">
        <Text size="sm">The platform does not say how many slots there are.</Text>
      </Panel>
    );
  }
  const { total_slots: total, occupied_slots: occupied, reserved_slots: reserved } = capacity;
  const used = total === 0 ? 0 : Math.min(100, ((occupied + reserved) / total) * 100);
  return (
    <Panel title="Capacity">
      <Progress value={used} aria-label="Used slots" mb="sm" />
      <Facts
        facts={{
          ...(capacity.plan !== null && { Plan: capacity.plan }),
          Slots: total,
          Occupied: occupied,
          Reserved: reserved,
          Available: capacity.available_slots,
          ...(capacity.overflow_slots > 0 && { 'More than the plan has': capacity.overflow_slots }),
        }}
      />
    </Panel>
  );
}
