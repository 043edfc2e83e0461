import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

/** The figures of a day, or of a shorter time, by what they count. All bars have the same. */
export interface Bar {
  readonly day: string;
  readonly [series: string]: string | number;
}

const BAD = 'Failed';

export interface DayChartProps {
  readonly bars: readonly Bar[];
  /** Opens what a bar counts. */
  readonly onBar?: ((day: string) => void) | undefined;
}

/** Only this file loads the chart library. The table next to it has the same figures. */
export function DayChart({ bars, onBar }: DayChartProps) {
  const names = Object.keys(bars[0] ?? {}).filter((name) => name !== 'day');
  return (
    <div aria-hidden="true">
      <BarChart
        h={200}
        data={[...bars]}
        dataKey="day"
        type="stacked"
        maxBarWidth={48}
        series={names.map((name) => ({ name, color: name === BAD ? 'red.6' : 'indigo.6' }))}
        barChartProps={{ accessibilityLayer: false, onClick: ({ activeLabel }) => onBar?.(`${activeLabel}`) }}
        xAxisProps={{ tickFormatter: (day: string) => day.replace(/^\d{4}-/, '') }}
        yAxisProps={{ allowDecimals: false }}
      />
    </div>
  );
}
