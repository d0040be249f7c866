// Serves liveness, readiness and metrics for load balancers, supervisors and Prometheus.
import { Router } from 'express';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface HealthParts {
  metrics: Metrics;
  readiness: Readiness;
}

export function createHealthRouter({ metrics, readiness }: HealthParts): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const report = await readiness.check();
    response.status(report.status === 'not ready' ? 503 : 200).json(report);
  });
  router.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.text());
  });
  return router;
}
