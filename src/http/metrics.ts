// Counters and gauges -> Prometheus text, and the same to a meter of OpenTelemetry where there is one.
//
// Labels have few values: names of operations, statuses, roles. Names of skills, runs and tokens are not labels.

const bucketsMs = [5, 25, 100, 500, 2_500, 10_000] as const;

/** The part of a `Meter` of OpenTelemetry that is used. */
export interface Meter {
  createCounter(
    name: string,
    options: { readonly description: string },
  ): {
    add(value: number, labels: Labels): void;
  };
  createHistogram(
    name: string,
    options: { readonly description: string; readonly unit: string },
  ): { record(value: number, labels: Labels): void };
  createObservableGauge(
    name: string,
    options: { readonly description: string },
  ): {
    addCallback(observe: (result: { observe(value: number): void }) => void): void;
  };
}

interface Labels {
  readonly [name: string]: string;
}

const requestTimes = 'techne_http_request_seconds';

interface Histogram {
  readonly counts: number[];
  sumMs: number;
  count: number;
}

export class Metrics {
  readonly #counters = new Map<string, Map<string, number>>();
  readonly #times = new Map<string, Histogram>();
  readonly #gauges = new Map<string, () => number>();
  readonly #help = new Map<string, string>();
  readonly #meter: Meter | null;
  readonly #metered = new Map<string, ReturnType<Meter['createCounter']>>();
  #meteredTimes: ReturnType<Meter['createHistogram']> | null = null;

  constructor(meter: Meter | null = null) {
    this.#meter = meter;
  }

  describe(name: string, help: string): void {
    this.#help.set(name, help);
  }

  gauge(name: string, help: string, value: () => number): void {
    this.describe(name, help);
    this.#gauges.set(name, value);
    this.#meter
      ?.createObservableGauge(name, { description: help })
      .addCallback((result) => result.observe(value()));
  }

  count(name: string, labels: Labels = {}): void {
    this.#counterOf(name)?.add(1, labels);
    const counts = this.#counters.get(name) ?? new Map<string, number>();
    this.#counters.set(name, counts);
    const key = labelsText(labels);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  time(operation: string, ms: number): void {
    this.#meteredTimes ??=
      this.#meter?.createHistogram(requestTimes, {
        description: this.#help.get(requestTimes) ?? '',
        unit: 's',
      }) ?? null;
    this.#meteredTimes?.record(ms / 1_000, { operation });
    const found = this.#times.get(operation) ?? { counts: bucketsMs.map(() => 0), sumMs: 0, count: 0 };
    this.#times.set(operation, found);
    found.count += 1;
    found.sumMs += ms;
    for (const [at, most] of bucketsMs.entries())
      if (ms <= most) found.counts[at] = (found.counts[at] as number) + 1;
  }

  #counterOf(name: string): ReturnType<Meter['createCounter']> | null {
    if (this.#meter === null) return null;
    const made =
      this.#metered.get(name) ??
      this.#meter.createCounter(name, { description: this.#help.get(name) ?? name });
    this.#metered.set(name, made);
    return made;
  }

  render(): string {
    const lines: string[] = [];
    const head = (name: string, type: string): void =>
      void lines.push(`# HELP ${name} ${this.#help.get(name) ?? name}`, `# TYPE ${name} ${type}`);
    for (const [name, value] of this.#gauges) {
      head(name, 'gauge');
      lines.push(`${name} ${value()}`);
    }
    for (const [name, counts] of this.#counters) {
      head(name, 'counter');
      for (const [labels, value] of counts) lines.push(`${name}${labels} ${value}`);
    }
    const name = requestTimes;
    head(name, 'histogram');
    for (const [operation, { counts, sumMs, count }] of this.#times) {
      for (const [at, most] of bucketsMs.entries())
        lines.push(`${name}_bucket${labelsText({ operation, le: String(most / 1_000) })} ${counts[at]}`);
      lines.push(
        `${name}_bucket${labelsText({ operation, le: '+Inf' })} ${count}`,
        `${name}_sum${labelsText({ operation })} ${sumMs / 1_000}`,
        `${name}_count${labelsText({ operation })} ${count}`,
      );
    }
    return `${lines.join('\n')}\n`;
  }
}

function labelsText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
