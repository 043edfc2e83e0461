import { Box, Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import type { RowData } from '@tanstack/react-table';
import { Suspense } from 'react';
import { lazyPart } from '../api/part.js';
import type { DayChartProps } from '../charts/day-chart.js';
import { DataTable, type DataTableProps } from './data-table.js';

const DayChart = lazyPart(async () => (await import('../charts/day-chart.js')).DayChart);

/** A chart, while it is in sight because it has hundreds of elements, with the table of its figures. */
export function ChartedTable<Row extends RowData>({ bars, onBar, ...table }: DataTableProps<Row> & DayChartProps) {
  const { ref, inViewport: isInSight } = useInViewport();
  return (
    <>
      <Box ref={ref} h={200}>
        <Suspense fallback={<Skeleton height={200} />}>{isInSight && <DayChart bars={bars} onBar={onBar} />}</Suspense>
      </Box>
      <details open>
        <summary>The same as a table</summary>
        <DataTable {...table} />
      </details>
    </>
  );
}
