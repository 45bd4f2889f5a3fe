import { addQuantities, canonicalQuantity, compareQuantities, isWhole, ratioOf } from '../kit/quantity.ts';
import { attempt, type CelExtension, LibraryError, succeeds } from './cel-extension.ts';

/** A resource quantity, such as "1Gi". */
export class Quantity {
  readonly text: string;
  constructor(text: string) {
    this.text = canonicalQuantity(text);
  }
}
const negated = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
const quantity = (text: string) => attempt(() => new Quantity(text));
const amountOf = (value: Quantity | bigint) => (typeof value === 'bigint' ? String(value) : value.text);
const sum = (a: Quantity, b: Quantity | bigint) => new Quantity(addQuantities(a.text, amountOf(b)));
const difference = (a: Quantity, b: Quantity | bigint) =>
  new Quantity(addQuantities(a.text, negated(amountOf(b))));

/** Kubernetes' functions of quantities. */
export const quantities: CelExtension = {
  types: { 'kubernetes.Quantity': Quantity },
  comparable: ['kubernetes.Quantity'],
  functions: {
    'isQuantity(string): bool': (text: string) => succeeds(() => new Quantity(text)),
    'quantity(string): kubernetes.Quantity': quantity,
    'kubernetes.Quantity.sign(): int': ({ text }: Quantity) =>
      BigInt(Math.sign(compareQuantities(text, '0'))),
    'kubernetes.Quantity.isInteger(): bool': ({ text }: Quantity) => isWhole(text),
    'kubernetes.Quantity.asInteger(): int': ({ text }: Quantity) => {
      if (!isWhole(text)) throw new LibraryError('cannot convert value to integer');
      return BigInt(Math.round(ratioOf(text, '1')));
    },
    'kubernetes.Quantity.asApproximateFloat(): double': ({ text }: Quantity) => ratioOf(text, '1'),
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': sum,
    'kubernetes.Quantity.add(int): kubernetes.Quantity': sum,
    'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': difference,
    'kubernetes.Quantity.sub(int): kubernetes.Quantity': difference,
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) =>
      compareQuantities(a.text, b.text) > 0,
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) =>
      compareQuantities(a.text, b.text) < 0,
    'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) =>
      BigInt(compareQuantities(a.text, b.text)),
  },
};
