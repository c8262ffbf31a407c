import type Koa from 'koa';
import { Counter, Histogram } from 'prom-client';

const labelNames = ['method', 'route', 'status'] as const;

const requests = new Counter({
  name: 'http_requests_total',
  help: 'Requests of the public interface, by route and status.',
  labelNames,
});

const seconds = new Histogram({
  name: 'http_request_seconds',
  help: 'How long a request took until its answer was ready.',
  labelNames: ['method', 'route'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Counted under the pattern of the route: the path itself may be anything, and hold an id. */
export function observeRequest(http: Koa.Context, took: number): void {
  const route = (http.state.route as string | undefined) ?? 'none';
  const method = route === 'none' ? 'any' : http.method;
  requests.inc({ method, route, status: String(http.status) });
  seconds.observe({ method, route }, took);
}
