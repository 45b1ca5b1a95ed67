// `techne/events`: the events of runs and sessions, and sinks that write them as JSON lines or OpenTelemetry spans.
// Re-exports only.
export { createJsonlEvents } from './node/events/jsonl.ts';
export type { EventSink, JsonlEventsOptions, JsonlStream } from './node/events/jsonl.ts';
export { createOtelEvents, loadOtelApi } from './node/events/otel.ts';
export type {
  OtelApi,
  OtelAttributes,
  OtelContext,
  OtelEventsOptions,
  OtelSpan,
  OtelTracer,
  OtelValue,
} from './node/events/otel.ts';
export type {
  LoadReason,
  SkillChanged,
  SkillEvent,
  SkillLoaded,
  SkillPlace,
  SkillToolFailed,
} from './prompt/skill-loaded.ts';
export type { Changes, Kept } from './registry/watch/compare-snapshots.ts';
export type { WatchEvent } from './registry/watch/watch.ts';
export { eventSensitivity } from './run/events.ts';
export type { OnRunEvent, PlannedStep, RunEvent } from './run/events.ts';
