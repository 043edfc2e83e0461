import type { DayAnswer } from '../../src/overview/answers.js';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

/** A picture of the table that is next to it; only this file loads the library for charts. */
export interface DayChartProps {
  readonly days: readonly DayAnswer[];
  /** What is counted. */
  readonly name?: string;
}

export function DayChart({ days, name = 'Events' }: DayChartProps) {
  return (
    <div aria-hidden="true">
      <BarChart
        h={200}
        data={days.map(({ day, count }) => ({ day, [name]: count }))}
        dataKey="day"
        series={[{ name, color: 'indigo.6' }]}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ allowDecimals: false }}
      />
    </div>
  );
}
