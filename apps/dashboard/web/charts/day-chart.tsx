import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { DayCount } from '../api/types.js';

/** A picture of the table that is next to it; only this file loads the library for charts. */
export function DayChart({ days }: { readonly days: readonly DayCount[] }) {
  return (
    <div aria-hidden="true">
      <BarChart
        h={200}
        data={days.map(({ day, count }) => ({ day, Events: count }))}
        dataKey="day"
        series={[{ name: 'Events', color: 'indigo.6' }]}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
