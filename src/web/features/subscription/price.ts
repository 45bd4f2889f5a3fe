import type { Plan } from '../../../contract/subscription.ts';

/** The currency of a price that names none. */
const usualCurrency = 'USD';

/**
 * A price in words: 1250 is “$12.50”, and “¥1,250” in a currency without minor units.
 * @param minor the amount in the currency's smallest unit
 * @param currency ISO 4217; US dollars where it is missing
 * @param locale of the browser by default
 */
export function priceText(minor: number, currency?: string | null, locale?: string): string {
  const code = currency == null || currency === '' ? usualCurrency : currency;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  return format.format(minor / 10 ** digits);
}

/** How often a price is paid: “per month”, “per 3 months”. */
export function periodText({
  billingPeriod,
  billingPeriodUnit,
}: Pick<Plan, 'billingPeriod' | 'billingPeriodUnit'>): string {
  return billingPeriod === 1 ? `per ${billingPeriodUnit}` : `per ${billingPeriod} ${billingPeriodUnit}s`;
}

/** What a number of seats costs: “5 seats: $60.00 per month”. */
export function totalText(plan: Plan, seats: number, locale?: string): string {
  const total = priceText(plan.price * seats, plan.currency, locale);
  return `${seats === 1 ? '1 seat' : `${seats} seats`}: ${total} ${periodText(plan)}`;
}
