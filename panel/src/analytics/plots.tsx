// Charts whose library is loaded when the first one is shown.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { BarPlotProps } from './bar-plot.tsx';
import type { CurvePlotProps } from './curve-plot.tsx';

const LazyBars = lazy(() => import('./bar-plot.tsx').then(({ BarPlot }) => ({ default: BarPlot })));
const LazyCurves = lazy(() => import('./curve-plot.tsx').then(({ CurvePlot }) => ({ default: CurvePlot })));

export const Bars = (props: BarPlotProps) => (
  <Suspense fallback={<Skeleton height={260} />}>
    <LazyBars {...props} />
  </Suspense>
);

export const Curves = (props: CurvePlotProps) => (
  <Suspense fallback={<Skeleton height={280} />}>
    <LazyCurves {...props} />
  </Suspense>
);
