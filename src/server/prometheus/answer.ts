import { z } from 'zod';
import { cleanText } from '../../kube/text.ts';

/** Points that an answer may have at most; more than that were not asked for. */
const pointLimit = 1_000;
/** Series of an answer that are looked at: each expression makes one at most. */
const seriesLimit = 1;
/** Longest warning that is repeated, characters. */
const warningLimit = 200;

/** A time in seconds and a value as text: numbers, `NaN`, `+Inf` and `-Inf`. */
const sampleSchema = z.tuple([z.number(), z.string().max(64)]);

const warnings = z.array(z.string()).optional();

const matrixSchema = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(z.object({ values: z.array(sampleSchema).max(pointLimit) })).max(seriesLimit),
  }),
  warnings,
});

const vectorSchema = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('vector'),
    result: z.array(z.object({ value: sampleSchema })).max(seriesLimit),
  }),
  warnings,
});

/** An answer that is none of what Prometheus answers. */
export class UnreadableAnswer extends Error {}

/** The values of one series on a grid of times. */
export interface Points {
  /** One value for each time of the grid; null where there is none. */
  readonly values: readonly (number | null)[];
  /** The source says that something is wrong with its own answer. What it says is for Owners: it may name others' series. */
  readonly isPartial: boolean;
}

/** A number of Prometheus; null for what is none, or is not finite. */
function numberOf(text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function warningOf(given: readonly string[] | undefined): string | undefined {
  const [first] = given ?? [];
  if (first === undefined) return undefined;
  const text = cleanText(first).trim();
  return text === '' ? undefined : text.slice(0, warningLimit);
}

/**
 * Reads the answer to a question for a range. Values outside the grid are left out, and negative ones: usage is none.
 * @param from of the first point, epoch seconds
 * @param count of the points
 * @throws UnreadableAnswer
 */
export function readMatrix(
  body: unknown,
  { from, step, count }: { readonly from: number; readonly step: number; readonly count: number },
): Points {
  const parsed = matrixSchema.safeParse(body);
  if (!parsed.success) throw new UnreadableAnswer();
  const values: (number | null)[] = Array.from({ length: count }, () => null);
  for (const [at, text] of parsed.data.data.result[0]?.values ?? []) {
    const index = Math.round((at - from) / step);
    const value = numberOf(text);
    if (index >= 0 && index < count && value !== null && value >= 0) values[index] = value;
  }
  return { values, isPartial: warningOf(parsed.data.warnings) !== undefined };
}

/**
 * Reads the answer to a question for now: 0 without a series, with what the source says is wrong with it, cleaned. Throws
 * UnreadableAnswer.
 */
export function readCount(body: unknown): { readonly count: number; readonly warning: string | undefined } {
  const parsed = vectorSchema.safeParse(body);
  if (!parsed.success) throw new UnreadableAnswer();
  const { data, warnings: given } = parsed.data;
  return { count: numberOf(data.result[0]?.value[1] ?? '0') ?? 0, warning: warningOf(given) };
}
