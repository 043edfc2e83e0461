import { Skeleton } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { Suspense } from 'react';
import { lazyPart } from '../api/part.js';
import type { DayChartProps } from '../charts/day-chart.js';
import { DataTable, type DataTableProps } from './data-table.js';

const DayChart = lazyPart(async () => (await import('../charts/day-chart.js')).DayChart);

/** A chart with the table of its figures. */
export function ChartedTable<Row extends RowData>({ bars, onBar, ...table }: DataTableProps<Row> & DayChartProps) {
  return (
    <>
      <Suspense fallback={<Skeleton height={200} />}>
        <DayChart bars={bars} onBar={onBar} />
      </Suspense>
      <details open>
        <summary>The same as a table</summary>
        <DataTable {...table} />
      </details>
    </>
  );
}
