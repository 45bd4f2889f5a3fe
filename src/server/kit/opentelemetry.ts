import {
  diag,
  DiagLogLevel,
  type Span as TelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as TelemetryTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { StartError } from './start-error.ts';
import { runningSpan, type Span, type SpanAttributes, type Tracer } from './tracer.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is left at the end has this long to reach the collector, ms. */
const flushLimit = 2_000;

/** A span of theirs behind the interface of ours. */
class RecordedSpan implements Span {
  readonly inner: TelemetrySpan;
  #isEnded = false;

  constructor(inner: TelemetrySpan) {
    this.inner = inner;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  end(attributes: SpanAttributes, hasFailed: boolean): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.inner.setAttributes(attributes);
    if (hasFailed) this.inner.setStatus({ code: SpanStatusCode.ERROR });
    this.inner.end();
  }
}

/**
 * Sends spans over OTLP/HTTP as the standard variables say: the exporter reads address, headers, timeout and compression
 * from the environment itself. Nothing is registered with the process, so no library adds spans of its own.
 */
export class OpenTelemetryTracer implements Tracer {
  readonly #provider: TracerProvider;
  readonly #tracer: TelemetryTracer;

  constructor(env: Environment, warn: (sentence: string) => void) {
    const exporter = exporterOf(env);
    // Whatever is no text may hold what the collector answered, or the headers that were sent.
    const say = (...said: unknown[]) =>
      warn(`Traces: ${said.filter((part) => typeof part === 'string').join(': ')}`);
    const hush = () => undefined;
    const logger = { error: say, warn: say, info: hush, debug: hush, verbose: hush };
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    this.#provider = new TracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'wheelhouse' }))
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(env),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.#tracer = this.#provider.getTracer('wheelhouse');
  }

  begin(name: string, kind: 'server' | 'client', attributes: SpanAttributes): Span {
    const parent = runningSpan();
    const context = parent instanceof RecordedSpan ? trace.setSpan(ROOT_CONTEXT, parent.inner) : ROOT_CONTEXT;
    const options = { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT, attributes };
    return new RecordedSpan(this.#tracer.startSpan(name, options, context));
  }

  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, flushLimit).unref());
    await Promise.race([this.#provider.shutdown(), late]);
  }
}

function exporterOf(env: Environment): JsonExporter | ProtobufExporter {
  const protocol =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  if (protocol === 'http/protobuf') return new ProtobufExporter();
  if (protocol === 'http/json') return new JsonExporter();
  throw new StartError(
    `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}". The console sends traces by http/protobuf or http/json: name one of them, and the collector's port for HTTP, usually 4318.`,
  );
}

/** The sampler that OTEL_TRACES_SAMPLER names; everything without it. */
function samplerOf(env: Environment): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  const root = name.replace('parentbased_', '');
  if (root === 'traceidratio' && !(ratio >= 0 && ratio <= 1))
    throw new StartError(
      'OTEL_TRACES_SAMPLER_ARG is the share of traces that are kept: a number from 0 to 1.',
    );
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const make = samplers[root];
  if (make === undefined)
    throw new StartError(
      `OTEL_TRACES_SAMPLER is "${name}". The console knows always_on, always_off and traceidratio, each with or without parentbased_ before it.`,
    );
  return name === root ? make() : new ParentBasedSampler({ root: make() });
}
