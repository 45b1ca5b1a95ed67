import { describe, expect, it } from 'vitest';
import type { Meter } from './metrics.ts';
import { Metrics } from './metrics.ts';

describe('Metrics', () => {
  it('gives a meter of OpenTelemetry what Prometheus reads', () => {
    const got: unknown[] = [];
    const gauges: (() => void)[] = [];
    const meter: Meter = {
      createCounter: (name) => ({ add: (value, labels) => void got.push([name, value, labels]) }),
      createHistogram: (name, { unit }) => ({
        record: (value, labels) => void got.push([name, value, unit, labels]),
      }),
      createObservableGauge: (name) => ({
        addCallback: (observe) =>
          void gauges.push(() => observe({ observe: (value) => void got.push([name, value]) })),
      }),
    };
    const metrics = new Metrics(meter);
    metrics.gauge('techne_runs_running', 'Runs', () => 3);
    metrics.count('techne_http_requests_total', { operation: 'getRun', status: '200' });
    metrics.time('getRun', 250);
    for (const look of gauges) look();
    expect(got).toEqual([
      ['techne_http_requests_total', 1, { operation: 'getRun', status: '200' }],
      ['techne_http_request_seconds', 0.25, 's', { operation: 'getRun' }],
      ['techne_runs_running', 3],
    ]);
    const text = metrics.render();
    expect(text).toContain('techne_runs_running 3\n');
    expect(text).toContain('techne_http_requests_total{operation="getRun",status="200"} 1\n');
    expect(text).toContain('techne_http_request_seconds_bucket{operation="getRun",le="0.5"} 1\n');
  });
});
