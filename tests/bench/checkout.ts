import { join, resolve } from 'node:path';

/** The checkout that the bench belongs to. */
export const benchCheckout = resolve(import.meta.dirname, '../..');

/** The checkout whose product and page are measured: another one than the bench's in a paired run (`--against`). */
export const measuredCheckout = resolve(process.env['BENCH_CHECKOUT'] ?? benchCheckout);

/** The program that starts the product of that checkout. */
export const measuredProduct = join(measuredCheckout, 'src/server/start.mjs');
