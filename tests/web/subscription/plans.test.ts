import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/contract/subscription.ts';
import { PlanCard } from '../../../src/web/features/subscription/PlanCard.tsx';
import { periodText, priceText, totalText } from '../../../src/web/features/subscription/price.ts';
import { askedSeats } from '../../../src/web/features/subscription/seats.ts';
import { textOf } from './text-of.ts';

describe('a price in words', () => {
  test.each([
    [4900, 'USD', 'en-US', '$49.00'],
    [1250, 'USD', 'en-US', '$12.50'],
    [5, 'USD', 'en-US', '$0.05'],
    [0, 'EUR', 'en-US', '€0.00'],
    [123456, 'EUR', 'en-US', '€1,234.56'],
    // Without minor units.
    [4900, 'JPY', 'en-US', '¥4,900'],
    [50000, 'KRW', 'en-US', '₩50,000'],
    [4900, 'CLP', 'en-US', 'CLP 4,900'],
    // With a thousand of them.
    [12500, 'KWD', 'en-US', 'KWD 12.500'],
    // As the browser's language writes it.
    [123456, 'EUR', 'de-DE', '1.234,56 €'],
    // The specification's currency where none is named.
    [4900, undefined, 'en-US', '$49.00'],
    [4900, '', 'en-US', '$49.00'],
  ])('%s in the smallest unit of %s (%s) is %s', (minor, currency, locale, text) => {
    expect(priceText(minor, currency, locale).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

describe('the card of a plan', () => {
  const plan: Plan = {
    id: 'business-jpy',
    name: 'Business (Japan)',
    price: 2_800,
    currency: 'JPY',
    billingPeriodUnit: 'month',
    billingPeriod: 1,
    description: 'As Business, paid by the month in yen.',
    clusters: null,
    retentionDays: null,
  };
  const card = (more: Partial<Parameters<typeof PlanCard>[0]> = {}) =>
    createElement(PlanCard, {
      plan,
      isSelected: false,
      isCurrent: false,
      onSelect: () => undefined,
      ...more,
    });

  test('has name, price of a seat per period, description and a button to select it', () => {
    expect(textOf(card())).toBe(
      `Business (Japan) ${priceText(2_800, 'JPY')} per month for each seat As Business, paid by the month in yen. Select Plan`,
    );
    expect(textOf(card())).toContain('2,800');
  });

  test('says that it is selected, and that the organisation has it', () => {
    const html = renderToStaticMarkup(card({ isSelected: true, isCurrent: true }));
    expect(html).toContain('aria-pressed="true"');
    expect(html).toContain('aria-label="Selected: Business (Japan)"');
    expect(html).toContain('Current plan');
  });

  test('has nothing to press for people who cannot choose one', () => {
    expect(renderToStaticMarkup(card({ onSelect: undefined }))).not.toContain('<button');
  });

  test.each<[Plan['billingPeriodUnit'], number, string]>([
    ['month', 1, 'per month'],
    ['year', 1, 'per year'],
    ['month', 3, 'per 3 months'],
    ['week', 2, 'per 2 weeks'],
    ['day', 1, 'per day'],
  ])('a period of %s × %s is “%s”', (billingPeriodUnit, billingPeriod, text) => {
    expect(periodText({ billingPeriodUnit, billingPeriod })).toBe(text);
  });

  test('sums seats up in the currency of the plan', () => {
    expect(totalText(plan, 1, 'en-US')).toBe('1 seat: ¥2,800 per month');
    expect(totalText({ ...plan, currency: 'USD', billingPeriod: 3 }, 2, 'en-US')).toBe(
      '2 seats: $56.00 per 3 months',
    );
  });
});

describe('the field of seats', () => {
  test.each([
    ['3', 2, 3],
    [' 3 ', 3, 3],
    ['1000', 2, 1000],
    // An empty field counts as one seat.
    ['', 1, 1],
    ['  ', 0, 1],
  ])('“%s” with %s taken asks for %s', (text, taken, seats) => {
    expect(askedSeats(text, taken)).toEqual({ seats });
  });

  test.each([
    ['2', 3, /take 3 seats: enter 3 or more/],
    ['', 4, /take 4 seats: enter 4 or more/],
    ['0', 0, /at least 1 seat/],
    ['100001', 2, /at most 100000 seats/],
    ['-1', 0, /whole number/],
    ['2.5', 0, /whole number/],
    ['1e3', 0, /whole number/],
    ['many', 0, /whole number/],
    ['99999999999999999999', 0, /whole number/],
  ])('“%s” with %s taken is refused with a sentence', (text, taken, sentence) => {
    expect(askedSeats(text, taken).issue).toMatch(sentence);
  });
});
