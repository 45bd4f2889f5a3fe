import { parseQuantity } from '../../kube/quantity.ts';
import { str } from '../values.ts';

/** An amount as a number; 0 for none. */
export function quantityOf(value: unknown): number {
  return parseQuantity(str(value)) ?? 0;
}

/** An amount of a resource as Kubernetes writes it: cores in thousandths, bytes in mebibytes. */
export function formatQuantity(resource: string, amount: number): string {
  return resource === 'cpu' ? `${Math.round(amount * 1000)}m` : `${Math.round(amount / 2 ** 20)}Mi`;
}
