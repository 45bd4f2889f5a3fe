import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a span says: ids, patterns, verbs and statuses. Never a name, an email address, a value of a query, a body, a
 * message of an error or a credential: traces go to people who may see none of those.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work with a beginning and an end. */
export interface Span {
  readonly isEnded: boolean;
  /** @param hasFailed whether whoever waits for the work got no good answer, through no fault of theirs */
  end(attributes: SpanAttributes, hasFailed: boolean): void;
}

/** Records what the server does, for a collector of traces. */
export interface Tracer {
  /**
   * Begins a span, within the one that runs here.
   * @param kind `server` for a call that is answered, `client` for a request that is sent
   */
  begin(name: string, kind: 'server' | 'client', attributes: SpanAttributes): Span;
  /** Sends what is left. */
  close(): Promise<void>;
}

const running = new AsyncLocalStorage<Span>();

/** Runs something as part of a span. */
export function withinSpan<T>(span: Span, run: () => T): T {
  return running.run(span, run);
}

/** The span that this is part of; undefined outside, and for what outlives it, as a watch that others share. */
export function runningSpan(): Span | undefined {
  const span = running.getStore();
  return span?.isEnded === true ? undefined : span;
}

/**
 * The tracer that OpenTelemetry's own variables ask for; undefined unless they name a collector. Its packages are read
 * only then. Throws StartError where they ask for what cannot be done.
 */
export async function openTracer(
  env: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): Promise<Tracer | undefined> {
  const isNamed = [env['OTEL_EXPORTER_OTLP_ENDPOINT'], env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']].some(
    Boolean,
  );
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (!isNamed || isOff) return undefined;
  const { OpenTelemetryTracer } = await import('./opentelemetry.ts');
  return new OpenTelemetryTracer(env, warn);
}
